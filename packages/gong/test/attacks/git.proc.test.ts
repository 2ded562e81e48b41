import assert from "node:assert/strict"
import { cpSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { textOf } from "@gong/spec"
import { eventsOf, git, ofType } from "../program/harness.ts"
import { openPlace, type Place } from "./place.ts"

const usual = { PATH: "/usr/bin:/bin" }
const sandboxes = { off: {}, "as usual": { GONG_SANDBOX: undefined } } as const

/** A repository that shares the settings of another folder, where this program is named. */
async function shared(t: TestContext, key: string): Promise<Place> {
  const place = await openPlace(t)
  place.write({ "kept.f": "one\n", ".gitattributes": "*.f filter=f\n" })
  git(place.repo, "add", ".")
  git(place.repo, "commit", "--quiet", "--message", "first")
  cpSync(join(place.repo, ".git"), join(place.repo, "shared"), { recursive: true })
  writeFileSync(join(place.repo, ".git/commondir"), "../shared\n")
  const script = join(place.root, "evil.sh")
  place.program(script, `${place.trip("git")}; cat`)
  git(join(place.repo, "shared"), "config", key, script)
  utimesSync(join(place.repo, "kept.f"), 1, 1)
  return place
}

async function answers(place: Place, command: string, env: Readonly<Record<string, string | undefined>>) {
  place.server.begin([{ calls: [{ name: "bash", args: { command } }] }, { text: "Right." }])
  const words = ["--permission", "ask", "--allow", "bash(touch *)", "--output", "events", "look"]
  const run = await place.gong(words, { env })
  assert.equal(run.status, 0, run.err)
  return ofType(eventsOf(run), "tool_execution_end").map((end) => [end.status, textOf(end)])
}

for (const [how, env] of Object.entries(sandboxes)) {
  test(`[SAFE-5] sandbox ${how}: git status works in a repository whose shared git settings name a program, and the program does not run (attack with control)`, async (t) => {
    const place = await shared(t, "core.fsmonitor")
    const [[status, text] = []] = await answers(place, "git status --short && git log --oneline", env)
    assert.equal(status, "ok")
    assert.match(text ?? "", /\?\? shared\/\n[\da-f]+ first/)
    assert.deepEqual(place.tripped(), [])
    await place.other("git status", usual)
    assert.deepEqual(place.tripped(), ["git"], "with the guard off it runs")
  })

  test(`[SAFE-5] sandbox ${how}: change detection around a command runs no filter of the repository (attack with control)`, async (t) => {
    const place = await shared(t, "filter.f.clean")
    assert.deepEqual((await answers(place, "touch made", env))[0]?.[0], "ok")
    assert.deepEqual(place.tripped(), [])
    await place.other("git ls-files -m", usual)
    assert.deepEqual(place.tripped(), ["git"], "with the guard off it runs")
  })
}

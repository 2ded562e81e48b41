import assert from "node:assert/strict"
import { cpSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { git } from "../program/harness.ts"
import { openPlace, type Place } from "./place.ts"

/** Commands that models run to explore; each is permitted without asking. */
const looks = [
  "git status",
  "git status -s",
  "git diff",
  "git diff HEAD",
  "git log -1",
  "git ls-files",
  "git stash list",
]
const into = (folder: string) => [`cd ${folder} && git status`, `cd ${folder} && git diff && git log -1`]
const others = [
  "git submodule status",
  "git submodule update --init",
  "git -C sub status",
  "git submodule foreach true",
]

/** A repository with clean settings; inside it one that runs a program whenever git reads it. */
async function nested(t: TestContext): Promise<Place> {
  const place = await openPlace(t)
  const sub = join(place.repo, "sub")
  mkdirSync(sub)
  git(sub, "init", "--quiet")
  place.write({ "sub/a.txt": "one\n", "b.txt": "one\n" })
  git(sub, "add", ".")
  git(sub, "commit", "--quiet", "--message", "first")
  git(place.repo, "-c", "advice.addEmbeddedRepo=false", "add", ".")
  git(place.repo, "commit", "--quiet", "--message", "first")
  place.write({ "sub/a.txt": "two\n", "b.txt": "two\n" })
  const script = join(place.root, "evil.sh")
  place.program(script, place.trip("submodule"))
  git(sub, "config", "core.fsmonitor", script)
  return place
}

/** Each variant with the guard off is a shell that runs the same command. */
const variants: Readonly<Record<string, (place: Place) => void>> = {
  "a repository in the index that no .gitmodules names": () => undefined,
  "a submodule with its settings in the folder of the outer repository": (place) => {
    mkdirSync(join(place.repo, ".git/modules"))
    renameSync(join(place.repo, "sub/.git"), join(place.repo, ".git/modules/sub"))
    git(join(place.repo, ".git/modules/sub"), "config", "core.worktree", "../../../sub")
    place.write({
      "sub/.git": "gitdir: ../.git/modules/sub\n",
      ".gitmodules": `[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n`,
    })
  },
}

for (const [name, lay] of Object.entries(variants)) {
  test(`[SC-13] ${name}: none of its git settings runs a program, whatever the model reads (attack with control)`, async (t) => {
    const place = await nested(t)
    lay(place)
    const calls = [...looks, ...into("sub"), ...others, "touch made", "git status"].map((command) => ({
      name: "bash",
      args: { command },
    }))
    for (const trust of [[], ["--trust", "yes"]]) {
      place.server.begin([{ calls }, { text: "Right." }])
      const run = await place.gong([...trust, "-p", "--allow", "bash(touch *)", "look"])
      assert.equal(run.status, 0, run.err)
      assert.deepEqual(place.tripped(), [])
      // Also if the session begins inside of it.
      place.server.begin([{ calls: calls.slice(0, 6) }, { text: "Right." }])
      const inside = await place.gong([...trust, "-pq", "look"], { cwd: join(place.repo, "sub") })
      assert.equal(inside.status, 0, inside.err)
      assert.deepEqual(place.tripped(), [])
    }
    await place.other("git status", { PATH: "/usr/bin:/bin" })
    assert.deepEqual(place.tripped(), ["submodule"], "with the guard off it would have run")
  })
}

test("[SC-13] git is not run in a folder that looks like a bare repository (attack with control)", async (t) => {
  const place = await nested(t)
  cpSync(join(place.repo, "sub/.git"), join(place.repo, "docs"), { recursive: true })
  const script = join(place.root, "evil.sh")
  writeFileSync(
    join(place.repo, "docs/config"),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${script}\n`,
  )
  const calls = into("docs").map((command) => ({ name: "bash", args: { command } }))
  place.server.begin([{ calls }, { text: "Right." }])
  assert.equal((await place.gong(["-pq", "look"])).status, 0)
  assert.deepEqual(place.tripped(), [])
  await place.other("cd docs && git status", { PATH: "/usr/bin:/bin" })
  assert.deepEqual(place.tripped(), ["submodule"])
})

test("[SC-13] trust does not extend into or out of a submodule", async (t) => {
  const place = await nested(t)
  const hooks = (name: string) =>
    JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: place.trip(name) }] }] } })
  place.write({ ".gong/hooks.json": hooks("outer"), "sub/.gong/hooks.json": hooks("inner") })
  const ask = async (cwd: string, ...args: readonly string[]) => {
    place.server.begin([{ text: "Right." }])
    const run = await place.gong([...args, "-pq", "--no-session", "hi"], { cwd: join(place.repo, cwd) })
    assert.equal(run.status, 0, run.err)
    return place.tripped()
  }
  assert.deepEqual(await ask(".", "--trust", "yes"), ["outer"])
  assert.deepEqual(await ask("sub", "--trust", "yes"), ["inner"])
  assert.equal((await place.gong(["trust", "yes"])).status, 0)
  assert.deepEqual(await ask("."), ["outer"])
  assert.deepEqual(await ask("sub"), [], "what was said of the outer one says nothing of the inner")
})

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { pathToFileURL } from "node:url"
import { isRecord } from "@gong/spec"
import { openStage, type Stage } from "./harness.ts"
import { openTerminal, skip } from "./terminal.ts"

const make = { calls: [{ name: "bash", args: { command: "make hello" } }] }

async function stageWithMake(t: TestContext): Promise<Stage> {
  const stage = await openStage(t)
  stage.write({ Makefile: "hello:\n\t@echo made >> made.txt\n" })
  return stage
}

function made(stage: Stage): number {
  const path = join(stage.repo, "made.txt")
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0
}

test('"always" is asked once, stored for the repository, listed and removed', { skip }, async (t) => {
  const stage = await stageWithMake(t)
  stage.server.begin([make, { text: "First." }, make, { text: "Second." }])
  const terminal = openTerminal(t, stage, ["go"])
  await terminal.until("always: bash(make hello)")
  await terminal.until("[e]xplain: ")
  // Full-width, as typed with an input method for Chinese.
  terminal.type("\uff41\r")
  await terminal.until("First.")
  await terminal.until("> ")
  terminal.type("again\r")
  await terminal.until("Second.")
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
  assert.equal(made(stage), 2)
  assert.equal(existsSync(join(stage.repo, ".gong")), false)

  assert.equal((await stage.gong(["permissions"])).out, `${stage.repo}\n  bash(make hello)\n`)
  const json: unknown = JSON.parse((await stage.gong(["permissions", "--json"])).out)
  assert.deepEqual(isRecord(json) && json["permissions"], { [stage.repo]: ["bash(make hello)"] })
  stage.server.begin([make, { text: "Headless." }])
  assert.equal((await stage.gong(["-p", "--no-session", "go"])).out, "Headless.\n")
  assert.equal(made(stage), 3)

  const unknown = await stage.gong(["permissions", "rm", "bash(make)"])
  assert.deepEqual(
    [unknown.status, unknown.err],
    [2, `gong: no rule "bash(make)" is stored for ${stage.repo}. Stored: bash(make hello)\n`],
  )
  const removed = await stage.gong(["permissions", "rm", "bash(make hello)"])
  assert.equal(removed.out, `bash(make hello) is removed: ${stage.repo} asks again.\n`)
  assert.equal((await stage.gong(["permissions"])).out, `No allow rules are stored for ${stage.repo}.\n`)
  stage.server.begin([make, { text: "No more." }])
  await stage.gong(["-p", "--no-session", "go"])
  assert.equal(made(stage), 3)
})

test(
  `"session" applies to the session only, and a yes to the project's tests to later runs of them`,
  { skip },
  async (t) => {
    const stage = await stageWithMake(t)
    stage.write({ "package.json": '{"scripts": {"test": "echo tested >> made.txt"}}' })
    const npm = { calls: [{ name: "bash", args: { command: "npm test" } }] }
    stage.server.begin([make, make, npm, npm, { text: "Done." }])
    const terminal = openTerminal(t, stage, ["go"])
    await terminal.until("  make hello")
    await terminal.until("[e]xplain: ")
    terminal.type("s\r")
    await terminal.until("  npm test")
    assert.equal(made(stage), 2)
    terminal.type("Y\r")
    await terminal.until("Done.")
    terminal.type("\u0004")
    assert.equal(await terminal.ended, 0)
    assert.equal(made(stage), 4)
    assert.equal((await stage.gong(["permissions"])).out, `No allow rules are stored for ${stage.repo}.\n`)
  },
)

test("Ctrl+C at a question aborts the run without running the call or a refusal", { skip }, async (t) => {
  const stage = await stageWithMake(t)
  stage.server.begin([make, { text: "Never." }])
  const terminal = openTerminal(t, stage, ["go"])
  await terminal.until("[e]xplain: ")
  terminal.type("\u0003")
  await terminal.until("Stopped.")
  await terminal.until("> ")
  terminal.type("\u0004")
  await terminal.ended
  assert.equal(made(stage), 0)
  const ends = stage.entries().flatMap((entry) => (entry.type === "run_end" ? [entry.status] : []))
  assert.deepEqual(ends, ["interrupted"])
})

test("concurrent processes store rules without losing any", async (t) => {
  const stage = await openStage(t)
  const module = pathToFileURL(join(import.meta.dirname, "../../../config/src/settings/permissions.ts")).href
  const work = (name: string) => `
    const { addPermission } = await import(${JSON.stringify(module)})
    for (let n = 0; n < 10; n++) {
      const kept = await addPermission(${JSON.stringify(stage.gongHome)}, "/w", "bash(${name} " + n + ")")
      if (!kept.ok) throw new Error(kept.error.lines.join())
    }`
  const names = ["a", "b", "c", "d"]
  const statuses = names.map(async (name) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", work(name)], { stdio: "ignore" })
    return new Promise((resolve) => child.on("close", resolve))
  })
  assert.deepEqual(await Promise.all(statuses), [0, 0, 0, 0])
  const all: unknown = JSON.parse(readFileSync(join(stage.gongHome, "permissions.json"), "utf8"))
  const rules = isRecord(all) ? all["/w"] : null
  assert.deepEqual(
    new Set(Array.isArray(rules) ? rules : []),
    new Set(names.flatMap((name) => Array.from({ length: 10 }, (_, n) => `bash(${name} ${n})`))),
  )
})

test("rules of the settings apply to every session; a project can only add deny rules; an invalid rule is exit 2", async (t) => {
  const stage = await openStage(t)
  const bash = (command: string) => ({ name: "bash", args: { command } })
  stage.write({
    [`${stage.gongHome}/settings.json`]: '{ "rules": { "allow": ["bash(touch *)"], "deny": ["bash(touch no)"] } }',
    ".gong/settings.json": '{ "rules": { "allow": ["bash(mkdir *)"], "deny": ["bash(touch never)"] } }',
  })
  stage.server.begin([{ calls: ["touch yes", "touch no", "touch never", "mkdir dir"].map(bash) }, { text: "Done." }])
  const run = await stage.gong(["-p", "go", "--trust", "yes"])
  assert.match(run.err, /"rules\.allow" is ignored: a project cannot set it\./)
  assert.deepEqual(
    ["yes", "no", "never", "dir"].map((name) => existsSync(join(stage.repo, name))),
    [true, false, false, false],
  )
  for (const [rule, problem] of [
    ["bsah(ls)", /settings\.json: "rules\.deny": there is no tool "bsah"\. Did you mean bash\?/],
    ["?", /settings\.json: "rules\.deny": "\?" is no rule\. Write bash\(git push \*\)/],
  ] as const) {
    stage.write({ [`${stage.gongHome}/settings.json`]: JSON.stringify({ rules: { deny: [rule] } }) })
    const broken = await stage.gong(["-p", "go"])
    assert.equal(broken.status, 2)
    assert.match(broken.err, problem)
  }
})

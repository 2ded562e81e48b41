import assert from "node:assert/strict"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { eventsOf, ofType, openStage, type Stage } from "./harness.ts"

/** The project of a user of Claude Code: commands, one of them in a folder, and deny rules in both settings files. */
function writeProject(stage: Stage): void {
  stage.write({
    ".claude/settings.json": JSON.stringify({
      permissions: { deny: ["Bash(touch:*)", "Bash(a && b)", "Read(./.env)"] },
    }),
    ".claude/settings.local.json": JSON.stringify({
      permissions: { deny: ["Edit(/locked/**)"], allow: ["Bash(curl:*)"] },
    }),
    ".claude/commands/fix.md": "---\nallowed-tools: Bash\n---\nFix issue $ARGUMENTS.\n",
    ".claude/commands/git/commit.md": "Commit with $1.\n",
    ".env": "SECRET=1\n",
    "locked/a.txt": "a\n",
  })
}

test("deny rules of Claude Code's settings hold in a trusted folder at every level, and one that cannot is reported", async (t) => {
  const calls = [
    { name: "bash", args: { command: "touch made" } },
    { name: "read", args: { path: ".env" } },
    { name: "edit", args: { path: "locked/a.txt", edits: [{ oldText: "a", newText: "b" }] } },
    { name: "bash", args: { command: "echo fine" } },
  ]
  const stage = await openStage(t, { turns: [{ calls }, { text: "done" }] })
  writeProject(stage)
  const run = (...args: string[]) => stage.gong([...args, "--yolo", "--no-session", "--output", "events", "go"])
  const trusted = await run("--trust", "yes")
  const ends = ofType(eventsOf(trusted), "tool_execution_end")
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["refused", "refused", "refused", "ok"],
  )
  assert.match(ends.map(textOf).join("\n"), /bash\(touch \*\)[^]*read\(\.env\)[^]*edit\(locked\/\*\*\)/)
  assert.match(
    trusted.err,
    /^gong: \S+settings\.json:\d+: the deny rule Bash\(a && b\) does not hold: Gong checks each command/m,
  )
})

test("in a folder without trust the deny rules and commands of Claude Code are listed and have no effect", async (t) => {
  const calls = [{ name: "bash", args: { command: "touch made" } }]
  const stage = await openStage(t, { turns: [{ calls }, { text: "done" }, { text: "sent" }] })
  writeProject(stage)
  const run = await stage.gong(["--trust", "no", "--yolo", "--no-session", "--output", "events", "go"])
  assert.deepEqual(
    ofType(eventsOf(run), "tool_execution_end").map(({ status }) => status),
    ["ok"],
  )
  const untrusted = await stage.gong(["-p", "/fix 7"])
  assert.match(untrusted.err, /2 command templates and 4 deny rules/)
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /\/fix 7/)
})

test("commands of Claude Code in a trusted folder are templates; one in a folder is typed with a hyphen", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }] })
  writeProject(stage)
  // A copy that an earlier import made is no collision.
  mkdirSync(join(stage.repo, ".gong/prompts"), { recursive: true })
  writeFileSync(join(stage.repo, ".gong/prompts/fix.md"), "Fix issue $ARGUMENTS.\n")
  const first = await stage.gong(["--trust", "yes", "-p", "/fix 7 and 8"])
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /Fix issue 7 and 8\./)
  assert.doesNotMatch(first.err, /fix/)
  await stage.gong(["--trust", "yes", "-p", "/git-commit care"])
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /Commit with care\./)
})

test("a deny rule that is no text, and deny rules that are no list, are reported", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Fine." } })
  for (const deny of [[7], "Bash"]) {
    stage.write({ ".claude/settings.json": JSON.stringify({ permissions: { deny } }) })
    const { err } = await stage.gong(["--trust", "yes", "-p", "go"])
    assert.match(err, /^gong: \S+settings\.json(?::1)?: a deny rule is a text in a list.*does not hold\.$/m)
  }
})

test("disableAllHooks in one of the settings files of Claude Code turns the hooks of both off", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }] })
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo ran >> log" }] }] }
  stage.write({ ".claude/settings.json": JSON.stringify({ hooks }) })
  await stage.gong(["--trust", "yes", "-p", "go"])
  assert.equal(readFileSync(join(stage.repo, "log"), "utf8"), "ran\n")
  stage.write({ ".claude/settings.local.json": JSON.stringify({ disableAllHooks: true, hooks: {} }) })
  await stage.gong(["--trust", "yes", "-p", "go"])
  assert.equal(readFileSync(join(stage.repo, "log"), "utf8"), "ran\n")
})

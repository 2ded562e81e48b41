import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { eventsOf, git, ofType, openStage, resultOf, type Stage } from "./harness.ts"

const folder = join(import.meta.dirname, "../../../../examples/extensions")
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"))

const call = (name: string, args: object) => ({ name, args })

/** Installs one example unchanged where a user would, with settings of its own. */
function install(stage: Stage, name: string, settings: object = {}): void {
  stage.write({
    [`${stage.gongHome}/extensions/${name}.ts`]: readFileSync(join(folder, `${name}.ts`), "utf8"),
    [`${stage.gongHome}/settings.json`]: JSON.stringify({ extensions: { [name]: settings } }),
  })
}

interface Look {
  /** The results of calls as the model received them. */
  readonly read: readonly string[]
  readonly err: string
}

/** One run in which the model makes these calls. */
async function look(
  stage: Stage,
  calls: readonly ReturnType<typeof call>[],
  ...args: readonly string[]
): Promise<Look> {
  stage.server.begin([{ calls: [...calls] }, { text: "done" }])
  const run = await stage.gong(["--no-session", "--output", "events", "--yolo", ...args, "go"])
  const all = eventsOf(run)
  const { messages } = (stage.server.requests.at(-1)?.body ?? { messages: [] }) as { messages: readonly Sent[] }
  const sent = messages.flatMap(({ role, content }) => (role === "tool" ? [contentOf(content)] : []))
  const ends = ofType(all, "tool_execution_end").map(textOf)
  assert.deepEqual(sent, ends, "what is shown is what was sent")
  assert.equal(resultOf(run).status, "done")
  return { read: sent, err: run.err }
}

interface Sent {
  readonly role: string
  readonly content: string | readonly { readonly text: string }[]
}

function contentOf(content: Sent["content"]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("")
}

/** Output lines of a command, without a model. */
async function command(stage: Stage, line: string): Promise<readonly string[]> {
  const run = await stage.gong(["--no-session", "--output", "events", line])
  return ofType(eventsOf(run), "notice").flatMap((notification) =>
    notification.code === "extension" || notification.code === "command" ? [notification.text] : [],
  )
}

test("every example is listed in docs/extensions.md and loads", async (t) => {
  const stage = await openStage(t)
  const docs = readFileSync(join(folder, "../../docs/extensions.md"), "utf8")
  for (const file of examples) {
    assert.ok(docs.includes(`](../examples/extensions/${file})`), file)
    install(stage, file.slice(0, -".ts".length))
  }
  const { out } = await stage.gong(["doctor"])
  for (const line of [
    "after-edit-diagnostics from \\S+: onToolResult",
    "custom-provider from \\S+: house/\\.\\.\\.",
    "git-checkpoint from \\S+: /checkpoints, /restore, beforeToolCall, agent.start",
    "notifier from \\S+: agent.end",
    "permission-gate from \\S+: beforeToolCall",
    "redactor from \\S+: onToolResult",
  ])
    assert.match(out, new RegExp(line))
  assert.equal(examples.length, 6)
})

test("permission-gate asks before matching commands, and refuses paths", async (t) => {
  const stage = await openStage(t)
  stage.write({ "secrets/key": "the key\n", "open.txt": "open\n" })
  const calls = [
    call("bash", { command: "echo push" }),
    call("bash", { command: "echo calm" }),
    call("read", { path: "secrets/key" }),
    call("read", { path: "open.txt" }),
  ]
  assert.deepEqual(
    (await look(stage, calls)).read.map((text) => text.includes("efused")),
    [false, false, false, false],
  )
  install(stage, "permission-gate", { ask: ["\\bpush\\b"], refuse: ["secrets/**"] })
  const { read } = await look(stage, calls)
  assert.match(read[0] ?? "", /^Refused: .*it matches \\bpush\\b/)
  assert.equal(read[1], "calm\n")
  assert.match(read[2] ?? "", /^Refused: secrets\/key is kept from you by secrets\/\*\*/)
  assert.match(read[3] ?? "", /open/)
})

test("git-checkpoint saves the files before the first change of a run; /restore restores them", async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "first\n", "staged.txt": "staged\n" })
  git(stage.repo, "add", "a.txt")
  git(stage.repo, "commit", "--quiet", "-m", "first")
  git(stage.repo, "add", "staged.txt")
  stage.write({ "a.txt": "mine\n", "new.txt": "new\n" })
  const refs = () => git(stage.repo, "for-each-ref", "--format=%(refname)", "refs/gong").split("\n").slice(0, -1)
  const state = () => git(stage.repo, "status", "--porcelain")
  const before = state()
  const change = [
    call("bash", { command: "echo theirs > a.txt" }),
    call("bash", { command: "echo theirs > new.txt; touch more.txt" }),
  ]
  await look(stage, change)
  assert.deepEqual(refs(), [])

  stage.write({ "a.txt": "mine\n", "new.txt": "new\n" })
  git(stage.repo, "clean", "--quiet", "-f", "more.txt")
  install(stage, "git-checkpoint")
  await look(stage, [call("read", { path: "a.txt" })])
  assert.deepEqual(refs(), [], "reading changes nothing")
  await look(stage, change)
  const [ref = "", ...others] = refs()
  assert.deepEqual(others, [], "one for a run")
  assert.equal(git(stage.repo, "show", `${ref}:a.txt`, `${ref}:new.txt`), "mine\nnew\n")
  assert.equal(git(stage.repo, "log", "-1", "--format=%s", ref), "before: go\n")
  assert.deepEqual([stage.read("a.txt"), state()], ["theirs\n", before.replace("?? new", "?? more.txt\n?? new")])

  const name = ref.replace("refs/gong/checkpoints/", "")
  assert.deepEqual(await command(stage, "/checkpoints"), [`${name} before: go`])
  assert.deepEqual(await command(stage, "/restore nothing"), ["Which one? /checkpoints lists them."])
  assert.match((await command(stage, `/restore ${name}`)).join(), /^The files are as in /)
  assert.deepEqual([stage.read("a.txt"), stage.read("new.txt")], ["mine\n", "new\n"])
  assert.equal(git(stage.repo, "show", `${refs()[1]}:a.txt`), "theirs\n")
})

test("redactor removes addresses, tokens and configured patterns from tool results", async (t) => {
  const stage = await openStage(t)
  stage.write({ "log.txt": "ann@example.org used ghp_0123456789abcdef for C-123456\n" })
  const calls = [call("bash", { command: "cat log.txt" }), call("read", { path: "log.txt" })]
  for (const text of (await look(stage, calls)).read) assert.match(text, /ann@example\.org used ghp_\w+ for C-123456/)
  install(stage, "redactor", { patterns: { customer: "\\bC-\\d{6}\\b" } })
  for (const text of (await look(stage, calls)).read)
    assert.match(text, /\[email taken out\] used \[token taken out\] for \[customer taken out\]/)
})

test("notifier runs its command after a long run, or prints a line without one", async (t) => {
  const stage = await openStage(t)
  const out = join(stage.root, "rung")
  const ring = ["sh", "-c", 'printf %s "$1" > "$0"', out]
  const calls = [call("bash", { command: "true" })]
  install(stage, "notifier", { seconds: 3600, command: ring })
  assert.equal((await look(stage, calls)).err, "")
  assert.ok(!readdirSync(stage.root).includes("rung"), "no run took an hour")
  install(stage, "notifier", { seconds: 0 })
  assert.match((await look(stage, calls)).err, /^gong: notifier: done after \d+ s\n$/)
  install(stage, "notifier", { seconds: 0, command: ring })
  assert.equal((await look(stage, calls)).err, "")
  assert.match(readFileSync(out, "utf8"), /^done after \d+ s$/)
})

test("after-edit-diagnostics adds the output of a checker to the result of an edit", async (t) => {
  const stage = await openStage(t)
  const calls = [
    call("write", { path: "bad.js", content: "const a = ;\n" }),
    call("write", { path: "good.js", content: "export const a = 1\n" }),
    call("write", { path: "bad.json", content: "{ a }\n" }),
    call("write", { path: "notes.txt", content: "const a = ;\n" }),
    call("edit", { path: "good.js", edits: [{ oldText: "= 1", newText: "= (" }] }),
    call("write", { path: "x.py", content: "x\n" }),
  ]
  const wrong = (read: readonly string[]) => read.map((text) => /SyntaxError|never again/.test(text))
  assert.deepEqual(wrong((await look(stage, calls)).read), [false, false, false, false, false, false])
  const py = [process.execPath, "-e", "console.error('never again'); process.exit(1)"]
  install(stage, "after-edit-diagnostics", { check: { ".py": py } })
  for (const name of ["bad.js", "good.js", "bad.json", "notes.txt", "x.py"]) git(stage.repo, "clean", "-qf", name)
  const { read } = await look(stage, calls)
  assert.deepEqual(wrong(read), [true, false, true, false, true, true], read.join("\n---\n"))
  assert.match(read[0] ?? "", /^Successfully wrote 12 bytes to bad\.js\n?node on \S+bad\.js:\n/)
})

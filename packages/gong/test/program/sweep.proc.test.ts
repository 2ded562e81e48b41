import assert from "node:assert/strict"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { git, openStage, resultOf, type Stage } from "./harness.ts"

const bash = (command: string) => ({ calls: [{ name: "bash", args: { command } }] })

/** A repository with a commit, and one command that the model runs in it. */
async function staged(t: TestContext, command: string, files: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const stage = await openStage(t, { turns: [bash(command), { text: "done" }] })
  stage.write({ "a.txt": "a\n", "b.txt": "b\n", "gone.txt": "gone\n" })
  git(stage.repo, "add", ".")
  git(stage.repo, "commit", "--quiet", "-m", "first")
  stage.write(files)
  return stage
}

/** `lookTime` in seconds: on a busy machine a scan takes longer than usual. */
const run = (stage: Stage, { lookTime = 60, more = [] }: { lookTime?: number; more?: readonly string[] } = {}) => {
  stage.write({ [join(stage.gongHome, "settings.json")]: JSON.stringify({ undo: { lookTime } }) })
  return stage.gong(["--output", "json", "-q", "--permission", "full", ...more, "go"])
}

test("undo reverts files that a command changed, created and deleted, and the result lists them", async (t) => {
  const stage = await staged(t, "echo 2 >> a.txt && echo 3 > b.txt && mkdir new && echo n > new/c.txt && rm gone.txt")
  const ended = await run(stage)
  assert.deepEqual(
    resultOf(ended).files.toSorted((one, other) => one.path.localeCompare(other.path)),
    [
      { path: "a.txt", change: "modified", added: 1, removed: 0 },
      { path: "b.txt", change: "modified", added: 1, removed: 1 },
      { path: "gone.txt", change: "deleted", added: 0, removed: 1 },
      { path: "new/c.txt", change: "created", added: 1, removed: 0 },
    ],
  )
  const undone = await stage.gong(["undo"])
  assert.deepEqual(undone.out.split("\n").toSorted(), [
    "",
    ...["a.txt", "b.txt", "gone.txt", "new/c.txt"].map((path) => `restored  ${stage.repo}/${path}`),
  ])
  assert.equal(git(stage.repo, "status", "--porcelain"), "")
  assert.equal(existsSync(join(stage.repo, "new/c.txt")), false)
  assert.match((await stage.gong(["undo"])).out, /has no file changes to undo/)
})

test("files outside of git are restored from a copy; without one undo reports them", async (t) => {
  const big = "x".repeat(2 * 1024 * 1024)
  const files = { "a.txt": "mine, not committed\n", "notes.md": "untracked\n", "big.bin": big }
  const stage = await staged(t, "for f in a.txt notes.md big.bin; do echo more >> $f; done", files)
  await run(stage)
  const undone = await stage.gong(["undo"])
  assert.deepEqual(undone.out.split("\n").toSorted(), [
    "",
    `not restorable: ${stage.repo}/big.bin (changed by a command; no earlier copy)`,
    `restored  ${stage.repo}/a.txt`,
    `restored  ${stage.repo}/notes.md`,
  ])
  assert.deepEqual([stage.read("a.txt"), stage.read("notes.md")], [files["a.txt"], files["notes.md"]])
  assert.equal(stage.read("big.bin"), `${big}more\n`)
})

test("without git, and with an edit between two commands, undo restores every file except ignored ones", async (t) => {
  const edit = { path: "a.txt", edits: [{ oldText: "two", newText: "TWO" }] }
  const calls = [bash("echo two >> a.txt"), { calls: [{ name: "edit", args: edit }] }]
  const turns = [...calls, bash("echo three >> a.txt; echo > out.log"), { text: "done" }]
  const stage = await openStage(t, { turns })
  rmSync(join(stage.repo, ".git"), { recursive: true })
  stage.write({ "a.txt": "one\n", ".gitignore": "*.log\n" })
  const changes = resultOf(await run(stage)).files
  assert.equal(stage.read("a.txt"), "one\nTWO\nthree\n")
  assert.deepEqual(changes, [{ path: "a.txt", change: "modified", added: 3, removed: 1 }])
  assert.equal((await stage.gong(["undo"])).out, `restored  ${stage.repo}/a.txt\n`)
  assert.deepEqual([stage.read("a.txt"), stage.read("out.log")], ["one\n", "\n"])
})

test("no change detection after read-only commands; requests are the same with and without detection", async (t) => {
  const reading = await staged(t, "cat a.txt")
  await run(reading)
  assert.deepEqual(
    reading.entries().filter(({ type }) => type === "change"),
    [],
  )
  const sent = async (...more: readonly string[]) => {
    const stage = await staged(t, "echo 2 >> a.txt")
    await run(stage, { more })
    // All but the system prompt, which names the folder.
    return stage.server.requests.map(({ body }) => JSON.stringify((body as { messages: unknown[] }).messages.slice(1)))
  }
  const [kept, unkept] = [await sent(), await sent("--no-session")]
  assert.equal(kept.length, 2)
  assert.deepEqual(kept, unkept)
})

test("undo reports an incomplete change detection", async (t) => {
  const stage = await staged(t, "echo 2 >> a.txt")
  await run(stage, { lookTime: 0 })
  assert.match(
    (await stage.gong(["undo"])).out,
    /^Session \w+ has no file changes to undo\.\nnot detected: changes by commands in other files \(a look at it takes longer than 0 ms\)\n$/,
  )
})

test("a known key in a before-image is redacted on the tape", async (t) => {
  const stage = await staged(t, "echo more >> .keys", { ".keys": "sk-canary-0123456789abcdef\n" })
  await run(stage)
  const [id = ""] = stage.sessions()
  const tape = join(stage.gongHome, "sessions", id, "anchors/001_session-start/entries.jsonl")
  assert.equal(readFileSync(tape, "utf8").includes("sk-canary-0123456789abcdef"), false)
  await stage.gong(["undo"])
  assert.equal(stage.read(".keys"), "sk-canary-0123456789abcdef\n")
})

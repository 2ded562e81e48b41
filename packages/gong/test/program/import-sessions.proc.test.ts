import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openStage } from "./harness.ts"

const ids = ["0b5c7a52-0000-4000-8000-00000000000a", "0b5c7a52-0000-4000-8000-00000000000b"] as const

/** A home in which Claude Code has a conversation in this repository, and one elsewhere with a long title. */
async function stageWithClaude(t: TestContext) {
  const stage = await openStage(t, { otherwise: { text: "Going on." } })
  const line = (cwd: string, type: string, uuid: string, parentUuid: string | null, content: unknown) => {
    const message = { role: type, content, ...(type === "assistant" && { id: uuid, model: "claude-sonnet-4-5" }) }
    return JSON.stringify({
      type,
      uuid,
      parentUuid,
      cwd,
      timestamp: "2026-11-01T10:00:00.000Z",
      isSidechain: false,
      message,
    })
  }
  const here = [
    line(stage.repo, "user", "a", null, "Which colour has the door?"),
    line(stage.repo, "assistant", "b", "a", [
      { type: "tool_use", id: "t1", name: "Read", input: { file_path: "door.txt" } },
    ]),
    line(stage.repo, "user", "c", "b", [{ type: "tool_result", tool_use_id: "t1", content: "green" }]),
    line(stage.repo, "assistant", "d", "c", [{ type: "text", text: "The door is green." }]),
    JSON.stringify({ type: "file-history-snapshot", snapshot: {} }),
  ]
  const elsewhere = [
    line("/a/very/long/path/to/another/repository/of/ann", "user", "a", null, "很长的标题 ".repeat(40)),
  ]
  const folder = join(stage.home, ".claude", "projects")
  const files = {
    [join(folder, "-repo", `${ids[0]}.jsonl`)]: here.join("\n"),
    [join(folder, "-other", `${ids[1]}.jsonl`)]: elsewhere.join("\n"),
  }
  stage.write(files)
  const unchanged = () => Object.entries(files).every(([path, text]) => readFileSync(path, "utf8") === text)
  return { stage, unchanged }
}

for (const [language, texts] of [
  [
    "en_US.UTF-8",
    [/^would be imported \(2\)$/m, /^imported \(2\)$/m, /^already present \(2\)$/m, /2 msg 1 calls|3 msg 1 calls/],
  ],
  ["zh_CN.UTF-8", [/^将会接管（2）$/m, /^已接管（2）$/m, /^已存在（2）$/m, /3 条消息 1 次调用/]],
] as const)
  test(`the conversations of another agent are listed, imported once and continued; rows have at most 100 columns (${language})`, async (t) => {
    const { stage, unchanged } = await stageWithClaude(t)
    const env = { LC_ALL: language }
    const command = ["import", "--from", "claude", "--sessions"]
    const dry = await stage.gong([...command, "--dry-run"], { env })
    assert.equal(dry.status, 0, dry.err)
    assert.match(dry.out, texts[0])
    assert.match(dry.out, texts[3])
    for (const row of dry.out.split("\n")) assert.ok(widthOf(row) <= 100, row)
    assert.deepEqual([stage.sessions().length, existsSync(join(stage.gongHome, "sessions"))], [0, false])
    const done = await stage.gong(command, { env })
    assert.match(done.out, texts[1])
    assert.match(done.out, /file-history-snapshot/)
    assert.match((await stage.gong(command, { env })).out, texts[2])
    assert.equal(stage.sessions().length, 2)
    const shown = await stage.gong(["sessions", "show", ids[0]], { env })
    assert.match(shown.out, /The door is green/)
    const on = await stage.gong(["-p", "-c", "And the window?"], { env })
    assert.deepEqual([on.status, on.out], [0, "Going on.\n"], on.err)
    assert.match(
      JSON.stringify(stage.server.requests[0]?.body),
      /Which colour has the door.*green.*The door is green.*And the window/s,
    )
    assert.ok(unchanged(), "the files of the other agent are only read")
  })

test("with --project only the conversations of this repository are imported; without any it is said where was searched", async (t) => {
  const { stage } = await stageWithClaude(t)
  const json = async (...more: readonly string[]) => {
    const run = await stage.gong(["import", "--from", "claude", "--sessions", "--json", ...more])
    return JSON.parse(run.out) as {
      readonly taken: readonly { readonly id: string }[]
      readonly there: readonly object[]
    }
  }
  assert.deepEqual(
    (await json("--project")).taken.map(({ id }) => id),
    [ids[0]],
  )
  const all = await json()
  assert.deepEqual([all.taken.map(({ id }) => id), all.there.length], [[ids[1]], 1])
  for (const [agent, text] of [
    ["codex", /no conversations were found in .*\.codex\/sessions/],
    ["opencode", /no conversations were found in .*opencode/],
    ["gemini", /no conversations were found in .*\.gemini\/tmp/],
    ["pi", /gong sessions import FILE/],
  ] as const) {
    const run = await stage.gong(["import", "--from", agent, "--sessions"])
    assert.equal(run.status, 2)
    assert.match(run.err, text)
  }
  const gemini = await stage.gong(["import", "--from", "gemini"])
  assert.match(gemini.err, /no configuration of Gemini CLI was found in .*\.gemini\/settings\.json/)
})

function widthOf(text: string): number {
  return [...text].reduce((sum, char) => sum + (/[\u{1100}-\u{ffdc}]/u.test(char) ? 2 : 1), 0)
}

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Transcript } from "../../src/fold/transcript.ts"
import { fromPi, toMarkdown } from "../../src/exchange/index.ts"
import { testIds } from "../world.ts"

const info = { id: "s1", cwd: "/w", created: "2025-01-01T00:00:00.000Z" } as Parameters<typeof toMarkdown>[0]
const head = "`/w`, begun 2025-01-01T00:00:00.000Z"

/** The lines below the head. */
function shown(...rows: readonly object[]): string {
  const text = toMarkdown(info, "my <work>\n`here`", { rows } as unknown as Transcript)
  const begin = `# my \\<work> \\\`here\\\`\n\n${head}\n\n`
  assert.ok(text.startsWith(begin) && text.endsWith("\n"), text)
  return text.slice(begin.length, -1)
}

const text = (printed: string) => ({ type: "text", text: printed })
const call = { name: "bash", arguments: { command: "ls" } }
const tool = (more: object) => ({ kind: "tool", call, start: null, result: null, ...more })
const done = (printed: string) => ({ result: { status: "ok", content: [text(printed)] } })

test("each kind of row has its heading, and empty ones are omitted", () => {
  const model = { provider: "acme", id: "m1" }
  const image = { type: "image", mimeType: "image/png", data: "" }
  for (const [row, expected] of [
    [{ kind: "user", content: [text("go"), image] }, "## You\n\ngo\n*[image, image/png]*"],
    [{ kind: "assistant", message: { model, content: [text("yes")] } }, "## acme/m1\n\nyes"],
    [{ kind: "run_end", end: { status: "failed", failure: { message: "cut\noff" } } }, "*failed: cut off*"],
    [{ kind: "run_end", end: { status: "interrupted" } }, "*interrupted*"],
    [
      { kind: "compaction", tokensBefore: 7, summary: "so far" },
      "## Compacted: 7 tokens became this summary\n\nso far",
    ],
    [{ kind: "branch", summary: "" }, "*Another branch was left here.*"],
    [{ kind: "branch", summary: "left" }, "## Another branch was left\n\nleft"],
    [{ kind: "custom", customType: "note", content: [text("x")] }, "## note\n\nx"],
    [{ kind: "model", provider: " acme", modelId: "m2\n" }, "*Model: acme/m2*"],
  ] as const)
    assert.equal(shown({ kind: "model", provider: "a", modelId: "b" }, row), `*Model: a/b*\n\n${expected}`)
  const silent = [
    { kind: "assistant", message: { model, content: [] } },
    { kind: "run_end", end: { status: "done" } },
  ]
  assert.equal(shown(...silent, tool({})), '### bash: `{"command":"ls"}` (not finished)')
  assert.ok(toMarkdown(info, null, { rows: [] } as unknown as Transcript).startsWith("# Session s1\n"))
})

test("a call shows its title, its status unless ok, and its output in a fence that the output cannot close", () => {
  const titled = { start: { title: " ls `x`\n y\n" } }
  assert.equal(shown(tool({ ...titled, ...done("") })), "### bash: `` ls `x` y ``")
  const failed = { result: { status: "error", content: [text("no")] } }
  assert.equal(shown(tool({ ...failed, start: { title: "ls" } })), "### bash: `ls` (error)\n\n```\nno\n```")
  for (const [printed, fence] of [
    ["a", "```"],
    ["`a``", "```"],
    ["```a", "````"],
    ["a````", "`````"],
  ] as const)
    assert.equal(
      shown(tool({ start: { title: "x" }, ...done(printed) })),
      `### bash: \`x\`\n\n${fence}\n${printed}\n${fence}`,
    )
})

test("a compaction of Pi keeps its stated size, if that is a number", () => {
  const begin = { type: "session", version: 3, id: "in", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/w" }
  for (const [tokensBefore, expected] of [
    [7, 7],
    ["7", 0],
    [undefined, 0],
  ] as const) {
    const line = { type: "compaction", id: "a", summary: "s", firstKeptEntryId: "k", tokensBefore }
    const { entries } = fromPi(`${JSON.stringify(begin)}\n${JSON.stringify(line)}\n`, testIds("z"), 0)
    const last = entries.at(-1)
    assert.equal(last?.type === "compaction" && last.tokensBefore, expected)
  }
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { failure } from "@gong/spec"
import type { Session } from "@gong/session/session"
import { textOf } from "@gong/screen/row"
import { manualClock } from "@gong/testing/sim/clock"
import { builtInDeclarations } from "@gong/tools"
import { english } from "@gong/texts/translator"
import type { Passage } from "../../../../src/modes/tui/reader/reader.ts"
import { transcriptPassages } from "../../../../src/modes/tui/reader/transcript.ts"

/** The groups of passages of these rows. */
async function groupsOf(rows: readonly object[]): Promise<readonly (readonly Passage[])[]> {
  const session = {
    declared: builtInDeclarations,
    history: { follow: () => ({ value: { rows } }) },
  } as unknown as Session
  const clock = { ...manualClock(0), sleep: async () => undefined }
  const groups: (readonly Passage[])[] = []
  for await (const group of transcriptPassages(session, { t: english, clock, columns: () => 40 })) groups.push(group)
  return groups
}

async function passageOf(row: object): Promise<Passage> {
  const [[passage] = []] = await groupsOf([row])
  assert.ok(passage)
  return passage
}

/** Each line with its indentation; a role behind a bar. */
const linesOf = ({ blocks }: Passage): readonly string[] =>
  blocks.map(({ line, indent = [] }) => {
    const roles = new Set(line.map(({ role }) => role ?? ""))
    return `${textOf(indent)}${textOf(line)}${[...roles].join() === "" ? "" : `|${[...roles].join()}`}`
  })

const text = (written: string) => [{ type: "text", text: written }]

test("what the user wrote is quoted, a reply is rendered, and both have their source", async () => {
  const user = await passageOf({ kind: "user", content: text("**one**\n\ntwo") })
  assert.deepEqual(
    [linesOf(user), user.isMessage, user.source],
    [["> **one**", "> ", "> two", ""], true, "**one**\n\ntwo"],
  )
  const content = [
    { type: "thinking", text: "hm\nwell" },
    { type: "thinking", text: "" },
    ...text("**bold** text"),
    { type: "toolCall", id: "c", name: "bash", arguments: {} },
  ]
  const reply = await passageOf({ kind: "assistant", message: { role: "assistant", content } })
  assert.deepEqual(
    [linesOf(reply), reply.isMessage, reply.source],
    [["hm|muted", "well|muted", "", "bold text|strong,", ""], true, "**bold** text"],
  )
  const empty = await passageOf({ kind: "assistant", message: { role: "assistant", content: [] } })
  assert.deepEqual([empty.blocks, empty.isMessage], [[], true])
})

test("code of a reply has the colours of its language", async () => {
  const reply = await passageOf({
    kind: "assistant",
    message: { role: "assistant", content: text("```js\nconst a\n```\n") },
  })
  assert.equal(reply.blocks[0]?.line[0]?.role, "keyword")
})

test("ends of runs, compactions, branches, models and messages of extensions", async () => {
  const shown = async (row: object) => linesOf(await passageOf(row))
  const end = (status: string, more: object = {}) => ({ kind: "run_end", end: { status, ...more } })
  assert.deepEqual(await shown(end("done")), [])
  assert.deepEqual(await shown(end("interrupted")), ["[interrupted]|muted", ""])
  assert.deepEqual(await shown(end("failed", { failure: failure("auth", "no key") })), ["[failed: no key]|muted", ""])
  assert.deepEqual(await shown({ kind: "compaction", summary: "*sum*", tokensBefore: 7 }), [
    "[compacted: 7 tokens became this summary]|muted",
    "sum|emphasis",
    "",
  ])
  assert.deepEqual(await shown({ kind: "branch", summary: "" }), [])
  assert.deepEqual(await shown({ kind: "branch", summary: "other" }), [
    "[summary of another branch]|muted",
    "other",
    "",
  ])
  assert.deepEqual(await shown({ kind: "custom", customType: "mine", content: text("a\nb") }), ["[mine] a", "b", ""])
  const model = await passageOf({ kind: "model", provider: "p", modelId: "m" })
  assert.deepEqual([linesOf(model), model.isMessage, "source" in model], [["[model: p/m]|muted", ""], false, false])
})

const call = { id: "c", name: "bash", arguments: { command: "ls" } }
const start = { title: "ls", arguments: { command: "ls" } }
const result = (status: string, more: object = {}) => ({
  role: "tool",
  status,
  content: text("a\nb"),
  details: null,
  ...more,
})

test("a call has its title, time and status, and all of its output below it", async () => {
  const shown = async (row: object) => linesOf(await passageOf({ kind: "tool", call, start, result: null, ...row }))
  assert.deepEqual(await shown({}), ["bash ls  not finished|strong,,muted", ""])
  assert.deepEqual(await shown({ start: null }), ['bash {"command":"ls"}  not finished|strong,,muted', ""])
  const [head, ...output] = await shown({ result: result("ok", { durationMs: 1_500 }) })
  assert.equal(head, "bash ls  1.5 s  ok|strong,,muted")
  assert.deepEqual(
    output.map((line) => line.split("|")[0]),
    ["  a", "  b", ""],
  )
  const failed = await passageOf({ kind: "tool", call, start, result: result("error") })
  assert.equal(linesOf(failed)[0], "bash ls  error|strong,,error")
  assert.deepEqual(
    failed.blocks.map(({ whole }) => whole),
    [false, true, true, false],
  )
  assert.equal(failed.isMessage, false)
})

test("rows come in groups of a hundred, the last group first, each in its order", async () => {
  const rows = Array.from({ length: 250 }, (_, at) => ({ kind: "model", provider: "p", modelId: `${at}` }))
  const groups = await groupsOf(rows)
  const names = groups.map((group) => group.map(({ blocks }) => textOf(blocks[0]?.line ?? [])))
  assert.deepEqual(
    names.map((group) => [group.length, group[0], group.at(-1)]),
    [
      [100, "[model: p/150]", "[model: p/249]"],
      [100, "[model: p/50]", "[model: p/149]"],
      [50, "[model: p/0]", "[model: p/49]"],
    ],
  )
  assert.deepEqual(await groupsOf([]), [])
})

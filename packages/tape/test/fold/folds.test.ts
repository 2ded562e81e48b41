import assert from "node:assert/strict"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import {
  type AppendEntry,
  context,
  cost,
  filesChanged,
  filesSeen,
  type Fold,
  messageIds,
  pending,
  runs,
  type Tape,
  todos,
  transcript,
  unfinished,
} from "../../src/index.ts"
import { input, model, newTape, reply, result, start, testPorts, usage, user } from "../world.ts"

function tapeOf(...bodies: readonly AppendEntry[]): Tape {
  const tape = newTape(testPorts())
  if (bodies.length > 0) tape.append(bodies, { sync: true })
  return tape
}

function valueOf<S>(fold: Fold<S>, ...bodies: readonly AppendEntry[]): S {
  return tapeOf(...bodies).follow(fold).value
}

test("[SESSION-18] the context of a branch: its messages, its model and its thinking level", () => {
  const tape = tapeOf(
    { type: "model_change", provider: "acme", modelId: "m1" },
    user("a"),
    { type: "model_change", provider: "acme", modelId: "m2" },
    { type: "thinking_level_change", thinkingLevel: "high" },
    reply("b"),
    { type: "custom", customType: "x", data: 1 },
    { type: "custom_message", customType: "x", content: [{ type: "text", text: "from an extension" }], display: false },
  )
  const { value } = tape.follow(context)
  assert.deepEqual(
    value.messages.map((message) => [message.role, textOf(message)]),
    [
      ["user", "a"],
      ["assistant", "b"],
      ["user", "from an extension"],
    ],
  )
  assert.deepEqual([value.model, value.thinking], [{ provider: "acme", id: "m2" }, "high"])
  assert.deepEqual(
    messageIds(value).map((id) => tape.entry(id)?.type),
    ["message", "message", "custom_message"],
  )
})

test("[SESSION-18] model and thinking level are those of the branch one is on, and so are the messages", () => {
  const tape = tapeOf({ type: "model_change", provider: "acme", modelId: "m1" }, user("a"))
  const fork = tape.leaf ?? ""
  tape.append(
    [
      { type: "model_change", provider: "acme", modelId: "m2" },
      { type: "thinking_level_change", thinkingLevel: "high" },
      user("b"),
    ],
    { sync: true },
  )
  const other = tape.leaf ?? ""
  const here = () => {
    const { messages, model: asked, thinking } = tape.follow(context).value
    return [messages.map((message) => textOf(message)), asked?.id, thinking]
  }
  tape.navigate(fork, "")
  assert.deepEqual(here(), [["a"], "m1", null])
  tape.navigate(other, "")
  assert.deepEqual(here(), [["a", "b"], "m2", "high"])
})

test("[SESSION-18] after a compaction: the summary as the user's text, the kept part, what came after", () => {
  const tape = tapeOf(user("old"), reply("old"), input("kept"))
  const firstKept = tape.leaf ?? ""
  tape.append([user("kept"), reply("kept")], { sync: true })
  const { value } = tape.follow(context)
  const before = value.messages
  tape.handoff("compaction", {
    entries: [{ type: "compaction", summary: "we did things", firstKeptEntryId: firstKept, tokensBefore: 9 }],
  })
  tape.append([user("new")], { sync: true })
  const after = tape.follow(context).value
  assert.deepEqual(after.messages.map(textOf).slice(1), ["kept", "kept", "new"])
  assert.match(textOf(after.messages[0] ?? { content: [] }), /summary:\n\n<summary>\nwe did things\n<\/summary>$/)
  assert.equal(before.length, 4, "whoever holds the array from before keeps it as it was")
})

test("the model gets a branch summary with text, and no empty one", () => {
  const tape = tapeOf(user("a"))
  const target = tape.leaf ?? ""
  tape.append([reply("b")], { sync: true })
  tape.navigate(target, "tried b, did not work")
  assert.match(tape.follow(context).value.messages.map(textOf).join("\n"), /tried b, did not work/)
  tape.navigate(target, "")
  assert.deepEqual(tape.follow(context).value.messages.map(textOf), ["a"])
})

test("pending: inputs wait until a message or a drop names them, in their order", () => {
  const tape = tapeOf(input("one"), input("two"), input("three"))
  const [one = "", two = ""] = [...tape.follow(pending).value.keys()]
  tape.append([user("two", two), { type: "input_drop", inputId: one, reason: "removed" }], { sync: true })
  assert.deepEqual(
    [...tape.follow(pending).value.values()].map((entry) => entry.text),
    ["three"],
  )
})

test("[PROVIDER-CAT.2] cost: by model and in total, calls without a message count for the model in use, unknown stays unknown", () => {
  const call: AppendEntry = { type: "model_call", purpose: "summary", usage, cost: 0.25 }
  const change: AppendEntry = { type: "model_change", provider: "acme", modelId: "m2" }
  const known = valueOf(cost, reply("a"), call, change, call)
  assert.deepEqual(
    [...known.models].map(([name, spent]) => [name, spent.cost, spent.calls]),
    [
      [`${model.provider}/${model.id}`, 0.75, 2],
      ["acme/m2", 0.25, 1],
    ],
  )
  assert.deepEqual([known.total.cost, known.total.calls, known.total.usage.output], [1, 3, 15])
  assert.equal(valueOf(cost, reply("a"), reply("b", [], null)).total.cost, null)
  assert.equal(valueOf(cost).total.cost, 0)
})

test("cost: amounts in yuan are summed beside dollars, and absent if there are none", () => {
  const yuan: AppendEntry = { type: "model_call", purpose: "turn", usage, cost: 1, costCny: 6.7 }
  const spent = valueOf(cost, reply("a"), yuan, { type: "model_change", provider: "acme", modelId: "m2" }, yuan)
  assert.deepEqual([spent.total.cost, spent.total.costCny], [2.5, 13.4])
  assert.equal(spent.models.get("acme/m2")?.costCny, 6.7)
  assert.ok(!("costCny" in valueOf(cost, reply("a")).total))
})

test("[SESSION-21] read files are folded from the results; a part read again keeps the hash of an unchanged file", () => {
  const file = { path: "/a", size: 3, mtimeMs: 1 }
  const seen = valueOf(
    filesSeen,
    result("c1", { seen: { ...file, sha256: "h1" } }),
    result("c2", { seen: file }),
    result("c3", { seen: [{ path: "/b", size: 1, mtimeMs: 1 }, { path: 5 }, null] }),
    result("c4", null),
  )
  assert.deepEqual(
    [...seen.files.values()],
    [
      { ...file, sha256: "h1" },
      { path: "/b", size: 1, mtimeMs: 1 },
    ],
  )
  const changed = valueOf(
    filesSeen,
    result("c1", { seen: { ...file, sha256: "h1" } }),
    result("c2", { seen: { ...file, mtimeMs: 2 } }),
  )
  assert.equal(changed.files.get("/a")?.sha256, undefined)
})

test("[SESSION-21] files that came with an input are seen; commands say when they ran, and the last thousand count", () => {
  const file = { path: "/a", size: 3, mtimeMs: 1 }
  const ran = (at: number) => result(`c${at}`, { started_at: at, duration_ms: 5 })
  const one = valueOf(filesSeen, { ...input("look"), seen: [file] }, ran(7), result("c8", { started_at: "x" }))
  assert.deepEqual([[...one.files.values()], one.commands], [[file], [{ from: 7, to: 12 }]])
  const many = valueOf(filesSeen, ...Array.from({ length: 1200 }, (_, at) => ran(at)))
  assert.deepEqual([many.commands.length, many.commands[0]], [1000, { from: 200, to: 205 }])
})

const merges = [
  [["created", "modified"], "created"],
  [["created", "deleted"], null],
  [["modified", "deleted"], "deleted"],
  [["deleted", "created"], "modified"],
  [["modified", "modified"], "modified"],
] as const

for (const [changes, merged] of merges) {
  test(`a file ${changes.join(" and then ")} is ${merged ?? "not changed"}`, () => {
    const value = valueOf(
      filesChanged,
      ...changes.map((change, n) => result(`c${n}`, null, [{ path: "/a", change, added: 2, removed: 1 }])),
    )
    const expected = merged === null ? undefined : { path: "/a", change: merged, added: 4, removed: 2 }
    assert.deepEqual(value.get("/a"), expected)
  })
}

test("unfinished: calls of the last reply without a result, with and without a start", () => {
  const value = valueOf(unfinished, reply("a", ["c1", "c2", "c3"]), start("c1"), result("c1"), start("c2"))
  assert.deepEqual(
    [...value.values()].map(({ call, start }) => [call.id, start !== null]),
    [
      ["c2", true],
      ["c3", false],
    ],
  )
  assert.equal(valueOf(unfinished, reply("a", ["c1"]), result("c1"), reply("b")).size, 0)
})

test("unfinished: a call id used again in a later turn is its own call", () => {
  const value = valueOf(unfinished, reply("a", ["c1"]), start("c1"), result("c1"), reply("b", ["c1"]))
  assert.equal(value.get("c1")?.start, null)
})

test("runs: one from the user's message to its end; a steer belongs to it", () => {
  const end: AppendEntry = { type: "run_end", status: "failed", turns: 1 }
  const value = valueOf(runs, user("a"), reply("b"), user("steer"), end, user("next"))
  assert.deepEqual([value.count, value.last?.status, value.open], [2, "failed", true])
})

test("transcript: a row for each thing, call and result together at the call's place", () => {
  const tape = tapeOf({ type: "model_change", provider: "acme", modelId: "m1" }, { ...input("go"), kind: "steer" })
  const followed = tape.follow(transcript)
  tape.append([user("go", tape.leaf ?? ""), reply("look", ["c1", "c2"]), start("c1")], { sync: true })
  const running = followed.value.rows[3]
  assert.ok(running?.kind === "tool" && running.start !== null && running.result === null)
  tape.append([result("c2"), result("c1"), { type: "run_end", status: "done", turns: 1 }], { sync: true })
  const { rows } = followed.value
  assert.deepEqual(
    rows.map((row) => row.kind),
    ["model", "user", "assistant", "tool", "tool", "run_end"],
  )
  assert.ok(rows[1]?.kind === "user" && rows[1].input === "steer")
  const done = rows[3]
  assert.ok(done?.kind === "tool" && done.call.id === "c1" && done.result?.toolCallId === "c1")
  assert.notEqual(done, running, "a changed row is a new object")
})

test("transcript: a result without its call has a row of its own; hidden extension messages have none", () => {
  const hidden: AppendEntry = { type: "custom_message", customType: "x", content: [], display: false }
  const { rows } = valueOf(transcript, result("lost"), hidden, { ...hidden, display: true })
  assert.deepEqual(
    rows.map((row) => row.kind),
    ["tool", "custom"],
  )
})

test("the todo list is the last accepted one on this branch", () => {
  const list = (content: string, status: "ok" | "error" = "ok"): AppendEntry => ({
    type: "message",
    message: {
      role: "tool",
      toolCallId: content,
      toolName: "todo",
      content: [],
      details: status === "ok" ? { todos: [{ content, status: "pending" }] } : null,
      isError: status === "error",
      status,
    },
  })
  const tape = tapeOf(user("a"), list("first"), list("second", "error"))
  const followed = tape.follow(todos)
  assert.deepEqual(followed.value, [{ content: "first", status: "pending" }])
  const [second] = tape.append([list("third")], { sync: true })
  assert.deepEqual(followed.value, [{ content: "third", status: "pending" }])
  tape.navigate(second?.parentId ?? "", "")
  assert.deepEqual(followed.value, [{ content: "first", status: "pending" }])
})

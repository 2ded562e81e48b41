import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Entry, FailureError, type NewEntry } from "@gong/spec"
import { migratePi } from "../../src/exchange/migrate-pi.ts"
import type { PiRecord } from "../../src/exchange/pi.ts"
import { fromPi, type ImportResult, toMarkdown, toPi } from "../../src/exchange/index.ts"
import { context, createTape, sessionName, type Tape, transcript } from "../../src/index.ts"
import { importTape, memoryDisk, openStore } from "../../src/store/file.ts"
import { input, newTape, reply, result, start, testIds, testPorts, user } from "../world.ts"

const exported = (tape: Tape): string =>
  `${[
    ...toPi(
      tape.store.info,
      Array.from({ length: tape.all.length }, (_, at) => tape.all.entry(at)),
    ),
  ].join("\n")}\n`

const read = (text: string): ImportResult => fromPi(text, testIds("z"), 0)

/** The file as a tape of its own, opened again from the disk. */
function imported(text: string): Tape {
  const ports = testPorts(memoryDisk(), "y")
  const path = importTape(ports, read(text), { sessions: "/sessions", id: "in" })
  return createTape(openStore(ports, { path }), ports)
}

const entriesOf = (tape: Tape): readonly Entry[] =>
  Array.from({ length: tape.all.length }, (_, at) => tape.all.entry(at))

const recordsIn = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test("[SESSION-1] the head of an exported session is that of Pi, version 3", () => {
  const tape = newTape(testPorts())
  const [head] = recordsIn(exported(tape))
  const { gong: _, ...known } = head ?? {}
  assert.deepEqual(known, { type: "session", version: 3, id: "s1", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/w" })
})

test("a session of another host is of that host when it is read again, and one of this machine names none", () => {
  const tape = newTape(testPorts())
  const heads = [tape.store.info, { ...tape.store.info, host: "box" }].map((info) => [...toPi(info, [])].join(""))
  assert.deepEqual(
    heads.map((text) => [text.includes("host"), read(text).host]),
    [
      [false, undefined],
      [true, "box"],
    ],
  )
  const ports = testPorts(memoryDisk(), "y")
  const path = importTape(ports, read(heads[1] ?? ""), { sessions: "/sessions", id: "in" })
  assert.equal(openStore(ports, { path, readOnly: true }).info.host, "box")
})

test("[SESSION-2] [SESSION-22] head, messages, compaction and model change are links of one chain of parents", () => {
  const tape = newTape(testPorts())
  const [kept] = tape.append([user("a"), reply("b", ["c1"]), result("c1")], { sync: true })
  tape.append([{ type: "model_change", provider: "acme", modelId: "m2" }], { sync: true })
  tape.handoff("compaction", {
    entries: [{ type: "compaction", summary: "s", firstKeptEntryId: kept?.id ?? "", tokensBefore: 5 }],
  })
  const records = recordsIn(exported(tape))
  for (const [at, record] of records.entries()) if (at > 0) assert.equal(record["parentId"], records[at - 1]?.["id"])
  const types = records.map(({ type, customType }) => customType ?? type)
  assert.deepEqual(types, [
    "session",
    "gong.anchor",
    "message",
    "message",
    "message",
    "model_change",
    "gong.anchor",
    "compaction",
  ])
  const roles = records.map(({ message }) => (message as { role?: string } | undefined)?.role).filter(Boolean)
  assert.deepEqual(roles, ["user", "assistant", "toolResult"])
})

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const text = fc.string({ unit: "binary", maxLength: 20 }).map((value) => value.toWellFormed())
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined })
const given = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

const block = fc.oneof(
  text.map((printed) => ({ type: "text", text: printed })),
  fc
    .record({ text, signature: maybe(text), redacted: maybe(fc.constant(true)) })
    .map((one) => given({ type: "thinking", ...one })),
  fc
    .record({
      id: text,
      name: text,
      arguments: fc.dictionary(fc.constantFrom("path", "n"), json, { noNullPrototype: true }),
      broken: maybe(text),
      signature: maybe(text),
    })
    .map((one) => given({ type: "tool_call", ...one })),
)
const image = fc
  .uint8Array({ maxLength: 9 })
  .map((bytes) => ({ type: "image", mimeType: "image/png", data: Buffer.from(bytes).toString("base64") }))
const failure = fc.constant({ kind: "network", message: "gone", retryable: true })

const body: fc.Arbitrary<NewEntry> = fc.oneof(
  fc
    .record({
      content: fc.array(
        fc.oneof(
          image,
          block.filter(({ type }) => type === "text"),
        ),
      ),
      inputId: maybe(fc.constant("a00000000000")),
    })
    .map(({ content, inputId }) => given({ type: "message", message: { role: "user", content }, inputId })),
  fc
    .record({
      content: fc.array(block),
      stopReason: fc.constantFrom("stop", "length", "tool_calls", "error", "aborted"),
      cost: fc.constantFrom(null, 0, 0.25),
      failure: maybe(failure),
      durationMs: maybe(fc.nat(9)),
      firstTokenMs: maybe(fc.nat(9)),
    })
    .map((one) => {
      const { message } = reply("x") as { message: object }
      return { type: "message", message: given({ ...message, ...one }) }
    }),
  fc
    .record({
      details: fc.constantFrom(null, { seen: [1] }),
      status: fc.constantFrom("ok", "refused"),
      isError: fc.boolean(),
      durationMs: maybe(fc.nat(9)),
    })
    .map((one) => ({ type: "message", message: given({ ...(result("c1") as { message: object }).message, ...one }) })),
  text.map((summary) => ({ type: "branch_summary", fromId: "a00000000000", summary })),
  text.map((label) => ({ type: "label", targetId: "a00000000000", label: label === "" ? null : label })),
  text.map((name) => ({ type: "session_info", name })),
  fc
    .tuple(fc.constantFrom("x", "gong.undo", "gong.x", "pi."), json)
    .map(([customType, data]) => ({ type: "custom", customType, data })),
  fc
    .record({ content: fc.array(image), display: fc.boolean(), details: maybe(json) })
    .map((one) => given({ type: "custom_message", customType: "x", ...one })),
  fc.constantFrom(
    input("go"),
    start("c1"),
    { type: "thinking_level_change", thinkingLevel: "high" },
    { type: "model_change", provider: "acme", modelId: "m2" },
    { type: "run_end", status: "failed", turns: 2, failure: { kind: "network", message: "x", retryable: true } },
    { type: "input_drop", inputId: "a00000000000", reason: "no" },
    { type: "prompt", artifact: "sha256-00" },
    { type: "change", callId: "c1", path: "/a", before: null, after: "00" },
    { type: "from_the_future", deep: { crc: [1, { id: "x" }] } },
  ),
) as fc.Arbitrary<NewEntry>

test("only types with the prefix pi. came from Pi: types of extensions are written unchanged", () => {
  const tape = newTape(testPorts())
  const types = ["my.pi.memo", "api.x", "pix", "my.gong.memo", "pi.memo"]
  for (const customType of types) tape.append([{ type: "custom", customType, data: { note: 1 } }], { sync: false })
  const records = recordsIn(exported(tape)).slice(-types.length)
  assert.deepEqual(
    records.map(({ type, customType }) => customType ?? type),
    [...types.slice(0, -1), "memo"],
  )
})

test("any session is restored from its export with every entry, id, parent, branch and phase", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(body, fc.nat(9)), { maxLength: 20 }), (acts) => {
      const tape = newTape(testPorts())
      for (const [one, kind] of acts) {
        if (kind === 0) tape.handoff("next", { summary: "so far" })
        else if (kind === 1) tape.navigate(tape.all.head(tape.all.length >> 1).id, "")
        tape.append([one as Exclude<NewEntry, { type: "anchor" }>], { sync: false })
      }
      const text = exported(tape)
      const again = imported(text)
      assert.deepEqual(read(text).problems, [])
      assert.deepEqual(
        entriesOf(again),
        entriesOf(tape).map((entry) => (entry.type === "change" ? { ...entry, imported: true } : entry)),
      )
      assert.deepEqual(again.phases(), tape.phases())
      assert.deepEqual(again.store.damage, [])
      assert.equal(
        exported(again).replace('"id":"in"', '"id":"s1"').replaceAll('"parentId":"in"', '"parentId":"s1"'),
        text,
      )
    }),
    { seed: 20250101, numRuns: 200 },
  )
})

const v1 = [
  { type: "session", id: "old", timestamp: "2024-05-01T10:00:00.000Z", cwd: "/p", provider: "anthropic", modelId: "m" },
  { type: "message", timestamp: "2024-05-01T10:00:01.000Z", message: { role: "user", content: "hello", timestamp: 1 } },
  { type: "message", timestamp: "2024-05-01T10:00:02.000Z", message: piReply("hi") },
  {
    type: "message",
    timestamp: "2024-05-01T10:00:03.000Z",
    message: { role: "user", content: [{ type: "text", text: "more" }] },
  },
  {
    type: "compaction",
    timestamp: "2024-05-01T10:00:04.000Z",
    summary: "output hello",
    firstKeptEntryIndex: 3,
    tokensBefore: 7,
  },
]

function piReply(printed: string, more: object = {}): object {
  const usage = { input: 3, output: 2, cacheRead: 1, cacheWrite: 0, totalTokens: 6, cost: { total: 0.5 } }
  const content = [
    { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
    { type: "text", text: printed },
  ]
  return {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "m",
    usage,
    stopReason: "stop",
    ...more,
  }
}

const file = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("")

test("[SESSION-14] a file of Pi's first version becomes a chain, and its compaction names the entry that it counted", () => {
  const tape = imported(file(v1))
  const { messages } = tape.follow(context).value
  assert.equal(tape.branch.length, 5)
  assert.deepEqual(
    messages.map((message) => message.role),
    ["user", "user"],
  )
  assert.match(JSON.stringify(messages[0]), /output hello/)
  assert.deepEqual(messages[1]?.content, [{ type: "text", text: "more" }])
  const answer = tape.entriesOfBranch()[2]
  assert.ok(answer?.type === "message" && answer.message.role === "assistant")
  assert.deepEqual(answer.message.content[0], { type: "thinking", text: "hm", signature: "sig" })
  assert.deepEqual([answer.message.cost, answer.message.usage.cacheRead, answer.message.model.id], [0.5, 1, "m"])
  assert.equal(answer.timestamp, "2024-05-01T10:00:02.000Z")
})

test("[SESSION-14] [SESSION-15] files of versions 1 and 2 become version 3, and version 3 does not change", () => {
  const hook = { type: "message", message: { role: "hookMessage", customType: "memo", content: "note" } }
  const custom = { ...hook, message: { ...hook.message, role: "custom" } }
  const records = [{ type: "session", id: "old" }, hook, { type: "compaction", summary: "s", firstKeptEntryIndex: 1 }]
  const third = [
    { type: "session", id: "old", version: 3 },
    { ...custom, id: "n1", parentId: null },
    { type: "compaction", summary: "s", firstKeptEntryId: "n1", id: "n2", parentId: "n1" },
  ]
  let made = 0
  const migrated = (from: readonly PiRecord[]) => migratePi(from, () => `n${++made}`)
  assert.deepEqual(migrated(records), third)
  const [head, ...rest] = third
  assert.deepEqual(migrated([{ ...head, version: 2 }, { ...hook, id: "n1", parentId: null }, ...rest.slice(1)]), third)
  assert.equal(migrated(third), third)
  assert.equal(made, 2, "only the first version had no ids")
})

test("[SESSION-15] a file of the second version: messages of hooks are those of extensions, branches stay branches", () => {
  const records = [
    { type: "session", version: 2, id: "two", timestamp: "2024-05-01T10:00:00.000Z", cwd: "/p" },
    { type: "message", id: "aaaa0001", parentId: null, timestamp: "x", message: { role: "user", content: "a" } },
    { type: "message", id: "aaaa0002", parentId: "aaaa0001", message: piReply("b", { stopReason: "toolUse" }) },
    {
      type: "message",
      id: "aaaa0003",
      parentId: "aaaa0001",
      message: { role: "hookMessage", customType: "memo", content: "note", display: true },
    },
    { type: "session_info", id: "aaaa0004", parentId: "aaaa0003", name: "mine" },
    { type: "label", id: "aaaa0005", parentId: "aaaa0004", targetId: "aaaa0002", label: "here" },
  ]
  const tape = imported(file(records))
  assert.deepEqual(
    tape.entriesOfBranch().map(({ type }) => type),
    ["anchor", "message", "custom_message", "session_info", "label"],
  )
  const label = tape.entriesOfBranch().at(-1)
  assert.ok(label?.type === "label" && tape.has(label.targetId), "it points at the entry by its new id")
  assert.equal(tape.follow(sessionName).value, "mine")
  assert.equal(tape.all.length, 6)
})

test("records that only Pi knows are kept, and written back unchanged", () => {
  const records = [
    { type: "session", version: 3, id: "three", timestamp: "2024-05-01T10:00:00.000Z", cwd: "/p" },
    { type: "usage", id: "abcdefghijk1", parentId: "three", timestamp: "2024-05-01T10:00:01.000Z", tokens: 7 },
    {
      type: "message",
      id: "abcdefghijk2",
      parentId: "abcdefghijk1",
      timestamp: "2024-05-01T10:00:02.000Z",
      message: { role: "bashExecution", command: "ls", output: "a\nb", exitCode: 2 },
    },
    {
      type: "message",
      id: "abcdefghijk3",
      parentId: "abcdefghijk2",
      timestamp: "2024-05-01T10:00:03.000Z",
      message: { role: "system", content: "be good" },
    },
  ]
  const tape = imported(file(records))
  const [, usage, bash, system] = recordsIn(exported(tape)).slice(1)
  assert.deepEqual([usage?.["type"], usage?.["tokens"], system], ["usage", 7, records[3]])
  assert.match(JSON.stringify(bash?.["content"]), /\$ ls.*a\\nb.*exited with code 2/)
})

/** The entry that one message of Pi becomes. */
function entryOf(message: object): Entry {
  const head = { type: "session", version: 3, id: "x", timestamp: "2024-05-01T10:00:00.000Z", cwd: "/p" }
  const line = { type: "message", id: "abcdefghijk1", parentId: null, timestamp: "2024-05-01T10:00:02.000Z", message }
  const [entry] = read(file([head, line])).entries
  assert.ok(entry)
  return entry
}

for (const { what, ended, status, printed } of [
  { what: "well", ended: { exitCode: 0, cancelled: false }, status: "ok", printed: "a\nb" },
  {
    what: "badly",
    ended: { exitCode: 2, cancelled: false },
    status: "error",
    printed: "a\nb\n\nCommand exited with code 2",
  },
  { what: "cancelled", ended: { cancelled: true }, status: "aborted", printed: "a\nb\n\nCommand aborted" },
  {
    what: "by a signal",
    ended: { cancelled: false },
    status: "error",
    printed: "a\nb\n\nCommand was ended by a signal",
  },
  { what: "without output", ended: { output: "", exitCode: 0 }, status: "ok", printed: "(no output)" },
  {
    what: "with more output than Pi kept",
    ended: { exitCode: 0, truncated: true, fullOutputPath: "/tmp/out.log" },
    status: "ok",
    printed: "a\nb\n[Output truncated. Full output: /tmp/out.log]",
  },
])
  test(`a command run by the user in Pi is one run by the user here, with its exit status: ended ${what}`, () => {
    const time = Date.parse("2024-05-01T10:00:01.000Z")
    const entry = entryOf({
      role: "bashExecution",
      command: "ls",
      output: "a\nb",
      truncated: false,
      timestamp: time,
      ...ended,
    })
    assert.ok(entry.type === "custom_message")
    const { customType, content, display, details } = entry
    assert.deepEqual([customType, display], ["user-command", true])
    assert.deepEqual(content, [{ type: "text", text: `The user ran a command:\n$ ls\n\n${printed}` }])
    const { exitCode = null, truncated = false, fullOutputPath } = ended as Record<string, unknown>
    assert.deepEqual(details, {
      status,
      command: "ls",
      exit_code: exitCode,
      started_at: time,
      truncated,
      ...(fullOutputPath === undefined ? {} : { fullOutputPath }),
    })
  })

test("a command that Pi kept from its model is kept from ours", () => {
  const record = { role: "bashExecution", command: "ls", output: "secret", exitCode: 0, excludeFromContext: true }
  const entry = entryOf(record)
  assert.deepEqual([entry.type, entry.type === "custom" && entry.customType], ["custom", "pi.message"])
})

test("an aborted reply of Pi is imported as aborted, a failed one as failed", () => {
  const failureIn = (more: object) => {
    const entry = entryOf(piReply("half", more))
    assert.ok(entry.type === "message" && entry.message.role === "assistant")
    return [entry.message.stopReason, entry.message.failure?.kind, entry.message.failure?.message]
  }
  assert.deepEqual(failureIn({ stopReason: "aborted", errorMessage: "Request was aborted" }), [
    "aborted",
    "aborted",
    "Request was aborted",
  ])
  assert.deepEqual(failureIn({ stopReason: "aborted" }), ["aborted", undefined, undefined])
  assert.deepEqual(failureIn({ stopReason: "error", errorMessage: "529 overloaded" }), [
    "error",
    "bad-reply",
    "529 overloaded",
  ])
})

test("a cost that Pi has only in parts is their sum", () => {
  const costOf = (cost: object) => {
    const entry = entryOf(piReply("a", { usage: { input: 3, output: 2, cost } }))
    return entry.type === "message" && entry.message.role === "assistant" && entry.message.cost
  }
  const parts = { input: 0.25, output: 0.5, cacheRead: 0.125, cacheWrite: 1 }
  assert.equal(costOf(parts), 1.875)
  assert.equal(costOf({ input: 0.25, output: "much" }), 0.25)
  assert.equal(costOf({ ...parts, total: 0 }), 1.875)
  assert.equal(costOf({ ...parts, total: 2 }), 2)
  assert.equal(costOf({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }), 0)
  assert.equal(costOf({}), null)
  assert.equal(costOf({ input: Number.NaN }), null)
})

const good = file(v1)

const garbage: readonly { name: string; text: string; entries: number; problem: RegExp }[] = [
  { name: "a line that is no JSON", text: `${good}{"half`, entries: 5, problem: /not JSON/ },
  { name: "a list, a number and null", text: `${good}[1]\n7\nnull\n`, entries: 5, problem: /not an object/ },
  { name: "an entry without a type", text: `${good}{"id":"b"}\n`, entries: 5, problem: /without a type/ },
  {
    name: "a message without content",
    text: `${good}{"type":"message"}\n`,
    entries: 5,
    problem: /message without content/,
  },
  {
    name: "a model change without a model",
    text: `${good}{"type":"model_change"}\n`,
    entries: 5,
    problem: /without a model/,
  },
  {
    name: "nesting without end",
    text: `${good}{"type":"custom","customType":"x","data":${"[".repeat(5000)}${"]".repeat(5000)}}\n`,
    entries: 5,
    problem: /nested more than 500 levels/,
  },
  { name: "NUL bytes", text: `${good}\0\0\0\n`, entries: 5, problem: /not JSON/ },
]

for (const { name, text: bad, entries, problem } of garbage) {
  test(`an import reports its omissions and keeps the rest: ${name}`, () => {
    const { problems } = read(bad)
    assert.match(problems.map(({ line, reason }) => `${line}: ${reason}`).join("\n"), problem)
    assert.equal(problems[0]?.line, 6)
    assert.equal(imported(bad).all.length, entries)
  })
}

test("doubled ids, missing parents and cycles become one tree", () => {
  const records = [
    { type: "session", version: 3, id: "x", cwd: "/p" },
    { type: "custom", customType: "x", id: "1", parentId: "2" },
    { type: "custom", customType: "x", id: "2", parentId: "1" },
    { type: "custom", customType: "x", id: "2", parentId: "1" },
    { type: "custom", customType: "x", id: "3", parentId: "3" },
    { type: "custom", customType: "x", parentId: "3" },
    { type: "custom", customType: "x", id: "4", parentId: null },
  ]
  assert.deepEqual(
    read(file(records)).problems.map(({ line }) => line),
    [2, 4, 5, 6],
  )
  const tape = imported(file(records))
  assert.deepEqual([tape.all.length, tape.store.damage], [5, []])
})

test("any text is a session with problems or one clear refusal, never anything else", () => {
  const line = fc.oneof(
    json.map((value) => JSON.stringify(value)),
    fc.string(),
    fc.constantFrom(...v1.map((record) => JSON.stringify(record))),
    fc
      .record({
        type: fc.constantFrom("message", "compaction", "custom", "label", "__proto__"),
        id: json,
        parentId: json,
        message: json,
        data: json,
        customType: json,
      })
      .map((one) => JSON.stringify(one)),
  )
  fc.assert(
    fc.property(fc.boolean(), fc.array(line, { maxLength: 8 }), (headed, lines) => {
      const text = [...(headed ? [JSON.stringify(v1[0])] : []), ...lines].join("\n")
      try {
        const { entries } = read(text)
        assert.equal(imported(text).all.length >= entries.length, true)
      } catch (error) {
        assert.ok(error instanceof FailureError && error.failure.kind === "bad-request", String(error))
      }
    }),
    { seed: 20250101, numRuns: 400 },
  )
})

test("a file that is no session is refused with one line", () => {
  for (const text of ["", "hello", "{}", '{"type":"session"}', '{"type":"message","id":"1"}']) {
    assert.throws(() => read(text), /This is no session of Pi/)
  }
})

test("Markdown contains messages and calls, and no content closes a block early", () => {
  const tape = newTape(testPorts())
  tape.append([input("fix it"), user("fix `it`"), reply("Looking.", ["c1"]), start("c1")], { sync: true })
  const output = {
    ...result("c1"),
    message: { ...result("c1").message, content: [{ type: "text" as const, text: "a\n```\nb" }] },
  }
  tape.append([output as ReturnType<typeof result>, reply("Done."), { type: "run_end", status: "failed", turns: 1 }], {
    sync: true,
  })
  const markdown = toMarkdown(tape.store.info, "my work", tape.follow(transcript).value)
  assert.equal(
    markdown,
    [
      "# my work",
      "`/w`, begun 2025-01-01T00:00:00.000Z",
      "## You",
      "fix `it`",
      "## acme/m1",
      "Looking.",
      "### read: `c1`",
      "````\na\n```\nb\n````",
      "## acme/m1",
      "Done.",
      "*failed*",
    ].join("\n\n") + "\n",
  )
})

test("[SESSION-2] an entry of Gong with missing fields is reported and omitted; unknown types are kept", () => {
  const wrapped = (type: string, data: object) =>
    JSON.stringify({ type: "custom", id: `x${type}`, customType: `gong.${type}`, data })
  const types = "message compaction label input tool_start run_end change prompt model_call prune anchor custom"
  const wrong = types.split(" ")
  const found = read(
    `${good}${wrong.map((type) => wrapped(type, { text: 7 })).join("\n")}\n${wrapped("future", { text: 7 })}\n`,
  )
  assert.deepEqual(
    found.problems.slice(0, wrong.length).map(({ reason }) => reason),
    wrong.map((type) => `gong.${type} without the fields of one`),
  )
  assert.deepEqual(found.entries.map(({ type }) => type).slice(-1), ["future"])
})

test("[SESSION-2] fields of a compaction in a file become no other entry, and no field that Gong does not write", () => {
  const gong = { type: "change", path: "/x", tokensAfter: "7", reason: "limit", carried: { read: 7 }, callIds: ["c"] }
  const line = JSON.stringify({ type: "compaction", id: "a", summary: "s", firstKeptEntryId: "k", gong })
  const [entry] = read(`${good}${line}\n`).entries.slice(-1)
  const { id: _, parentId: _p, timestamp: _t, ...body } = entry ?? {}
  const kept = { summary: "s", firstKeptEntryId: "k", tokensBefore: 0, reason: "limit", callIds: ["c"] }
  assert.deepEqual(body, { type: "compaction", ...kept })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { phrase, type ToolContext } from "@gong/spec"
import type { ExtensionHost } from "../src/host/host.ts"
import { type CallOptions, ExtensionError } from "../src/host/open-calls.ts"
import type { Call, RegisteredTool } from "../src/protocol.ts"
import { remoteTool } from "../src/remote/remote.ts"

const registered: RegisteredTool = {
  name: "t",
  label: "T",
  description: "d",
  parameters: { type: "object" },
  title: null,
  promptSnippet: "s",
  promptGuidelines: [],
  readOnly: false,
  interruptible: true,
}

type Answer = (call: Call, options: CallOptions) => unknown

function toolOf(answer: Answer, more: Partial<RegisteredTool> = {}) {
  const host: ExtensionHost = {
    begin: () => undefined,
    loaded: async () => new Map(),
    ended: false,
    assumed: new Map(),
    registrations: Promise.resolve(new Map()),
    call: async (call, options = {}) => answer(call, options),
    isOff: () => false,
    end: () => undefined,
  }
  return remoteTool({ id: 3, name: "ext", host }, { ...registered, ...more })
}

const context = (more: Partial<ToolContext> = {}): ToolContext => ({
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...more,
})
const result = (answer: Answer, more: Partial<ToolContext> = {}) =>
  toolOf(answer).execute("c1", { a: 1 } as never, context(more))

test("a call carries its arguments, its id, and whether a user is there", async () => {
  const calls: unknown[] = []
  const record: Answer = (call, { ask, progress }) => {
    calls.push([call, ask !== undefined])
    progress?.("delta")
    return "text"
  }
  const progress: unknown[] = []
  await result(record, { onProgress: (delta) => void progress.push(delta) })
  await result(record, { dialog: async () => ({ by: "user" }) })
  const call = { extension: 3, target: { kind: "tool", key: "t" }, args: [{ a: 1 }], callId: "c1" }
  assert.deepEqual(calls, [
    [{ ...call, interactive: false }, false],
    [{ ...call, interactive: true }, true],
  ])
  assert.deepEqual(progress, ["delta"])
})

test("an answer is a text, or content with details; anything else is a fault", async () => {
  const text = (value: string) => [{ type: "text", text: value }]
  const image = { type: "image", mimeType: "image/png", data: "AA==" }
  for (const [answer, expected] of [
    ["a", { content: text("a"), details: null, isError: false }],
    [
      { content: "a", isError: true },
      { content: text("a"), details: null, isError: true },
    ],
    [
      { content: [...text("a"), image], details: { b: 1 }, isError: "yes" },
      { content: [...text("a"), image], details: { b: 1 }, isError: false },
    ],
    [
      { content: [], details: [1] },
      { content: [], details: null, isError: false },
    ],
  ] as const)
    assert.deepEqual(await result(() => answer), expected)
  for (const answer of [
    null,
    1,
    {},
    { content: 1 },
    { content: [1] },
    { content: [{ type: "text" }] },
    { content: [{ type: "image", mimeType: "x" }] },
    { content: [{ type: "image", data: "x" }] },
    { content: [{ type: "other", text: "x" }] },
  ])
    await assert.rejects(
      result(() => answer),
      { message: "The extension ext gave no result: text, or {content: ...} with text and images." },
    )
})

test("what an extension throws is its result; after an abort, and any other error, it is thrown", async () => {
  const fails = () => {
    throw new ExtensionError(phrase`boom`, "the stack")
  }
  assert.deepEqual(await result(fails), {
    content: [{ type: "text", text: "boom" }],
    details: { extension: "ext", stack: "the stack" },
    isError: true,
  })
  await assert.rejects(result(fails, { signal: AbortSignal.abort() }), { name: "ExtensionError" })
  await assert.rejects(
    result(() => {
      throw new TypeError("a fault of ours")
    }),
    TypeError,
  )
})

test("the title is the argument that is named, otherwise the first text; one line of up to 120 characters", () => {
  const title = (args: object, shown: string | null = null) =>
    toolOf(() => "", { title: shown }).title(args as Readonly<Record<string, unknown>>)
  for (const [args, shown, expected] of [
    [{ n: 1, a: "x\ny", b: "z" }, null, "x"],
    [{ n: 1 }, null, ""],
    [{ a: "x", b: { c: 1 } }, "b", '{"c":1}'],
    [{ a: "x" }, "b", ""],
    [{ a: "x".repeat(121) }, null, "x".repeat(120)],
  ] as const)
    assert.equal(title(args, shown), expected)
})

test("the summary is a field of the details", () => {
  const { summary } = toolOf(() => "", { summary: "lines" })
  const of = (details: unknown) => summary?.({ details } as never)
  assert.deepEqual(of({ lines: 3 }), { text: "3", style: "plain" })
  assert.deepEqual(
    [{ lines: "a\nb" }, { lines: true }, {}, null].map((details) => of(details)?.text),
    ["a", "", "", ""],
  )
  assert.equal(toolOf(() => "").summary, undefined)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import {
  type AssistantContent,
  type PartialUpdate,
  foldPartial,
  type LiveReply,
  type Model,
  type Reply,
} from "@gong/spec"
import { openProvider } from "../../src/open-provider.ts"
import { collect, events, fakeTransport, manualClock, modelOf, requestWith } from "../helpers.ts"
import { args, notations } from "./notations.ts"

const tool = (name: string, properties: object, required: readonly string[]) => ({
  name,
  description: name,
  parameters: { type: "object", properties, required },
})
const tools = [
  tool("edit", { path: { type: "string" }, text: { type: "string" }, count: { type: "integer" } }, ["path", "text"]),
  tool("ls", { path: { type: "string" } }, []),
]

const local = modelOf({ provider: "custom", baseUrl: "http://127.0.0.1:8080/v1" })

interface Seen {
  readonly partials: readonly PartialUpdate[]
  readonly reply: Reply
}

async function read(deltas: readonly object[], finish = "stop", model: Model = local): Promise<Seen> {
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ]
  const transport = fakeTransport({ body: [events(...chunks)] })
  return collect(
    await openProvider(model, { transport, clock: manualClock(), credential: null }),
    requestWith({ tools }),
  )
}

function piecesOf(text: string, size: number): readonly object[] {
  const pieces: object[] = []
  for (let at = 0; at < text.length; at += size) pieces.push({ content: text.slice(at, at + size) })
  return pieces
}

function contentOf({ reply }: Seen): readonly AssistantContent[] {
  assert.ok(reply.ok, JSON.stringify(reply))
  return reply.message.content
}

/** What a reader of the stream has at its end. */
function shownIn({ partials }: Seen): LiveReply["content"] {
  const live = partials.reduce<LiveReply | null>(foldPartial, null)
  assert.ok(live)
  return live.content
}

const call = (id: number, name = "edit", given: object = args) => ({
  type: "tool_call",
  id: `call_d1_${id}`,
  name,
  arguments: given,
  written: true,
})

for (const [name, text] of Object.entries(notations))
  test(`a call written as text is a call, in pieces of every size: ${name}`, async () => {
    for (let size = 1; size <= text.length; size++) {
      const seen = await read(piecesOf(text, size))
      assert.deepEqual(contentOf(seen), [call(0)])
      assert.equal(seen.reply.ok && seen.reply.message.stopReason, "tool_calls")
      assert.deepEqual(shownIn(seen), [
        { type: "tool_call", id: "call_d1_0", name: "edit", argsText: JSON.stringify(args) },
      ])
    }
  })

for (const [name, text] of Object.entries(notations))
  test(`text and reasoning before a written call stay, and no part of the call is shown as text: ${name}`, async () => {
    for (const size of [1, 2, 3, 5, 8, 13, 1000]) {
      const said = "I will change `src/a.ts`:\n\n1. the name\n2. {the type}\n\n"
      const seen = await read([{ reasoning_content: "Hm." }, ...piecesOf(said + text, size)])
      const [thinking, before, ...calls] = contentOf(seen)
      assert.equal(thinking?.type, "thinking")
      assert.deepEqual(before, { type: "text", text: said.trimEnd() })
      assert.deepEqual(calls, [call(2)])
      const shown = shownIn(seen)[1]
      assert.equal(shown?.type === "text" && shown.text.trimEnd(), said.trimEnd())
    }
  })

const hermes = (name: string, given: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`

test("several written calls, with text between and after them", async () => {
  const text = `First.\n${hermes("ls", {})}${hermes("ls", { path: "a" })}\nThen this.\n${hermes("edit", args)}\nNow I wait.`
  for (const size of [1, 7, 1000]) {
    const seen = await read(piecesOf(text, size))
    assert.deepEqual(contentOf(seen), [
      { type: "text", text: "First." },
      call(1, "ls", {}),
      call(2, "ls", { path: "a" }),
      { type: "text", text: "\nThen this." },
      call(4),
      { type: "text", text: "\nNow I wait." },
    ])
  }
})

test("a parameter that is no text is parsed, one that is stays as it was written", async () => {
  const text =
    "<function=edit><parameter=path>12</parameter><parameter=text>true</parameter><parameter=count> 7 </parameter></function>"
  assert.deepEqual(contentOf(await read([{ content: text }])), [
    call(0, "edit", { path: "12", text: "true", count: 7 }),
  ])
})

const quoted = hermes("edit", args)
const bareCall = JSON.stringify({ name: "edit", arguments: args })
const noCalls: Readonly<Record<string, string>> = {
  "a quoted file in a fence": `The file has:\n\`\`\`text\n${quoted}\n\`\`\`\nShall I change it?`,
  "a quoted file in a fence at the end": `The file has:\n\`\`\`xml\n${quoted}\n\`\`\``,
  "a quoted file in an indented block": `The file has:\n\n${quoted.replaceAll(/^/gm, "    ")}\n`,
  "a quotation": `They wrote:\n${quoted.replaceAll(/^/gm, "> ")}\n`,
  "inline code": `The template writes \`[TOOL_CALLS][${bareCall}]\` for it.`,
  "a mark inside a sentence": `Mistral writes [TOOL_CALLS][${bareCall}] for it.`,
  "a bare object before the end": `${bareCall}\nThis would be the call.`,
  "a fence before the end": `\`\`\`json\n${bareCall}\n\`\`\`\nThis would be the call.`,
  "a bare object inside a sentence": `The call ${bareCall}`,
  "a fence of another language": `\`\`\`js\n${bareCall}\n\`\`\``,
  "an unknown tool": hermes("remove", { path: "a" }),
  "a missing argument": hermes("edit", { path: "a" }),
  "an unknown argument": hermes("ls", { path: "a", force: true }),
  "one of two calls does not count": `[TOOL_CALLS][${bareCall},{"name":"rm","arguments":{}}]`,
  "an incomplete object": `<tool_call>\n${bareCall.slice(0, -10)}`,
  "a package.json": '```json\n{"name": "edit", "version": "1.0.0"}\n```',
  "marks alone": "<tool_call></tool_call> [TOOL_CALLS] <|channel|>commentary <function=edit>",
}
for (const [name, text] of Object.entries(noCalls))
  test(`no call: ${name}`, async () => {
    for (const size of [1, 2, 3, 5, 8, 1000]) {
      const seen = await read(piecesOf(text, size))
      assert.deepEqual(contentOf(seen), [{ type: "text", text }])
      assert.deepEqual(shownIn(seen), [{ type: "text", text }])
      assert.equal(seen.reply.ok && seen.reply.message.stopReason, "stop")
    }
  })

test("a written call beside one of the wire format, in reasoning, or in a reply that was cut is no call", async () => {
  const native = { tool_calls: [{ index: 0, id: "c1", function: { name: "ls", arguments: "{}" } }] }
  const beside = contentOf(await read([{ content: quoted }, native], "tool_calls"))
  assert.deepEqual(
    beside.map(({ type }) => type),
    ["text", "tool_call"],
  )
  const thought = contentOf(await read([{ reasoning_content: quoted }, { content: "Done." }]))
  assert.deepEqual(
    thought.map(({ type }) => type),
    ["thinking", "text"],
  )
  assert.deepEqual(contentOf(await read([{ content: quoted }], "length")), [{ type: "text", text: quoted }])
})

test("only models that users host are read so, unless compat says otherwise", async () => {
  const typesFor = async (more: Partial<Model>) =>
    contentOf(await read([{ content: quoted }], "stop", modelOf(more))).map(({ type }) => type)
  const far = { baseUrl: "https://api.example.com/v1" }
  assert.deepEqual(await typesFor({ ...far, provider: "openai" }), ["text"])
  assert.deepEqual(await typesFor({ ...far, provider: "openai", compat: { calls: "text" } }), ["tool_call"])
  assert.deepEqual(await typesFor({ ...far, provider: "mine" }), ["tool_call"])
  assert.deepEqual(await typesFor({ provider: "openai", baseUrl: "http://192.168.1.9/v1" }), ["tool_call"])
  assert.deepEqual(await typesFor({ provider: "ollama", compat: { calls: "native" } }), ["text"])
})

test("hostile text is read in linear time, in pieces of any size", async () => {
  const size = 100_000
  for (const unit of [
    "{",
    "\n{",
    '\n[{"name":',
    "<tool_call>",
    "\n<tool_call>",
    "[TOOL_CALLS][",
    "\n<function=edit>",
    "`",
    "\n```\n{",
  ]) {
    const text = unit.repeat(size / unit.length)
    const seen = await read(piecesOf(text, 50))
    assert.deepEqual(contentOf(seen), [{ type: "text", text }])
  }
})

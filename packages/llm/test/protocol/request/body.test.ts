import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { deepFreeze, type Message, userText } from "@gong/spec"
import { format as anthropic } from "../../../src/anthropic-messages/request.ts"
import { format as completions } from "../../../src/openai-completions/request.ts"
import { type Body, createBodyCache, type RequestOptions } from "../../../src/protocol/request/body.ts"
import { modelOf, replyMessage } from "../../helpers.ts"

const options: RequestOptions = { model: modelOf(), system: "sys", tools: [], thinking: "off", withoutThinking: false }

function textOf(body: Body): string {
  return Buffer.concat(body.bytes).toString()
}

function user(text: string): Message {
  return deepFreeze(userText(text))
}

function turn(id: string): Message[] {
  const call = { type: "tool_call", id, name: "ls", arguments: { path: "ü".repeat(20) } } as const
  const content = [{ type: "text", text: `result of ${id}` } as const]
  return [
    replyMessage([call]),
    deepFreeze({ role: "tool", toolCallId: id, toolName: "ls", content, details: null, isError: false, status: "ok" }),
  ]
}

test("a conversation that lost its first user message gets one, and is not changed itself", () => {
  const cache = createBodyCache(anthropic)
  const rest = [...turn("call_1"), user("and now?")]
  const body = cache(rest, options)
  const { messages } = JSON.parse(textOf(body)) as { messages: readonly { readonly role: string }[] }
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "user"],
  )
  body.release()
  const whole = textOf(cache([user("begin"), ...rest], options))
  assert.doesNotMatch(whole, /missing/)
})

for (const [name, format] of Object.entries({ completions, anthropic })) {
  test(`${name}: any conversation, extended, truncated and changed anywhere, is serialized as if for the first time`, () => {
    const piece = fc.oneof(
      fc.nat(9).map((n) => turn(`call_${n}`)),
      fc.string({ maxLength: 8 }).map((text) => [user(`u${text}`)]),
      fc.constant([replyMessage([{ type: "text", text: "done" }])]),
    )
    const edit = fc.record({
      keep: fc.nat(12),
      more: fc.array(piece, { maxLength: 3 }),
      system: fc.constantFrom("sys", ""),
    })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), fc.boolean(), (edits, busy) => {
        const cache = createBodyCache(format)
        let messages: Message[] = []
        const open: { readonly body: Body; readonly text: string }[] = []
        for (const { keep, more, system } of edits) {
          messages = [...messages.slice(0, keep), ...more.flat()]
          const body = cache(messages, { ...options, system })
          const text = textOf(body)
          assert.equal(text, textOf(createBodyCache(format)(messages, { ...options, system })))
          JSON.parse(text)
          open.push({ body, text })
          if (!busy) body.release()
        }
        // A body that was not released keeps its bytes, whatever is written later.
        if (busy) for (const { body, text } of open) assert.equal(textOf(body), text)
      }),
      { seed: 11, numRuns: 200 },
    )
  })
}

test("each part of the request besides messages is serialized again if it alone changed", () => {
  const other = modelOf({ id: "other-model" })
  const tool = { name: "ls", description: "lists", parameters: { type: "object" } } as const
  const changes: readonly Partial<RequestOptions>[] = [
    { system: "other" },
    { tools: [tool] },
    { thinking: "high" },
    { sessionId: "s2" },
    { model: other },
    { withoutThinking: true },
  ]
  for (const format of [completions, anthropic]) {
    const messages = [user("go"), ...turn("c1")]
    for (const change of changes) {
      const cache = createBodyCache(format)
      cache(messages, options).release()
      const changed = { ...options, ...change }
      assert.equal(textOf(cache(messages, changed)), textOf(createBodyCache(format)(messages, changed)))
    }
  }
})

test("only new content is written: earlier bytes are the same memory", () => {
  const cache = createBodyCache(completions)
  const messages = [user("go"), ...turn("c1"), ...turn("c2"), ...turn("c3")]
  const first = cache(messages, options)
  first.release()
  const second = cache([...messages, ...turn("c4")], options)
  assert.equal(first.bytes[0]?.buffer, second.bytes[0]?.buffer)
})

test("a new turn writes itself, and with cache marks also the two turns whose mark changes", () => {
  const written = [completions, anthropic].map((format) => {
    let parts = 0
    const cache = createBodyCache({ ...format, part: (...args) => (parts++, format.part(...args)) })
    const messages = [user("go"), ...turn("c1"), ...turn("c2"), ...turn("c3")]
    cache(messages, options).release()
    parts = 0
    cache([...messages, ...turn("c4")], options).release()
    return parts
  })
  assert.deepEqual(written, [1, 3])
})

test("a replaced message costs the part after it, not the whole", () => {
  let written = 0
  const cache = createBodyCache({ ...completions, part: (...args) => (written++, completions.part(...args)) })
  const messages = [user("go"), ...Array.from({ length: 100 }, (_, i) => turn(`c${i}`)).flat()]
  cache(messages, options).release()
  written = 0
  const changed = messages.with(-2, replyMessage([{ type: "text", text: "other" }]))
  cache(changed, options).release()
  assert.equal(written, 1)
})

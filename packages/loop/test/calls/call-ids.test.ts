import assert from "node:assert/strict"
import { test } from "node:test"
import { type AssistantMessage, type Message, noUsage, toolCallsOf, userText } from "@gong/spec"
import { callIds } from "../../src/calls/call-ids.ts"

function reply(...ids: readonly string[]): AssistantMessage {
  return {
    role: "assistant",
    content: ids.map((id) => ({ type: "tool_call", id, name: "ls", arguments: {} })),
    model: { provider: "p", id: "m", api: "x" },
    stopReason: "tool_calls",
    usage: noUsage,
    cost: 0,
  }
}

const idsOf = (message: AssistantMessage) => toolCallsOf(message).map(({ id }) => id)

test("an id that was used in this run, in an earlier one or before compaction is replaced", () => {
  const conversation: Message[] = [userText("go"), reply("call_0")]
  const first = callIds(conversation, new Set(["call_9|sealed"]))
  const made = first.unique(reply("call_0", "call_1", "call_9"))
  assert.deepEqual(idsOf(made), ["call_0_2", "call_1", "call_9_2"])
  conversation.push(made, userText("and now"))
  const second = callIds(conversation, new Set(["call_9|sealed"]))
  assert.deepEqual(idsOf(second.unique(reply("call_0", "call_1", "call_9", "call_2"))), [
    "call_0_3",
    "call_1_2",
    "call_9_3",
    "call_2",
  ])
  const other = callIds([userText("another conversation")], new Set())
  assert.deepEqual(idsOf(other.unique(reply("call_0"))), ["call_0"])
})

test("a message with new ids is returned itself; otherwise only the ids change", () => {
  const words = { type: "text", text: "words" } as const
  const mixed = (message: AssistantMessage): AssistantMessage => ({ ...message, content: [words, ...message.content] })
  const ids = callIds([mixed(reply("call_0"))], new Set())
  const fresh = mixed(reply("call_1", "call_2"))
  assert.equal(ids.unique(fresh), fresh)
  const again = mixed(reply("call_0"))
  const [printed, call] = ids.unique(again).content
  assert.equal(printed, words)
  assert.deepEqual(call, { type: "tool_call", id: "call_0_2", name: "ls", arguments: {} })
})

test("the part before the bar must be unique, even if it is empty", () => {
  const ids = callIds([], new Set())
  assert.deepEqual(idsOf(ids.unique(reply("|fc_1", "|fc_2", "a|b|c", "a|d"))), ["|fc_1", "_2|fc_2", "a|b|c", "a_2|d"])
})

test("a run reads only the messages since the previous one", () => {
  let looks = 0
  const watched = reply("call_0")
  const conversation: Message[] = [
    Object.defineProperty({ ...watched }, "content", { get: () => ((looks += 1), watched.content) }),
  ]
  for (let run = 0; run < 5; run++) {
    const made = callIds(conversation, new Set()).unique(reply("call_0"))
    assert.deepEqual(idsOf(made), [`call_0_${run + 2}`])
    conversation.push(made)
  }
  assert.equal(looks, 1)
})

import { type Expected, type Host, type HostStream, scene } from "./facts.ts"

/** Differences of a stream from Anthropic's reference. */
interface Facts extends Host {
  readonly pings?: boolean
  /** Spaces after the JSON of an event. */
  readonly padded?: boolean
  /** Events without names. */
  readonly unnamed?: boolean
  readonly startTwice?: boolean
  /** Every block has the index 0. */
  readonly zero?: boolean
  /** The input of calls is in their start event. */
  readonly inputAtStart?: boolean
  /** Reasoning has no signature. */
  readonly unsigned?: boolean
  /** Only the last event has the prompt's tokens. */
  readonly countedAtEnd?: boolean
  readonly done?: boolean
}

const vercel = "github.com/vercel/ai packages/anthropic/src/__fixtures__"

const all: readonly Facts[] = [
  {
    host: "Anthropic",
    source: "github.com/crmne/ruby_llm spec/fixtures/vcr_cassettes, streaming",
    basis: "recorded",
    pings: true,
    padded: true,
  },
  {
    host: "Anthropic, behind a gateway that repeats the start",
    source: `${vercel}/duplicate-message-start`,
    basis: "recorded",
    startTwice: true,
  },
  {
    host: "Anthropic, counted at the end",
    source: `${vercel}/anthropic-message-delta-input-tokens`,
    basis: "recorded",
    pings: true,
    countedAtEnd: true,
  },
  {
    host: "DeepSeek",
    source: "api-docs.deepseek.com/guides/anthropic_api",
    basis: "documents",
    unsigned: true,
    countedAtEnd: true,
  },
  {
    host: "MiniMax",
    source: "platform.minimax.io/docs/api-reference/text-anthropic-api",
    basis: "documents",
    pings: true,
  },
  {
    host: "Z.AI",
    source: "docs.z.ai, Anthropic-compatible API",
    basis: "documents",
    unsigned: true,
    inputAtStart: true,
    countedAtEnd: true,
  },
  {
    host: "Moonshot, Kimi",
    source: "platform.moonshot.ai/docs, Anthropic-compatible API",
    basis: "documents",
    unnamed: true,
    zero: true,
    unsigned: true,
    done: true,
  },
]

const counts = { input_tokens: 20, cache_read_input_tokens: 100, cache_creation_input_tokens: 0 }

function streamOf(facts: Facts): string {
  const start = {
    type: "message_start",
    message: {
      id: "msg_1",
      role: "assistant",
      content: [],
      usage: facts.countedAtEnd ? { input_tokens: 1, output_tokens: 0 } : { ...counts, output_tokens: 1 },
    },
  }
  const blocks = [thought(facts), text(), ...scene.calls.map((call) => toolUse(facts, call))]
  const numbered = blocks.flatMap((events, at) => events.map((event) => ({ ...event, index: facts.zero ? 0 : at })))
  const end = {
    type: "message_delta",
    delta: { stop_reason: "tool_use" },
    usage: { ...(facts.countedAtEnd && counts), output_tokens: 40 },
  }
  const events = [
    start,
    ...(facts.startTwice ? [start] : []),
    ...(facts.pings ? [{ type: "ping" }] : []),
    ...numbered,
    ...(facts.pings ? [{ type: "ping" }] : []),
    end,
    { type: "message_stop" },
  ]
  const done = facts.done ? "data: [DONE]\n\n" : ""
  return (
    events
      .map(
        (event) =>
          `${facts.unnamed ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}${facts.padded ? "      " : ""}\n\n`,
      )
      .join("") + done
  )
}

interface BlockEvent {
  readonly type: string
}

function block(first: object, deltas: readonly object[]): readonly BlockEvent[] {
  const pieces = deltas.map((delta) => ({ type: "content_block_delta", delta }))
  return [
    { type: "content_block_start", content_block: first } as BlockEvent,
    ...pieces,
    { type: "content_block_stop" },
  ]
}

function thought({ unsigned }: Facts): readonly BlockEvent[] {
  const words = scene.thinking.map((thinking) => ({ type: "thinking_delta", thinking }))
  const signed = ["c2", "ln"].map((signature) => ({ type: "signature_delta", signature }))
  return block({ type: "thinking", thinking: "", ...(unsigned ? {} : { signature: "" }) }, [
    ...words,
    ...(unsigned ? [] : signed),
  ])
}

function text(): readonly BlockEvent[] {
  return block(
    { type: "text", text: "" },
    scene.text.map((words) => ({ type: "text_delta", text: words })),
  )
}

function toolUse({ inputAtStart }: Facts, { id, name, args }: (typeof scene.calls)[number]): readonly BlockEvent[] {
  const json = JSON.stringify(args)
  const pieces = ["", json.slice(0, 9), json.slice(9)].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }))
  return block({ type: "tool_use", id, name, input: inputAtStart ? args : {} }, inputAtStart ? [] : pieces)
}

function expectedOf({ unsigned }: Facts): Expected {
  return {
    content: [
      { type: "thinking", text: scene.thinking.join(""), ...(unsigned ? {} : { signature: "c2ln" }) },
      { type: "text", text: scene.text.join("") },
      ...scene.calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, arguments: args }) as const),
    ],
    stopReason: "tool_calls",
    usage: { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 0 },
  }
}

export const anthropicHosts: readonly HostStream[] = all.map((facts) => ({
  ...facts,
  api: "anthropic-messages",
  stream: streamOf(facts),
  expected: expectedOf(facts),
}))

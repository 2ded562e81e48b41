import { type Expected, type Host, type HostStream, scene } from "./facts.ts"

interface Facts extends Host {
  /** Reasoning is text and not a summary. */
  readonly reasoningText?: boolean
  /** Reasoning ends with its encrypted form. */
  readonly signed?: boolean
  /** Each event names its item by a different id. */
  readonly rotatingIds?: boolean
  /** Arguments are sent whole, in their final event. */
  readonly wholeArguments?: boolean
  /** Events without names. */
  readonly unnamed?: boolean
  readonly comments?: readonly string[]
  readonly beside?: object
  readonly done?: boolean
}

const vercel = (path: string) => `github.com/vercel/ai packages/${path}`
const rubyLlm = "github.com/crmne/ruby_llm spec/fixtures/vcr_cassettes, responses"
const pydantic = (path: string) => `github.com/pydantic/pydantic-ai tests/models/cassettes/${path}`

const all: readonly Facts[] = [
  {
    host: "OpenAI",
    source: vercel("openai/src/responses/__fixtures__/openai-reasoning-encrypted-content.1"),
    basis: "recorded",
    signed: true,
    beside: { obfuscation: "x7" },
  },
  {
    host: "Azure OpenAI",
    source: vercel("azure/src/__fixtures__/azure-reasoning-encrypted-content.1"),
    basis: "recorded",
    signed: true,
  },
  {
    host: "xAI",
    source: vercel("xai/src/responses/__fixtures__/xai-text-with-reasoning-streaming.1"),
    basis: "recorded",
    wholeArguments: true,
  },
  {
    host: "DeepSeek",
    source: `${rubyLlm}; ${pydantic("test_deepseek_responses")}`,
    basis: "recorded",
    reasoningText: true,
  },
  {
    host: "LM Studio",
    source: vercel("open-responses/src/responses/__fixtures__/lmstudio-tool-call.1"),
    basis: "recorded",
    reasoningText: true,
    wholeArguments: true,
  },
  {
    host: "GitHub Copilot",
    source: vercel("openai/src/responses/__fixtures__/github-copilot-id-rotation.1"),
    basis: "recorded",
    rotatingIds: true,
  },
  {
    host: "OpenRouter",
    source: pydantic("test_openrouter"),
    basis: "recorded",
    comments: ["OPENROUTER PROCESSING"],
    unnamed: true,
    done: true,
  },
  { host: "Amazon Bedrock", source: pydantic("test_bedrock_mantle"), basis: "recorded", signed: true },
]

const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 100 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 160,
}

interface Event {
  readonly type: string
}

function streamOf(facts: Facts): string {
  const response = { id: "resp_1", status: "in_progress", output: [] }
  const events: readonly Event[] = [
    { type: "response.created", response } as Event,
    { type: "response.in_progress", response: { ...response, id: facts.rotatingIds ? "resp_2" : "resp_1" } } as Event,
    ...thought(facts),
    ...message(facts),
    ...scene.calls.flatMap((call, at) => called(facts, call, at + 2)),
    { type: "response.completed", response: { ...response, status: "completed", usage } } as Event,
  ]
  const text = events.map((event, at) => {
    const data = JSON.stringify({
      ...event,
      sequence_number: at,
      ...facts.beside,
      ...(facts.rotatingIds && { item_id: `item_${at}` }),
    })
    return `${facts.unnamed ? "" : `event: ${event.type}\n`}data: ${data}\n\n`
  })
  const comments = (facts.comments ?? []).map((comment) => `: ${comment}\n\n`)
  return [...comments, ...text, ...(facts.done ? ["data: [DONE]\n\n"] : [])].join("")
}

function thought({ reasoningText, signed, rotatingIds }: Facts): readonly Event[] {
  const at = { output_index: 0 }
  const words = scene.thinking.join("")
  const kind = reasoningText ? "reasoning_text" : "reasoning_summary_text"
  const item = {
    type: "reasoning",
    summary: reasoningText ? [] : [{ type: "summary_text", text: words }],
    content: reasoningText ? [{ type: "reasoning_text", text: words }] : [],
  }
  return [
    { type: "response.output_item.added", ...at, item: { ...item, id: "rs_1", summary: [], content: [] } } as Event,
    ...scene.thinking.map((delta) => ({ type: `response.${kind}.delta`, ...at, delta })),
    {
      type: "response.output_item.done",
      ...at,
      item: { ...item, id: rotatingIds ? "rs_9" : "rs_1", encrypted_content: signed ? "c2VhbA" : null },
    } as Event,
  ]
}

function message(_: Facts): readonly Event[] {
  const at = { output_index: 1, content_index: 0 }
  const item = { type: "message", id: "msg_1", role: "assistant" }
  const content = [{ type: "output_text", text: scene.text.join("") }]
  return [
    { type: "response.output_item.added", ...at, item: { ...item, content: [] } } as Event,
    { type: "response.content_part.added", ...at, part: { type: "output_text", text: "" } } as Event,
    ...scene.text.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
    { type: "response.output_text.done", ...at, text: scene.text.join("") } as Event,
    { type: "response.output_item.done", ...at, item: { ...item, content } } as Event,
  ]
}

function called(
  { wholeArguments, rotatingIds }: Facts,
  { id, name, args }: (typeof scene.calls)[number],
  place: number,
): readonly Event[] {
  const at = { output_index: place }
  const json = JSON.stringify(args)
  const item = { type: "function_call", call_id: id, name }
  const pieces = [json.slice(0, 9), json.slice(9)].map((delta) => ({
    type: "response.function_call_arguments.delta",
    ...at,
    delta,
  }))
  return [
    { type: "response.output_item.added", ...at, item: { ...item, id: `fc_${place}`, arguments: "" } } as Event,
    ...(wholeArguments ? [] : pieces),
    { type: "response.function_call_arguments.done", ...at, arguments: json } as Event,
    {
      type: "response.output_item.done",
      ...at,
      item: { ...item, id: rotatingIds ? "fc_9" : `fc_${place}`, arguments: json },
    } as Event,
  ]
}

function expectedOf({ signed }: Facts): Expected {
  return {
    content: [
      { type: "thinking", text: scene.thinking.join(""), ...(signed ? { signature: "rs_1|c2VhbA" } : {}) },
      { type: "text", text: scene.text.join("") },
      ...scene.calls.map(
        ({ id, name, args }, at) => ({ type: "tool_call", id: `${id}|fc_${at + 2}`, name, arguments: args }) as const,
      ),
    ],
    stopReason: "tool_calls",
    usage: { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 },
  }
}

export const responsesHosts: readonly HostStream[] = all.map((facts) => ({
  ...facts,
  api: "openai-responses",
  stream: streamOf(facts),
  expected: expectedOf(facts),
}))

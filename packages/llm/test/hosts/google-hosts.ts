import { type Expected, type Host, type HostStream, scene } from "./facts.ts"

interface Facts extends Host {
  /** Only the last chunk has counts. */
  readonly countedAtEnd?: boolean
  /** Calls have ids. */
  readonly ids?: boolean
  /** The first call has a signature, as with Gemini 3. */
  readonly signed?: boolean
  /** A separate last chunk with an empty text and the reason. */
  readonly emptyEnd?: boolean
  readonly beside?: object
}

const rubyLlm = "github.com/crmne/ruby_llm spec/fixtures/vcr_cassettes, streaming"

const all: readonly Facts[] = [
  { host: "Google Gemini", source: rubyLlm, basis: "recorded", beside: { modelVersion: "gemini", responseId: "r" } },
  {
    host: "Google Gemini 3",
    source: "github.com/vercel/ai packages/google/src/__fixtures__/google-tool-call-gemini3",
    basis: "recorded",
    signed: true,
    ids: true,
    emptyEnd: true,
  },
  {
    host: "Google Vertex",
    source: rubyLlm,
    basis: "recorded",
    countedAtEnd: true,
    beside: { usageMetadata: { trafficType: "ON_DEMAND" }, createTime: "2026-04-02T17:03:50Z" },
  },
]

const counts = {
  promptTokenCount: 120,
  cachedContentTokenCount: 100,
  candidatesTokenCount: 32,
  thoughtsTokenCount: 8,
  totalTokenCount: 160,
}

function streamOf(facts: Facts): string {
  const parts = [
    ...scene.thinking.map((text) => ({ text, thought: true })),
    ...scene.text.map((text) => ({ text })),
    ...scene.calls.map(({ id, name, args }, at) => ({
      functionCall: { name, args, ...(facts.ids && { id }) },
      ...(facts.signed && at === 0 && { thoughtSignature: "c2ln" }),
    })),
    ...(facts.emptyEnd ? [{ text: "" }] : []),
  ]
  const chunks = parts.map((part, at) => {
    const last = at === parts.length - 1
    const usageMetadata = last ? counts : { ...counts, candidatesTokenCount: 1, totalTokenCount: 129 }
    const candidate = { content: { parts: [part], role: "model" }, ...(last && { finishReason: "STOP" }), index: 0 }
    return { candidates: [candidate], ...facts.beside, ...(last || !facts.countedAtEnd ? { usageMetadata } : {}) }
  })
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("")
}

function expectedOf({ ids, signed }: Facts): Expected {
  const calls = scene.calls.map(({ id, name, args }, at) => ({
    type: "tool_call" as const,
    id: ids ? id : `call_d1_${at + 2}`,
    name,
    arguments: args,
    ...(signed && at === 0 ? { signature: "c2ln" } : {}),
  }))
  return {
    content: [
      { type: "thinking", text: scene.thinking.join(""), signature: "" },
      { type: "text", text: scene.text.join("") },
      ...calls,
    ],
    stopReason: "tool_calls",
    usage: { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 },
  }
}

export const googleHosts: readonly HostStream[] = all.map((facts) => ({
  ...facts,
  api: "google-generative-ai",
  stream: streamOf(facts),
  expected: expectedOf(facts),
}))

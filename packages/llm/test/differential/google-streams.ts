/** Streams of the Gemini API according to its reference, by name. */
type Fields = Readonly<Record<string, unknown>>

const counted = {
  promptTokenCount: 120,
  cachedContentTokenCount: 100,
  candidatesTokenCount: 32,
  thoughtsTokenCount: 8,
  totalTokenCount: 160,
}

function stream(chunks: readonly (readonly Fields[])[], finishReason = "STOP"): string {
  return chunks
    .map((parts, at) => {
      const last = at === chunks.length - 1
      const candidate = { content: { role: "model", parts }, ...(last ? { finishReason } : {}), index: 0 }
      const usageMetadata = last ? counted : { promptTokenCount: 120, totalTokenCount: 120 }
      return eventText({ candidates: [candidate], usageMetadata, modelVersion: "m", responseId: "r" })
    })
    .join("")
}

/** Line ends as this server sends them. */
export function eventText(value: unknown): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`
}

const call = (name: string, args: Fields, id: string) => ({ functionCall: { name, args, id } })

export const gemini: Readonly<Record<string, string>> = {
  text: stream([[{ text: "Hi " }], [{ text: "世界 " }, { text: '"q" \n😀' }]]),
  "thoughts and two calls": stream([
    [{ text: "Hm, ", thought: true }],
    [{ text: "ü. Look.", thought: true }],
    [{ text: "Let me look." }],
    [{ ...call("read", { path: "/a/ü" }, "call_a"), thoughtSignature: "c2VhbGVk" }],
    [call("bash", { command: "ls" }, "call_b")],
  ]),
  "a signature at the end": stream([
    [{ text: "Hm", thought: true }],
    [{ text: "done" }],
    [{ text: "", thoughtSignature: "ZW5k" }],
  ]),
  "cut by length": stream([[{ text: "A long st" }]], "MAX_TOKENS"),
}

/** Streams of the Responses API according to its reference, by name. */
type Fields = Readonly<Record<string, unknown>>

function response(status: string, output: readonly Fields[], more: Fields = {}): Fields {
  const base = { id: "resp_1", object: "response", created_at: 1, model: "m", status, error: null, output }
  return { ...base, incomplete_details: null, usage: null, tools: [], parallel_tool_calls: true, ...more }
}

const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 100, cache_write_tokens: 15 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 160,
}

const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] })

function thought(at: number, id: string, paragraphs: readonly (readonly string[])[], signed: string) {
  const place = { item_id: id, output_index: at }
  const summary = paragraphs.map((deltas) => ({ type: "summary_text", text: deltas.join("") }))
  const item = { type: "reasoning", id, summary, encrypted_content: signed }
  const reported = paragraphs.flatMap((deltas, index) => [
    {
      type: "response.reasoning_summary_part.added",
      ...place,
      summary_index: index,
      part: { type: "summary_text", text: "" },
    },
    ...deltas.map((delta) => ({
      type: "response.reasoning_summary_text.delta",
      ...place,
      summary_index: index,
      delta,
    })),
    {
      type: "response.reasoning_summary_text.done",
      ...place,
      summary_index: index,
      text: deltas.join(""),
    },
    { type: "response.reasoning_summary_part.done", ...place, summary_index: index, part: summary[index] },
  ])
  const begun = { type: "reasoning", id, summary: [] }
  return { item, events: around(at, begun, reported, item) }
}

function message(at: number, id: string, deltas: readonly string[], kind: "output_text" | "refusal" = "output_text") {
  const place = { item_id: id, output_index: at, content_index: 0 }
  const text = deltas.join("")
  const whole = kind === "refusal" ? { type: "refusal", refusal: text } : part(text)
  const item = { type: "message", id, role: "assistant", status: "completed", content: [whole] }
  const empty = kind === "refusal" ? { type: "refusal", refusal: "" } : part("")
  const reported = [
    { type: "response.content_part.added", ...place, part: empty },
    ...deltas.map((delta) => ({ type: `response.${kind}.delta`, ...place, delta, logprobs: [] })),
    { type: `response.${kind}.done`, ...place, text, refusal: text, logprobs: [] },
    { type: "response.content_part.done", ...place, part: whole },
  ]
  return { item, events: around(at, { ...item, status: "in_progress", content: [] }, reported, item) }
}

function called(at: number, id: string, name: string, deltas: readonly string[]) {
  const place = { item_id: `fc_${id}`, output_index: at }
  const text = deltas.join("")
  const item = { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name, arguments: text }
  const reported = [
    ...deltas.map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, name, arguments: text },
  ]
  const begun = { ...item, status: "in_progress", arguments: "" }
  return {
    item: { ...item, status: "completed" },
    events: around(at, begun, reported, { ...item, status: "completed" }),
  }
}

function around(at: number, begun: Fields, reported: readonly Fields[], item: Fields): Fields[] {
  return [
    { type: "response.output_item.added", output_index: at, item: begun },
    ...reported,
    { type: "response.output_item.done", output_index: at, item },
  ]
}

interface ReasoningBlock {
  readonly item: Fields
  readonly events: readonly Fields[]
}

function stream(
  items: readonly ReasoningBlock[],
  status: "completed" | "incomplete" = "completed",
  more: Fields = {},
): string {
  const output = items.map(({ item }) => item)
  return eventStream([
    { type: "response.created", response: response("in_progress", []) },
    { type: "response.in_progress", response: response("in_progress", []) },
    ...items.flatMap(({ events }) => events),
    { type: `response.${status}`, response: response(status, output, { usage, ...more }) },
  ])
}

/** Events with their names and numbers. */
export function eventStream(all: readonly Fields[]): string {
  return all
    .map(
      (event, at) => `event: ${String(event["type"])}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`,
    )
    .join("")
}

export const responses: Readonly<Record<string, string>> = {
  text: stream([message(0, "msg_1", ["Hi ", "世界 ", '"q" \n😀'])]),
  "thoughts and two calls": stream([
    thought(0, "rs_1", [["Hm, ", "ü."], ["Look."]], "c2VhbGVk"),
    message(1, "msg_1", ["Let me look."]),
    called(2, "a", "read", ['{"path":', '"/a/ü"}']),
    called(3, "b", "bash", ['{"command":"ls"', "}"]),
  ]),
  "a refusal": stream([message(0, "msg_1", ["I will ", "not."], "refusal")]),
  "cut by length": stream([message(0, "msg_1", ["A long st"])], "incomplete", {
    incomplete_details: { reason: "max_output_tokens" },
  }),
}

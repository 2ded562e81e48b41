import { events } from "../helpers.ts"

/** Streams according to the providers' documentation, by name. Shared by the truncation tests and the comparison with the official clients. */
function chunk(delta: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] }
}

function call(index: number, more: object): object {
  return chunk({ tool_calls: [{ index, ...more }] })
}

const usage = {
  prompt_tokens: 120,
  completion_tokens: 40,
  total_tokens: 160,
  prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 15 },
  completion_tokens_details: { reasoning_tokens: 8 },
}

export const completions: Readonly<Record<string, string>> = {
  text: events(
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "Hi " }),
    chunk({ content: "世界 " }),
    chunk({ content: '"q" \n😀' }),
    chunk({}, "stop"),
    { choices: [], usage },
    "[DONE]",
  ),
  "two calls": events(
    chunk({ role: "assistant", content: null }),
    chunk({ content: "Let me look." }),
    call(0, { id: "call_a", type: "function", function: { name: "read", arguments: "" } }),
    call(0, { function: { arguments: '{"path":' } }),
    call(0, { function: { arguments: '"/a/ü"}' } }),
    call(1, { id: "call_b", type: "function", function: { name: "bash", arguments: '{"command":"ls"' } }),
    call(1, { function: { arguments: "}" } }),
    chunk({}, "tool_calls"),
    { choices: [], usage },
    "[DONE]",
  ),
  "cut by length": events(
    chunk({ role: "assistant", content: "A long st" }),
    chunk({}, "length"),
    { choices: [], usage },
    "[DONE]",
  ),
}

function named(data: { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function started(): string {
  const usage = { input_tokens: 20, cache_read_input_tokens: 300, cache_creation_input_tokens: 15, output_tokens: 1 }
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [] }
  return named({
    type: "message_start",
    message: { ...message, stop_reason: null, stop_sequence: null, usage },
  } as never)
}

function block(index: number, begin: object, ...deltas: readonly object[]): string {
  return [
    named({ type: "content_block_start", index, content_block: begin } as never),
    ...deltas.map((delta) => named({ type: "content_block_delta", index, delta } as never)),
    named({ type: "content_block_stop", index } as never),
  ].join("")
}

function stopped(reason: string): string {
  const delta = { stop_reason: reason, stop_sequence: null }
  return (
    named({ type: "message_delta", delta, usage: { output_tokens: 55 } } as never) + named({ type: "message_stop" })
  )
}

export const messages: Readonly<Record<string, string>> = {
  text: [
    started(),
    named({ type: "ping" }),
    block(
      0,
      { type: "text", text: "" },
      { type: "text_delta", text: "Hi " },
      { type: "text_delta", text: "世界 😀\n" },
    ),
    stopped("end_turn"),
  ].join(""),
  "thinking and calls": [
    started(),
    block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Hm, " },
      { type: "thinking_delta", thinking: "look." },
      { type: "signature_delta", signature: "c2ln" },
    ),
    block(1, { type: "redacted_thinking", data: "b3BhcXVl" }),
    block(2, { type: "text", text: "" }, { type: "text_delta", text: "Let me look." }),
    block(
      3,
      { type: "tool_use", id: "toolu_1", name: "read", input: {} },
      { type: "input_json_delta", partial_json: "" },
      { type: "input_json_delta", partial_json: '{"path": "/a' },
      { type: "input_json_delta", partial_json: '/ü"}' },
    ),
    block(4, { type: "tool_use", id: "toolu_2", name: "ls", input: {} }),
    stopped("tool_use"),
  ].join(""),
  "cut by length": [
    started(),
    block(0, { type: "text", text: "" }, { type: "text_delta", text: "A long st" }),
    stopped("max_tokens"),
  ].join(""),
}

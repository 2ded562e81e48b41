/** The parts of a refusal that identify its cause. */
interface RefusalText {
  readonly status?: number
  readonly message: string
  readonly code: string
}

/**
 * Whether a provider refused a prompt because it exceeds the context window, so that compaction helps. Each wording is a case
 * with its public source in `packages/llm/test/protocol/errors/overflow-cases.ts`.
 */
export function isOverflow({ status, message, code }: RefusalText): boolean {
  // Cerebras and Mistral send no body (contract section 19).
  if ((status === 400 || status === 413) && message === "" && code === "") return true
  const text = `${code} ${message}`
  const isNamed =
    code.split(" ").some((one) => overflowCodes.has(one)) || overflowForms.some(([, form]) => form.test(text))
  return (status === 413 || isNamed) && !isReplyTooLong(text)
}

/** The window in tokens that such a refusal names, in the wordings above; null if it names none. */
export function windowNamed({ message, code }: RefusalText): number | null {
  const text = `${code} ${message}`
  const found = windowForms.map((form) => numberIn(text, form)).find((tokens) => tokens >= leastWindow)
  return found ?? null
}

/** A smaller number is not a window. */
const leastWindow = 512

const windowForms: readonly RegExp[] = [
  /context (?:length|size|window)\D{0,40}?(\d{3,})/i,
  /n_ctx\D{0,5}(\d{3,})/i,
  /while limit is (\d{3,})|> (\d{3,}) maximum|must be <= (\d{3,})|tokens allowed \(?(\d{3,})/i,
  /maximum prompt length is (\d{3,})|maximum model length \D{0,20}(\d{3,})/i,
]

/** Statuses that refuse the request itself. */
const refusedAsItIs: ReadonlySet<number> = new Set([400, 413, 422])
/** More than the error of a token estimate. */
const farOver = 1.5

/** Whether a refusal names no other cause and the prompt cannot have fit; `tokens` and `window` are estimates. */
export function isFarOver({ status, message, code }: RefusalText, tokens: () => number, window: number): boolean {
  const text = `${code} ${message}`
  if (status === undefined || !refusedAsItIs.has(status) || otherForms.test(text) || isReplyTooLong(text)) return false
  return tokens() > farOver * window
}

/** Codes of Zhipu and Z.AI, and of Qianfan. MiniMax's 2013 covers every invalid parameter, so its message decides. */
const overflowCodes: ReadonlySet<string> = new Set(["1261", "336103"])

/** Wordings by provider; those of Anthropic, OpenAI, Google, xAI and Groq start with contract section 19. */
const overflowForms: readonly (readonly [provider: string, form: RegExp])[] = [
  ["Anthropic", /prompt is too long|request_too_large|exceed context limit/i],
  ["OpenAI", /exceeds the context window|context[_ ]length[_ ]exceeded|input tokens exceed the configured limit/i],
  ["OpenAI, one message", /invalid '(messages|input)\[\d+\]\.content[^']*': string too long/i],
  ["Google", /input token count.*(exceeds|only supports)|input context is too long/i],
  ["xAI", /maximum prompt length is \d+/i],
  ["Groq, Cerebras", /reduce the length of the messages|current length is \d+ while limit is/i],
  ["Azure, DeepSeek, OpenRouter, Mistral, SGLang, vLLM", /maximum context length/i],
  ["vLLM", /longer than the maximum model length|too long to fit into the model/i],
  [
    "Together, SGLang",
    /longer than the model'?s context length|input length .*exceeds the maximum (allowed )?(input )?length/i,
  ],
  ["Together, TGI", /`inputs` (tokens \+ `max_new_tokens` must be|must have less than)/i],
  ["Amazon Bedrock", /input is too long|number of input tokens exceeds/i],
  ["GitHub Copilot, GitHub Models", /prompt token count .*exceeds|(prompt_tokens_exceeded|tokens_limit_reached)/i],
  ["Moonshot", /exceed(s|ed)? model token limit|input token length too long/i],
  ["MiniMax", /context window exceeds limit/i],
  ["DashScope", /range of input length/i],
  ["Zhipu, Z.AI", /prompt exceeds max length|model_context_window_exceeded/i],
  ["Volcengine Ark", /exceed max message tokens/i],
  ["SiliconFlow", /length of prompt_tokens .*must be less than/i],
  ["Qianfan", /prompt tokens too long/i],
  ["Perplexity", /too_many_prompt_tokens|length of all messages is too long/i],
  ["Cohere", /too many (input )?tokens|too_many_tokens|token limit exceeded/i],
  [
    "llama.cpp, DwarfStar",
    /exceed(s|ed)? (the )?(available )?context (size|window)|exceed_context_size|context_exceeded/i,
  ],
  ["LM Studio", /greater than the context length|context length of only \d+|context size has been exceeded/i],
  ["Ollama", /prompt too long|longer than the context length|exceed(s|ed)? (the |max )?context length/i],
  ["LiteLLM", /ContextWindowExceeded/],
]

/** Refusals that name another cause. */
const otherForms =
  /invalid '\w|max_(completion_|new_|output_)?tokens|maxoutputtokens|token limit reached|image|cache_control|\btools?\b/i

/** Prompt and output limit exceed the window together, and so does the output limit alone: a shorter prompt does not help. */
function isReplyTooLong(text: string): boolean {
  const window = numberIn(text, /context length is (\d+)/i)
  const reply = numberIn(text, /is too large: (\d+)|requested (\d+) output tokens|(\d+) in the (?:output|completion)/i)
  return window > 0 && reply >= window
}

/** 0 if the text has no such number. */
function numberIn(text: string, form: RegExp): number {
  return Number(form.exec(text)?.slice(1).find(Boolean) ?? 0)
}

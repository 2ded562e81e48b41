import type { Routes } from "./model-server/player.ts"

export interface LlamaOptions {
  /** Tokens of a slot (`llama-server -c`). */
  readonly window: number
  /** Whether the list of models and `/props` tell the window, and the refusal of a longer prompt names it. Default true. */
  readonly tells?: boolean
  /** Default: a template with tools. */
  readonly template?: string
}

export interface LlamaStandIn {
  readonly routes: Routes
  /** Number of refused prompts. */
  refused(): number
}

/**
 * The part of llama.cpp's server around its chat endpoint, according to its documentation (tools/server/README.md): `/v1/models`
 * and `/props`, and the refusal of a prompt that exceeds the window. Tokens are counted as four characters.
 */
export function llamaStandIn({
  window,
  tells = true,
  template = "{% for tool in tools %}",
}: LlamaOptions): LlamaStandIn {
  let refused = 0
  const routes: Routes = (method, path, body) => {
    if (method === "GET" && path.endsWith("/models")) return { status: 200, body: list(tells ? window : null) }
    if (method === "GET" && path === "/props") return { status: 200, body: propsOf(tells ? window : null, template) }
    const tokens = Math.ceil(JSON.stringify(body).length / 4)
    if (!path.endsWith("/chat/completions") || tokens <= window) return undefined
    refused += 1
    return { status: 400, body: refusal(tokens, tells ? window : null) }
  }
  return { routes, refused: () => refused }
}

function list(window: number | null): object {
  const meta = { vocab_type: 2, n_vocab: 151_936, n_ctx_train: 262_144, ...(window === null ? {} : { n_ctx: window }) }
  return { object: "list", data: [{ id: "mock", object: "model", created: 1_790_000_000, owned_by: "llamacpp", meta }] }
}

function propsOf(window: number | null, template: string): object {
  const settings = { id: 0, is_processing: false, ...(window === null ? {} : { n_ctx: window }) }
  return {
    default_generation_settings: settings,
    total_slots: 1,
    model_path: "/models/mock.gguf",
    chat_template: template,
  }
}

/** Older versions name neither number. */
function refusal(tokens: number, window: number | null): object {
  const type = "exceed_context_size_error"
  if (window === null)
    return {
      error: {
        code: 400,
        type,
        message: "the request exceeds the available context size. try increasing the context size",
      },
    }
  const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`
  return { error: { code: 400, type, message, n_prompt_tokens: tokens, n_ctx: window } }
}

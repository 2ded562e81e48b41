import type { Routes } from "./model-server/player.ts"

/** A model on the server's disk. */
export interface StoredModel {
  readonly name: string
  /** Default: completion and tools. */
  readonly capabilities?: readonly string[]
  /** Default 5 GB. */
  readonly size?: number
  /** Maximum context in tokens. Default 262144. */
  readonly trained?: number
}

export interface OllamaStandIn {
  readonly routes: Routes
  /** Requested paths, in order, without the answers. */
  readonly asked: readonly string[]
}

/**
 * The native part of Ollama's API (`/api/tags`, `/api/show`, `/api/ps`, `/api/generate`) according to its reference; chat uses a
 * wire format. `window` is the context that the server allocates for each model (OLLAMA_CONTEXT_LENGTH).
 */
export function ollamaStandIn(models: readonly StoredModel[], window: number): OllamaStandIn {
  const loaded = new Set<string>()
  const asked: string[] = []
  const named = (body: unknown) => {
    const { model = "" } = (body ?? {}) as { model?: string }
    return models.find(({ name }) => name === model || name === `${model}:latest`)
  }
  const routes: Routes = (method, path, body) => {
    if (!path.startsWith("/api/")) return undefined
    asked.push(`${method} ${path}`)
    switch (`${method} ${path}`) {
      case "GET /api/tags":
        return found({ models: models.map(tagOf) })
      case "GET /api/ps":
        return found({ models: models.filter(({ name }) => loaded.has(name)).map((model) => runningOf(model, window)) })
      case "POST /api/show": {
        const model = named(body)
        return model ? found(showOf(model)) : missing(body)
      }
      case "POST /api/generate": {
        const model = named(body)
        if (!model) return missing(body)
        loaded.add(model.name)
        return found({ model: model.name, created_at: when, response: "", done: true, done_reason: "load" })
      }
      default:
        return { status: 404, body: { error: "not found" } }
    }
  }
  return { routes, asked }
}

const when = "2026-11-20T10:00:00.000000000Z"

function found(body: unknown) {
  return { status: 200, body }
}

function missing(body: unknown) {
  return { status: 404, body: { error: `model '${String((body as { model?: unknown } | null)?.model)}' not found` } }
}

function tagOf({ name, size = 5_000_000_000 }: StoredModel): object {
  return { name, model: name, modified_at: when, size, digest: "a".repeat(64), details: details }
}

function runningOf(model: StoredModel, window: number): object {
  const expires_at = "2026-11-20T10:05:00.000000000Z"
  return { ...tagOf(model), expires_at, size_vram: model.size ?? 5_000_000_000, context_length: window }
}

function showOf({ capabilities = ["completion", "tools"], trained = 262_144 }: StoredModel): object {
  return {
    modelfile: "FROM /models/blobs/sha256-0",
    parameters: 'stop                           "<|im_end|>"',
    template: "{{ .Prompt }}",
    details,
    model_info: {
      "general.architecture": "qwen3moe",
      "general.parameter_count": 30_532_122_624,
      "qwen3moe.context_length": trained,
    },
    capabilities,
    modified_at: when,
  }
}

const details = {
  parent_model: "",
  format: "gguf",
  family: "qwen3moe",
  families: ["qwen3moe"],
  parameter_size: "30.5B",
  quantization_level: "Q4_K_M",
}

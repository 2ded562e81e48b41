import type { Api, Model } from "@gong/spec"
import { validateAnthropicMessages } from "@gong/testing/validator/anthropic-messages"
import { validateGoogleGenerativeAI } from "@gong/testing/validator/google-generative-ai"
import { validateOpenAICompletions } from "@gong/testing/validator/openai-completions"
import { validateOpenAIResponses } from "@gong/testing/validator/openai-responses"
import { format as anthropic } from "../../src/anthropic-messages/request.ts"
import { format as google } from "../../src/google-generative-ai/request.ts"
import { format as completions } from "../../src/openai-completions/request.ts"
import { format as responses } from "../../src/openai-responses/request.ts"
import { noOwnModels } from "../../src/registry.ts"
import { createRegistry, type ProviderRow, providers, resolveModel } from "../../src/index.ts"
import { type BodyFormat, createBodyCache } from "../../src/protocol/request/body.ts"
import type { Transcript } from "./generate.ts"

/** One model over one wire format, and the validator of its API. */
export interface Target {
  readonly name: string
  readonly model: Model
  readonly format: BodyFormat
  check(request: unknown): readonly string[]
}

const formats: Readonly<Record<Api, BodyFormat>> = {
  "anthropic-messages": anthropic,
  "google-generative-ai": google,
  "openai-completions": completions,
  "openai-responses": responses,
}

/** Every provider over each of its wire formats, with its default model, or with any id if it has none. */
export async function targets(): Promise<readonly Target[]> {
  // Fills the placeholder of an address.
  const rows = providers.map((row) => ({ ...row, baseUrl: row.baseUrl.replace("RESOURCE", "mine") }))
  const registry = createRegistry({ ...noOwnModels, providers: rows })
  const found: Target[] = []
  for (const row of rows)
    for (const api of [row.api, ...Object.keys(row.also ?? {})] as Api[]) {
      const env = Object.fromEntries((row.baseUrlKeys ?? []).map((name) => [name, row.baseUrl]))
      const resolved = await resolveModel(
        { provider: row.id, id: row.defaultModel ?? "some-model", api, env },
        registry,
      )
      if (!resolved.ok) throw new Error(resolved.failure.message)
      found.push(target(row, api, resolved.model))
    }
  return found
}

function target(row: ProviderRow, api: Api, model: Model): Target {
  return { name: `${row.id} over ${api}`, model, format: formats[api], check: checkOf(api, model) }
}

/**
 * Rejected without `reasoning_content` in every reply, according to api-docs.deepseek.com/guides/thinking_mode, mimo.mi.com/docs,
 * and platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model, whose server treats an empty one as none.
 */
const wantsThoughts: Readonly<Record<string, { readonly empty: boolean }>> = {
  deepseek: { empty: true },
  xiaomi: { empty: true },
  moonshot: { empty: false },
  "moonshot-cn": { empty: false },
  "kimi-coding": { empty: false },
}

/** Streams call arguments only on request, according to docs.z.ai/guides/tools/stream-tool. */
const streamsTools = ["zai", "zai-coding", "zhipu", "zhipu-coding"]

/** Extra fields that servers of this format accept, according to their documentation: thinking options, call signatures. */
const thinkingFields = ["reasoning_content", "reasoning", "reasoning_text", "reasoning_details"]

function checkOf(api: Api, model: Model): Target["check"] {
  const own = Object.keys(model.body ?? {})
  const without = (request: unknown) =>
    Object.fromEntries(Object.entries(request as object).filter(([key]) => !own.includes(key)))
  switch (api) {
    case "anthropic-messages":
      return (request) => validateAnthropicMessages(without(request))
    case "google-generative-ai":
      return (request) => validateGoogleGenerativeAI(without(request))
    case "openai-responses":
      return (request) => validateOpenAIResponses(without(request))
    case "openai-completions": {
      const switches = {
        type: "thinking",
        enable: "enable_thinking",
        reasoning: "reasoning",
        effort: "reasoning_effort",
      }
      const { thinkingSwitch } = model.compat ?? {}
      const streams = streamsTools.includes(model.provider)
      const request = [
        ...(thinkingSwitch === undefined ? [] : [switches[thinkingSwitch]]),
        ...(streams ? ["tool_stream"] : []),
      ]
      const wanted = wantsThoughts[model.provider]
      const thought = wanted === undefined ? {} : { thought: { field: "reasoning_content", ...wanted } }
      const known = { message: thinkingFields, request, call: ["extra_content"], thinkingParts: true, ...thought }
      return (body) => validateOpenAICompletions(without(body), known)
    }
  }
}

/** The request that this target would be sent, as it would read it. */
export function requestTo({ model, format }: Target, { messages, ...rest }: Transcript): unknown {
  const { bytes, release } = createBodyCache(format)(messages, { ...rest, model, sessionId: "s-1" })
  const text = bytes.map((part) => decoder.decode(part)).join("")
  release()
  return JSON.parse(text)
}

const decoder = new TextDecoder("utf-8", { fatal: true })

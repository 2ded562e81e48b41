import { type Credential, failure, FailureError, type Model, type ModelApi, type Provider } from "@gong/spec"
import { findProvider } from "./providers.ts"
import type { ProviderPorts } from "./protocol/provider.ts"
import { transformStream } from "./protocol/reply/transform-stream.ts"
import { isUserHosted } from "./server/user-hosted.ts"

/** Opens a model over one wire format. */
export type OpenModel = (model: Model, ports: ProviderPorts) => Provider

/** The known wire formats: a plain value, so that adding one changes nothing else. */
export type WireFormats = ReadonlyMap<Model["api"], () => Promise<OpenModel>>

const builtIn: Readonly<Record<ModelApi, () => Promise<OpenModel>>> = {
  "openai-completions": async () => (await import("./openai-completions/provider.ts")).openaiCompletions,
  "anthropic-messages": async () => (await import("./anthropic-messages/provider.ts")).anthropicMessages,
  "openai-responses": async () => (await import("./openai-responses/provider.ts")).openaiResponses,
  "google-generative-ai": async () => (await import("./google-generative-ai/provider.ts")).googleGenerativeAi,
  extension: async () => (await import("./extension/provider.ts")).extensionModels,
}

/** The built-in formats, each loaded on first use. */
export const wireFormats: WireFormats = new Map(Object.entries(builtIn) as [ModelApi, () => Promise<OpenModel>][])

/** The formats with one added or replaced. */
export function withFormat(formats: WireFormats, api: Model["api"], open: OpenModel): WireFormats {
  return new Map(formats).set(api, () => Promise.resolve(open))
}

/** The function that opens models of this format. Throws FailureError (`bad-request`) for an unknown format. */
export async function formatOf(
  { provider, api }: Pick<Model, "provider" | "api">,
  formats: WireFormats = wireFormats,
): Promise<OpenModel> {
  const load = formats.get(api)
  if (load) return load()
  const text = `${provider} speaks ${api}, which is no wire format`
  throw new FailureError(failure("bad-request", text, { provider, hint: `Use ${[...formats.keys()].join(", ")}.` }))
}

/** Opens a model over its wire format. Throws like `formatOf`. */
export async function openProvider(model: Model, ports: ProviderPorts, formats?: WireFormats): Promise<Provider> {
  const open = await formatOf(model, formats)
  const all = { ...ports, credential: asBearer(ports.credential, model.provider) }
  if (model.compat?.calls === "schema" && model.api === "openai-completions")
    return (await import("./schema-calls/provider.ts")).withSchemaCalls(model, (one) => open(one, all))
  const provider = open(model, all)
  if (!readsTextCalls(model)) return provider
  return withTextCalls(provider)
}

function asBearer(credential: Credential | null, provider: string): Credential | null {
  const bearer = credential !== null && findProvider(provider)?.bearerKeys?.includes(credential.from)
  return bearer ? { ...credential, bearer } : credential
}

function withTextCalls(provider: Provider): Provider {
  return {
    get model() {
      return provider.model
    },
    stream: (request) =>
      transformStream(provider.stream(request), async () =>
        (await import("./text-calls/transform.ts")).textCalls(request),
      ),
  }
}

/** Whether calls in the text of this model's replies are read: by `compat.calls`, else for models that users host. */
function readsTextCalls(model: Model): boolean {
  const calls = model.compat?.calls
  return calls === undefined ? isUserHosted(model) : calls === "text"
}

import { type Credential, failure, FailureError, type Model, never, type Provider } from "@gong/spec"
import { findProvider } from "./providers.ts"
import type { ProviderPorts } from "./wire/provider.ts"

/** Opens a model over its wire format; each format is loaded when the first model needs it. Throws FailureError (`bad-request`) for one that is not built. */
export async function openProvider(model: Model, given: ProviderPorts): Promise<Provider> {
  const { api, provider } = model
  const ports = { ...given, credential: asBearer(given.credential, provider) }
  switch (api) {
    case "openai-completions":
      return (await import("./openai-completions/provider.ts")).openaiCompletions(model, ports)
    case "anthropic-messages":
      return (await import("./anthropic-messages/provider.ts")).anthropicMessages(model, ports)
    case "openai-responses":
      return (await import("./openai-responses/provider.ts")).openaiResponses(model, ports)
    case "google-generative-ai":
    case "scripted":
      throw new FailureError(notOpen(model))
    default:
      return never(api)
  }
}

function asBearer(credential: Credential | null, provider: string): Credential | null {
  const bearer = credential !== null && findProvider(provider)?.bearerKeys?.includes(credential.from)
  return bearer ? { ...credential, bearer } : credential
}

function notOpen({ provider, api }: Model) {
  const text = `${provider} speaks ${api}, which this version of Gong does not speak yet`
  return failure("bad-request", text, {
    provider,
    hint: "Use openai-completions, openai-responses or anthropic-messages.",
  })
}

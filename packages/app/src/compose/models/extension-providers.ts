import { customProvider, keyVariables, type Registry, unknownModel } from "@gong/llm"
import { baseUrlFault, checkArguments, phrase, type Phrase, ownFolder, type Diagnostic } from "@gong/spec"
import { modelsSchema, type OwnProvider } from "@gong/config/models/schema"
import type { RegisteredProvider } from "@gong/extensions/protocol"
import { remoteTransport } from "@gong/extensions/remote/remote-models"
import type { ExtensionProvider, LoadedExtension } from "../extensions/extension-parts.ts"
import { factsOf, rowOf } from "./registry.ts"

/** The providers of extensions, and the reasons why others are refused. */
export async function extensionProviders(loaded: readonly LoadedExtension[], registry: Registry) {
  const providers: ExtensionProvider[] = []
  const refused: Diagnostic[] = []
  const variables = new Set(Object.values(keyVariables(registry.providers)).flat())
  for (const one of loaded) {
    for (const offered of one.registrations.providers) {
      const taken = registry.find(offered.name) !== undefined || providers.some(({ row }) => row.id === offered.name)
      const text = taken ? nameTaken(offered) : await refusal(one, offered, variables)
      if (text === null) providers.push(providerOf(one, offered))
      else refused.push({ type: taken ? "collision" : "error", path: one.path, line: null, text })
    }
  }
  return { providers, refused }
}

function nameTaken({ name }: RegisteredProvider): Phrase {
  return phrase`the provider "${name}" is left out: there is one of this name. Rename it.`
}

/** Names with another meaning in references to models. */
const reserved: readonly string[] = [customProvider, "demo", "scripted"]

/** The reason why a provider is refused; null: it is accepted. */
async function refusal(
  { level }: LoadedExtension,
  { name, facts }: RegisteredProvider,
  variables: ReadonlySet<string>,
): Promise<Phrase | null> {
  // No repository, trusted or not, may decide where requests and keys are sent.
  if (level === "project")
    return phrase`the provider "${name}" is left out: extensions of a project bring none. Put it into ~/${ownFolder}/extensions, or name it with -e.`
  if (reserved.includes(name)) return phrase`the provider "${name}" is left out: this name is taken. Rename it.`
  const checked = await checkArguments(modelsSchema, { providers: { [name]: facts } })
  if (!checked.ok) {
    const { path = "", text = "" } = checked.problems[0] ?? {}
    return phrase`the provider "${name}" is left out: ${path.replace(`/providers/${name}/`, "")} ${text}. Mend it there.`
  }
  const { baseUrl, keys } = facts as OwnProvider
  const fault = baseUrl === undefined ? null : baseUrlFault(baseUrl)
  if (fault !== null) return phrase`the provider "${name}" is left out: ${fault}`
  const foreign = keys?.find((key) => variables.has(key) || key === "GONG_API_KEY")
  return foreign === undefined
    ? null
    : phrase`the provider "${name}" is left out: ${foreign} holds the key of another provider. Name a variable of its own; for another address of that provider there is models.json.`
}

function providerOf({ remote }: LoadedExtension, { name, facts, streams }: RegisteredProvider): ExtensionProvider {
  // `refusal` has checked it against the schema.
  const own = facts as OwnProvider
  const row = rowOf(name, streams ? { ...own, baseUrl: own.baseUrl ?? `extension:${name}` } : own, undefined)
  const models = Object.entries(own.models ?? {}).map(([id, one]) => [id, { ...unknownModel, ...factsOf(one) }])
  return {
    // Its free requests are unknown.
    row: streams ? { ...row, api: "extension", modelsPath: null, keyCheck: null } : row,
    models: Object.fromEntries(models),
    transport: streams ? remoteTransport(remote, name) : null,
  }
}

/** The registry with the providers of extensions at its end. */
export function registryWith(registry: Registry, added: readonly ExtensionProvider[]): Registry {
  const own = new Map(added.map((one) => [one.row.id, one]))
  return {
    providers: [...registry.providers, ...added.map(({ row }) => row)],
    find: (id) => own.get(id)?.row ?? registry.find(id),
    modelsOf: async (id) => own.get(id)?.models ?? registry.modelsOf(id),
  }
}

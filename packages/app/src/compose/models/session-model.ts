import { keyVariables } from "@gong/llm"
import type { Provider } from "@gong/spec"
import { createCredentials, type CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { modelNames } from "@gong/config/model"
import { must } from "@gong/config/usage"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { diagnosticLines } from "../extensions/diagnostics.ts"
import { startExtensions } from "../extensions/extensions.ts"
import { keySources } from "../keys/keys.ts"
import { chooseModel, type ChosenModel, type ModelDeps } from "./model.ts"
import type { LoadingResources } from "../resources/resources.ts"
import { lastUsedModel, modelOf, type OpenedTape, type TapeStorage } from "../tapes/tape.ts"

/** What a session's models and their keys are chosen from. */
export interface SessionModelDeps {
  readonly services: Services
  readonly spec: SessionSpec
  readonly interactive: boolean
  readonly config: Config
  readonly sources: CredentialSources
  readonly loading: Pick<LoadingResources, "extensions">
  readonly place: TapeStorage
  readonly existing: OpenedTape | null
}

/** The same with the models that extensions bring, and where the keys of those are; waits until they have been loaded. */
export async function withExtensionModels<K extends Pick<SessionModelDeps, "config" | "sources" | "loading">>(
  known: K,
): Promise<K> {
  const { providers } = await known.loading.extensions
  if (providers.length === 0) return known
  const { registryWith } = await import("./extension-providers.ts")
  const registry = registryWith(known.config.registry, providers)
  const sources = { ...known.sources, variables: keyVariables(registry.providers) }
  return { ...known, config: { ...known.config, registry }, sources }
}

/** The configuration with the models that extensions bring, for who only looks: those that are not known are loaded for it, and ended. */
export async function configWithExtensionModels(services: Services, spec: SessionSpec, config: Config) {
  // A key on stdin is for a session.
  const { apiKey: _, ...rest } = spec
  const sources = keySources({ services, spec: rest, config })
  const { loaded, end } = must(startExtensions({ services, spec, config, sources, onlyLooks: true }))
  try {
    const all = await withExtensionModels({ config, sources, loading: { extensions: loaded } })
    const { diagnostics } = await loaded
    return { config: all.config, lines: diagnosticLines(services.t, diagnostics, diagnostics.length) }
  } finally {
    end()
  }
}

/** The model of a session. Extensions are waited for only where it may be one of theirs. */
export async function sessionModel(known: SessionModelDeps): Promise<ChosenModel> {
  const { model } = known.config.settings.values
  // Looked up once: it reads the sessions of this folder.
  const before = model === null ? await lastOf(known) : null
  const last = async (): Promise<string | null> => before
  const names = model === null ? (before === null ? [] : [before]) : modelNames(model)
  const isKnown = (name: string): boolean => known.config.registry.find(name.split("/", 1)[0] ?? "") !== undefined
  if (names.every((name) => !name.includes("/") || isKnown(name))) {
    const chosen = await chooseModel({ ...modelDeps(known), last })
    if (chosen.ok && !needsOllamaQuery(known, chosen.value)) return chosen.value
  }
  const all = await withExtensionModels(known)
  const from = modelDeps(all)
  const chosen = await chooseModel({ ...from, last })
  // A person without any model is asked instead.
  const looks = chosen.ok ? needsOllamaQuery(all, chosen.value) : chosen.error.noModel === true && !known.interactive
  if (!looks) return must(chosen)
  return must(await (await import("./local-model.ts")).chooseLocalModel(all, from, chosen))
}

function needsOllamaQuery({ config }: SessionModelDeps, { model }: ChosenModel): boolean {
  return config.registry.find(model.provider)?.local === "ollama"
}

async function lastOf({ existing, place }: SessionModelDeps): Promise<string | null> {
  return existing ? modelOf(existing.tape) : lastUsedModel(place)
}

export function modelDeps(known: SessionModelDeps): ModelDeps {
  const { services, spec, config, sources } = known
  const all = must(createCredentials(sources))
  const credentials = spec.apiKeyFor === undefined ? all : all.reservedFor(spec.apiKeyFor)
  const { settings, registry } = config
  return { settings, env: services.env, credentials, registry, last: () => lastOf(known) }
}

export function providerChoice({ model }: Provider): ChosenModel {
  return { model, thinking: "off", credential: null, others: 0, lines: [], fallbacks: [] }
}

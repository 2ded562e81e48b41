import { keyVariables } from "@gong/llm"
import type { Provider } from "@gong/spec"
import { createCredentials, type CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { modelNames } from "@gong/config/model"
import { must } from "@gong/config/usage"
import type { Services } from "../../services.ts"
import type { Config, SessionContext } from "../config.ts"
import { diagnosticLines } from "../extensions/diagnostics.ts"
import { startExtensions } from "../extensions/extensions.ts"
import { keySources } from "../keys/keys.ts"
import { chooseModel, type ChosenModel, type ModelDeps } from "./model.ts"
import type { LoadingResources } from "../resources/resources.ts"
import { lastUsedModel, modelOf } from "../tapes/find-session.ts"
import type { TapeStorage } from "../tapes/storage.ts"
import type { OpenedTape } from "../tapes/tape.ts"

/** The sources of a session's models and their keys. */
export interface SessionModelDeps extends SessionContext {
  readonly interactive: boolean
  readonly sources: CredentialSources
  readonly loading: Pick<LoadingResources, "extensions">
  readonly storage: TapeStorage
  readonly existing: OpenedTape | null
}

/** Adds the models of extensions and their key variables; waits for the load of extensions. */
export async function withExtensionModels<K extends Pick<SessionModelDeps, "config" | "sources" | "loading">>(
  deps: K,
): Promise<K> {
  const { providers } = await deps.loading.extensions
  if (providers.length === 0) return deps
  const { registryWith } = await import("./extension-providers.ts")
  const registry = registryWith(deps.config.registry, providers)
  const sources = { ...deps.sources, variables: keyVariables(registry.providers) }
  return { ...deps, config: { ...deps.config, registry }, sources }
}

/** The configuration with the models of extensions, for listing. Starts a thread only for extensions without a memory. */
export async function configWithExtensionModels(services: Services, spec: SessionSpec, config: Config) {
  // A key from stdin belongs to a session.
  const { apiKey: _, ...rest } = spec
  const sources = keySources({ services, spec: rest, config })
  const { loaded, end } = must(startExtensions({ services, spec, config, sources, listOnly: true }))
  try {
    const all = await withExtensionModels({ config, sources, loading: { extensions: loaded } })
    const { diagnostics } = await loaded
    return { config: all.config, lines: diagnosticLines(services.t, diagnostics, diagnostics.length) }
  } finally {
    end()
  }
}

/** The model of a session. Waits for extensions only if the model may be one of theirs. */
export async function sessionModel(deps: SessionModelDeps): Promise<ChosenModel> {
  const { model } = deps.config.settings.values
  // Read only once, since it lists the sessions of the workspace.
  const previous = model === null ? await lastModelOf(deps) : null
  const last = async (): Promise<string | null> => previous
  const names = model === null ? (previous === null ? [] : [previous]) : modelNames(model)
  const isKnown = (name: string): boolean => deps.config.registry.find(name.split("/", 1)[0] ?? "") !== undefined
  if (names.every((name) => !name.includes("/") || isKnown(name))) {
    const chosen = await chooseModel({ ...modelDeps(deps), last })
    if (chosen.ok && !needsOllamaQuery(deps, chosen.value)) return chosen.value
  }
  const all = await withExtensionModels(deps)
  const candidates = modelDeps(all)
  const chosen = await chooseModel({ ...candidates, last })
  // In a conversation the user is asked for a model instead.
  const needsLocal = chosen.ok
    ? needsOllamaQuery(all, chosen.value)
    : chosen.error.noModel === true && !deps.interactive
  if (!needsLocal) return must(chosen)
  return must(await (await import("./local-model.ts")).chooseLocalModel(all, candidates, chosen))
}

function needsOllamaQuery({ config }: SessionModelDeps, { model }: ChosenModel): boolean {
  return config.registry.find(model.provider)?.local === "ollama"
}

async function lastModelOf({ existing, storage }: SessionModelDeps): Promise<string | null> {
  return existing ? modelOf(existing.tape) : lastUsedModel(storage)
}

export function modelDeps(deps: SessionModelDeps): ModelDeps {
  const { services, spec, config, sources } = deps
  const all = must(createCredentials(sources))
  const credentials = spec.apiKeyFor === undefined ? all : all.reservedFor(spec.apiKeyFor)
  const { settings, registry } = config
  return { settings, env: services.env, credentials, registry, last: () => lastModelOf(deps) }
}

export function providerChoice({ model }: Provider): ChosenModel {
  return { model, thinking: "off", credential: null, others: 0, lines: [], fallbacks: [] }
}

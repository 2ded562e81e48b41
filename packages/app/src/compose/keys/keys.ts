import type { Credential } from "@gong/spec"
import { keyVariables } from "@gong/llm"
import { type CredentialSources, knownKeys, redactor, redactableKeys } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"

export interface SessionContext {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
}

/** Where the keys of a session come from. */
export function keySources({ services, spec, config }: SessionContext): CredentialSources {
  return {
    ...(spec.apiKey === undefined ? {} : { apiKey: spec.apiKey }),
    ...(spec.apiKeyEnv === undefined ? {} : { apiKeyEnv: spec.apiKeyEnv }),
    env: services.env,
    variables: keyVariables(config.registry.providers),
    auth: config.auth,
    runCommand: lazyKeyCommand(services),
  }
}

/** Variables that hold a model's key: nothing that Gong starts is given them. */
export function keyNames({ variables }: CredentialSources, { apiKeyEnv }: SessionSpec): readonly string[] {
  return ["GONG_API_KEY", ...Object.values(variables).flat(), ...(apiKeyEnv ? [apiKeyEnv] : [])]
}

/** Loaded only where a key comes from a command. */
function lazyKeyCommand(services: Services): CredentialSources["runCommand"] {
  return async (command) => (await import("./key-command.ts")).keyCommandRunner(services.t, services)(command)
}

/** The keys of one session: those that it began with, and those of models that were chosen since. */
export interface KeyRing {
  /** What it began with. */
  readonly held: readonly string[]
  /** All that there are now and that are no mere placeholders. */
  secrets(): readonly string[]
  redact(text: string): string
  /** From when a model is opened its key is known here. */
  adding<C extends { readonly credential: Credential | null }, T>(open: (chosen: C) => T): (chosen: C) => T
}

export function keyRing(sources: CredentialSources, said: readonly (Credential | null | undefined)[]): KeyRing {
  const all = [...said]
  const held = knownKeys(sources, all)
  let redact = redactor(held)
  return {
    held,
    secrets: () => redactableKeys(knownKeys(sources, all)),
    redact: (text) => redact(text),
    adding: (open) => (chosen) => {
      all.push(chosen.credential)
      redact = redactor(knownKeys(sources, all))
      return open(chosen)
    },
  }
}

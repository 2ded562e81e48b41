import type { Credential } from "@gong/spec"
import { keyVariables } from "@gong/llm"
import { type CredentialSources, knownKeys, redactor, redactableKeys } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../../services.ts"
import type { SessionContext } from "../config.ts"

/** The sources of keys of a session. */
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

/** Variables that contain a key of a model; child processes do not receive them. */
export function keyNames({ variables }: CredentialSources, { apiKeyEnv }: SessionSpec): readonly string[] {
  return ["GONG_API_KEY", ...Object.values(variables).flat(), ...(apiKeyEnv ? [apiKeyEnv] : [])]
}

/** Loaded for the first key from a command. */
function lazyKeyCommand(services: Services): CredentialSources["runCommand"] {
  return async (command) => (await import("./key-command.ts")).keyCommandRunner(services.t, services)(command)
}

/** The keys of one session, with those of models that are selected later. */
export interface KeyRing {
  /** Keys at the start of the session. */
  readonly initial: readonly string[]
  /** All current keys, without placeholders. */
  secrets(): readonly string[]
  redact(text: string): string
  /** Adds keys that are no model's, which are redacted as well. */
  add(keys: readonly string[]): void
  /** Wraps the opening of a model so that its key is added here. */
  tracking<C extends { readonly credential: Credential | null }, T>(open: (chosen: C) => T): (chosen: C) => T
}

export function keyRing(sources: CredentialSources, credentials: readonly (Credential | null | undefined)[]): KeyRing {
  const all = [...credentials]
  const others: string[] = []
  const known = (): readonly string[] => [...knownKeys(sources, all), ...others]
  const initial = known()
  let redact = redactor(initial)
  return {
    initial,
    secrets: () => redactableKeys(known()),
    redact: (text) => redact(text),
    add(keys) {
      others.push(...keys)
      redact = redactor(known())
    },
    tracking: (open) => (chosen) => {
      all.push(chosen.credential)
      redact = redactor(known())
      return open(chosen)
    },
  }
}

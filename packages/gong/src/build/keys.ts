import type { Credential } from "@gong/spec"
import { keyVariables } from "@gong/llm"
import { type CredentialSources, heldKeys, redactor, secretsAmong } from "../config/credentials.ts"
import type { Options } from "../config/flags.ts"
import { must } from "../config/usage.ts"
import { systemClock } from "../ports.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"
import { readKey } from "./input.ts"

export interface KeyPlace {
  readonly world: World
  readonly options: Options
  readonly config: Config
}

/** Where the keys of a session come from. Ends the surrounding `attempt` when stdin should have held one. */
export async function keySources({ world, options, config }: KeyPlace): Promise<CredentialSources> {
  const wanted = options.apiKey
  const apiKey = wanted === "-" ? must(await readKey(world, systemClock, "gong --api-key - ...")) : wanted
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(options.apiKeyEnv === undefined ? {} : { apiKeyEnv: options.apiKeyEnv }),
    env: world.env,
    variables: keyVariables(config.registry.providers),
    auth: config.auth,
    runCommand: lazyKeyCommand(world),
  }
}

/** Variables that hold a model's key: nothing that Gong starts is given them. */
export function keyNames({ variables }: CredentialSources, { apiKeyEnv }: Options): readonly string[] {
  return ["GONG_API_KEY", ...Object.values(variables).flat(), ...(apiKeyEnv ? [apiKeyEnv] : [])]
}

/** Loaded only where a key comes from a command. */
function lazyKeyCommand(world: World): CredentialSources["runCommand"] {
  return async (command) => (await import("./key-command.ts")).keyCommandRunner(world.t, world)(command)
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
  const held = heldKeys(sources, all)
  let redact = redactor(held)
  return {
    held,
    secrets: () => secretsAmong(heldKeys(sources, all)),
    redact: (text) => redact(text),
    adding: (open) => (chosen) => {
      all.push(chosen.credential)
      redact = redactor(heldKeys(sources, all))
      return open(chosen)
    },
  }
}

import type { Config } from "./config.ts"
import type { Host, Tool } from "@gong/spec"
import type { CredentialSources } from "../config/credentials.ts"
import type { Options } from "../config/flags.ts"
import type { SessionPolicy } from "../policy/policy.ts"
import type { World } from "../world.ts"
import type { Sandbox } from "./sandbox.ts"
import type { LazySweep } from "./sweep.ts"
import type { ToolPlace } from "./tools.ts"

export interface ToolWorld {
  readonly world: World
  readonly options: Options
  readonly config: Config
  readonly interactive: boolean
  readonly own: { readonly customTools?: readonly Tool[] }
}

export interface ForTools extends Pick<ToolPlace, "keys" | "session" | "runTask"> {
  readonly sources: CredentialSources
  readonly policy: SessionPolicy
  readonly sandbox: Sandbox
  readonly sweep: LazySweep | null
  host(): Promise<Host>
}

/** All that the tools of a session are given. */
export function toolPlaceOf({ world, options, config, own, interactive }: ToolWorld, given: ForTools): ToolPlace {
  const { sources, keys, session, policy, sandbox, sweep, host, runTask } = given
  const keyNames = [
    "GONG_API_KEY",
    ...Object.values(sources.variables).flat(),
    ...(options.apiKeyEnv ? [options.apiKeyEnv] : []),
  ]
  const { workspace, settings } = config
  return {
    workspace,
    settings,
    env: world.env,
    keyNames,
    keys,
    session,
    home: world.userHome,
    sandbox: sandbox.mode,
    interactive,
    host,
    runTask,
    granted: () => (policy.level === "full" ? "anywhere" : policy.granted()),
    customTools: own.customTools ?? [],
    watched: (bash, running) => sweep?.over(bash, running) ?? bash,
  }
}

import type { Config } from "../config.ts"
import type { Host } from "@gong/spec"
import type { CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import type { SessionPolicy } from "@gong/policy/policy"
import type { Services } from "../../services.ts"
import { keyNames } from "../keys/keys.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { LazyChangeDetector } from "./change-detector.ts"
import type { ToolPlace } from "./tools.ts"

export interface ToolWorld {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  readonly sources: CredentialSources
  readonly interactive: boolean
}

export interface ToolParts extends Pick<ToolPlace, "keys" | "session" | "more" | "runTask"> {
  readonly policy: SessionPolicy
  readonly sandbox: Sandbox
  readonly changeDetector: LazyChangeDetector | null
  host(): Promise<Host>
}

/** All that the tools of a session are given. */
export function toolPlaceOf({ services, spec, config, sources, interactive }: ToolWorld, given: ToolParts): ToolPlace {
  const { keys, session, policy, sandbox, changeDetector, host, more, runTask } = given
  const { workspace, settings } = config
  return {
    workspace,
    settings,
    env: services.env,
    keyNames: keyNames(sources, spec),
    keys,
    session,
    home: services.userHome,
    sandbox: sandbox.mode,
    interactive,
    host,
    runTask,
    granted: () => (policy.level === "full" ? "anywhere" : policy.granted()),
    more,
    watched: (tool, running) => changeDetector?.wrap(tool, running) ?? tool,
  }
}

import type { Config } from "../config.ts"
import type { Host } from "@gong/spec"
import type { CredentialSources } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import type { SessionPolicy } from "@gong/policy/policy"
import type { Services } from "../../services.ts"
import { keyNames } from "../keys/keys.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { LazyChangeDetector } from "./change-detector.ts"
import type { ToolDeps } from "./tools.ts"

export interface ToolContextDeps {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  readonly sources: CredentialSources
  readonly interactive: boolean
}

export interface ToolParts extends Pick<ToolDeps, "keys" | "session" | "more" | "runTask"> {
  readonly policy: SessionPolicy
  readonly sandbox: Sandbox
  readonly changeDetector: LazyChangeDetector | null
  host(): Promise<Host>
}

/** All that the tools of a session are given. */
export function toolDepsOf(
  { services, spec, config, sources, interactive }: ToolContextDeps,
  given: ToolParts,
): ToolDeps {
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

import type { Host } from "@gong/spec"
import type { CredentialSources } from "@gong/config/credentials"
import type { SessionPolicy } from "@gong/policy/policy"
import type { SessionContext } from "../config.ts"
import { keyNames } from "../keys/keys.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { LazyChangeDetector } from "./change-detector.ts"
import type { ToolDeps } from "./tools.ts"

export interface ToolSessionContext extends SessionContext {
  readonly sources: CredentialSources
  readonly interactive: boolean
}

export interface ToolOptions extends Pick<ToolDeps, "keys" | "session" | "toolSources" | "runTask"> {
  readonly policy: SessionPolicy
  readonly sandbox: Sandbox
  readonly changeDetector: LazyChangeDetector | null
  host(): Promise<Host>
}

/** The dependencies of the tools of a session. */
export function toolDepsOf(
  { services, spec, config, sources, interactive }: ToolSessionContext,
  options: ToolOptions,
): ToolDeps {
  const { keys, session, policy, sandbox, changeDetector, host, toolSources, runTask } = options
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
    toolSources,
    detecting: (tool, running) => changeDetector?.wrap(tool, running) ?? tool,
  }
}

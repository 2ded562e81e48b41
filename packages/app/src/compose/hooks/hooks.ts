import { isAbsolute, join } from "node:path"
import type { Clock, Declarations, Hook, Host, PermissionLevel } from "@gong/spec"
import type { Config, SessionContext } from "../config.ts"
import { contextFileOptions, nestedContext } from "../resources/context.ts"
import type { OpenedTape } from "../tapes/tape.ts"
import { commandEnvironment, type ToolDeps } from "../tools/tools.ts"
import type { Translate } from "@gong/texts/translator"

export interface SessionHooksDeps extends SessionContext {
  readonly opened: OpenedTape
  readonly clock: Clock
  readonly toolDeps: ToolDeps
  /** Hooks of the program that runs the session. */
  readonly own: readonly Hook[]
  readonly extensions: { readonly hooks: readonly Hook[] }
  readonly declared: Declarations
  /** The current level. */
  level(): PermissionLevel
  host(): Promise<Host>
}

/** In order: nested instructions, hooks of the program, of the user, of extensions. Each sees the results of those before it. */
export async function sessionHooks(deps: SessionHooksDeps): Promise<Hook[]> {
  const { services, spec, config, clock, toolDeps, declared, level, host } = deps
  const { tape, resumed } = deps.opened
  const env = () => commandEnvironment(toolDeps, spec).env
  const sources = contextFileOptions(deps)
  const nested = sources ? [nestedContext(sources, tape, declared)] : []
  const commandDeps = {
    config,
    session: tape.id,
    transcript: tape.store.path,
    resumed,
    clock,
    env,
    declared,
    level,
    host,
  }
  return [...nested, ...deps.own, ...(await commandHooks(services.t, commandDeps)), ...deps.extensions.hooks]
}

export interface CommandHookDeps {
  readonly config: Config
  readonly session: string
  readonly transcript: string | null
  env(): Readonly<Record<string, string>>
  /** The current level. */
  level(): PermissionLevel
  readonly resumed: boolean
  readonly clock: Clock
  readonly declared: Declarations
  host(): Promise<Host>
}

/** The configured hooks of a session. Loads nothing if there are none. */
export async function commandHooks(t: Translate, { config, env, ...rest }: CommandHookDeps): Promise<readonly Hook[]> {
  if (config.hooks.length === 0) return []
  const { commandHook } = await import("@gong/extensions/hooks/command-hook")
  const { runnableCommands } = await import("./hook-commands.ts")
  const { cwd, folder } = config.workspace
  let started = 0
  const hookDeps = {
    ...rest,
    env: env(),
    cwd,
    project: folder,
    child: false,
    job: () => `hook-${(started += 1)}`,
    absolute: (path: string) => (isAbsolute(path) ? path : join(cwd, path)),
    runnable: await runnableCommands(t, config, rest.clock.now()),
  }
  return config.hooks.map((command) => commandHook(command, hookDeps))
}

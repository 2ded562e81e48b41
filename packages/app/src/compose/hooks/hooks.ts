import { isAbsolute, join } from "node:path"
import type { Clock, Declarations, Hook, Host, PermissionLevel } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { contextSources, nestedContext } from "../resources/context.ts"
import type { OpenedTape } from "../tapes/tape.ts"
import { commandEnvironment, type ToolDeps } from "../tools/tools.ts"
import type { Translate } from "@gong/texts/translator"

export interface SessionHooksDeps {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  readonly opened: OpenedTape
  readonly clock: Clock
  readonly toolDeps: ToolDeps
  /** Of the program that runs the session. */
  readonly own: readonly Hook[]
  readonly extensions: { readonly hooks: readonly Hook[] }
  readonly declared: Declarations
  /** As it is now: a person may change it. */
  level(): PermissionLevel
  host(): Promise<Host>
}

/** In their order: what nested instructions do to a result is seen by the program's own hooks, the user's, and extensions'. */
export async function sessionHooks(given: SessionHooksDeps): Promise<Hook[]> {
  const { services, spec, config, clock, toolDeps, declared, level, host } = given
  const { tape, resumed } = given.opened
  const env = () => commandEnvironment(toolDeps, spec).env
  const places = contextSources(services, spec, config)
  const nested = places ? [nestedContext(places, tape, declared)] : []
  const facts = { config, session: tape.id, transcript: tape.store.path, resumed, clock, env, declared, level, host }
  return [...nested, ...given.own, ...(await commandHooks(services.t, facts)), ...given.extensions.hooks]
}

export interface CommandHookDeps {
  readonly config: Config
  readonly session: string
  readonly transcript: string | null
  env(): Readonly<Record<string, string>>
  /** As it is now: a person may change it. */
  level(): PermissionLevel
  readonly resumed: boolean
  readonly clock: Clock
  readonly declared: Declarations
  host(): Promise<Host>
}

/** The configured hooks of a session. Where there are none nothing is loaded for them. */
export async function commandHooks(t: Translate, { config, env, ...facts }: CommandHookDeps): Promise<readonly Hook[]> {
  if (config.hooks.length === 0) return []
  const { commandHook } = await import("@gong/extensions/hooks/command-hook")
  const { runnableOf } = await import("./hook-commands.ts")
  const { cwd, folder } = config.workspace
  let started = 0
  const place = {
    ...facts,
    env: env(),
    cwd,
    project: folder,
    child: false,
    job: () => `hook-${(started += 1)}`,
    absolute: (path: string) => (isAbsolute(path) ? path : join(cwd, path)),
    runnable: await runnableOf(t, config, facts.clock.now()),
  }
  return config.hooks.map((command) => commandHook(command, place))
}

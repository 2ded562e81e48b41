import { isAbsolute, join } from "node:path"
import type { Clock, Hook, Host, PermissionLevel } from "@gong/spec"
import type { Config } from "./config.ts"

export interface HookFacts {
  readonly config: Config
  readonly session: string
  readonly transcript: string | null
  env(): Readonly<Record<string, string>>
  /** As it is now: a person may change it. */
  level(): PermissionLevel
  readonly resumed: boolean
  readonly clock: Clock
  host(): Promise<Host>
}

/** The configured hooks of a session. Where there are none nothing is loaded for them. */
export async function commandHooks({ config, env, ...facts }: HookFacts): Promise<readonly Hook[]> {
  if (config.hooks.length === 0) return []
  const { commandHook } = await import("../hooks/command-hook.ts")
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
  }
  return config.hooks.map((command) => commandHook(command, place))
}

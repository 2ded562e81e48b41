import type { Host, Jobs, Looked, Tool, Watch } from "@gong/spec"
import type { Sweep } from "@gong/tools/change-detector"
import type { Place } from "../policy/readonly.ts"
import { systemClock } from "../ports.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"
import { gitFacts } from "./policy.ts"

/** Finds what commands changed; loaded when the first of them is called. */
export interface LazySweep {
  readonly watch: Watch
  over(tool: Tool, jobs: Jobs): Tool
}

const nothing: Looked = { changes: [], cut: null }

export function lazySweep(config: Config, world: World, host: () => Promise<Host>): LazySweep {
  const { home, settings, workspace } = config
  const { cwd, folder, roots } = workspace
  const facts: Place = { cwd, home: world.userHome, gongHome: home, env: world.env, roots }
  /** Changed by the session itself before the first command. */
  const changed = new Set<string>()
  let sweep: Sweep | null = null
  const load = async (jobs: Jobs): Promise<Sweep> => {
    const { createSweep } = await import("@gong/tools/change-detector")
    const { parseCommand } = await import("../policy/command.ts")
    const { readsOnly } = await import("../policy/readonly.ts")
    const mayWrite = (command: string) => !readsOnly(parseCommand(command), facts, () => false).readOnly
    const limits = { maxTime: settings.values["undo.lookTime"] * 1000 }
    const { quietGit } = await import("../policy/quiet-git.ts")
    const gitEnvironment = () =>
      quietGit(folder, gitFacts({ env: world.env, home: world.userHome, cwd, roots, host }), { submodules: false })
    const place = { cwd, roots }
    const made = createSweep({ folder, place, host, clock: systemClock, jobs, gitEnvironment, mayWrite, limits })
    for (const path of changed) made.changing(path)
    return made
  }
  return {
    watch: {
      changing: (path) => (sweep ?? { changing: (early: string) => void changed.add(early) }).changing(path),
      isDue: (atEnd) => sweep?.isDue(atEnd) ?? false,
      look: async () => sweep?.look() ?? nothing,
    },
    over: (tool, jobs) => ({
      ...tool,
      async execute(callId, args, context) {
        sweep ??= await load(jobs)
        return sweep.over(tool).execute(callId, args, context)
      },
    }),
  }
}

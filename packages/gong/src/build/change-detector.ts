import type { Host, Jobs, ScanResult, Tool, ChangeDetector } from "@gong/spec"
import type { WorkspaceChangeDetector } from "@gong/tools/change-detector"
import type { Place } from "../policy/readonly.ts"
import { systemClock } from "../ports.ts"
import type { Services } from "../services.ts"
import type { Config } from "./config.ts"
import { inSlices } from "./in-slices.ts"
import { gitFacts } from "./policy.ts"

/** Finds what commands changed; loaded when the first of them is called. */
export interface LazyChangeDetector {
  readonly port: ChangeDetector
  wrap(tool: Tool, jobs: Jobs): Tool
}

const nothing: ScanResult = { changes: [], cut: null }

/** `slices`: in a process of many sessions it works in slices, between which the others have their turn. */
export function lazyChangeDetector(
  config: Config,
  services: Services,
  { host, slices }: { host(): Promise<Host>; readonly slices: boolean },
): LazyChangeDetector {
  const { home, settings, workspace } = config
  const { cwd, folder, roots } = workspace
  const facts: Place = { cwd, home: services.userHome, gongHome: home, env: services.env, roots }
  /** Changed by the session itself before the first command. */
  const changed = new Set<string>()
  let detector: WorkspaceChangeDetector | null = null
  const load = async (jobs: Jobs): Promise<WorkspaceChangeDetector> => {
    const { createChangeDetector } = await import("@gong/tools/change-detector")
    const { parseCommand } = await import("../policy/command.ts")
    const { readsOnly } = await import("../policy/readonly.ts")
    const mayWrite = (command: string) => !readsOnly(parseCommand(command), facts, () => false).readOnly
    const limits = { maxTime: settings.values["undo.lookTime"] * 1000 }
    const { quietGit } = await import("../policy/quiet-git.ts")
    const gitEnvironment = () =>
      quietGit(folder, gitFacts({ env: services.env, home: services.userHome, cwd, roots, host }), {
        submodules: false,
      })
    const place = { cwd, roots }
    const made = createChangeDetector({
      folder,
      place,
      host: slices ? async () => inSlices(await host()) : host,
      clock: systemClock,
      jobs,
      gitEnvironment,
      mayWrite,
      limits,
    })
    for (const path of changed) made.expectChange(path)
    return made
  }
  return {
    port: {
      expectChange: (path) =>
        (detector ?? { expectChange: (early: string) => void changed.add(early) }).expectChange(path),
      isDue: (atEnd) => detector?.isDue(atEnd) ?? false,
      scan: async () => detector?.scan() ?? nothing,
    },
    wrap: (tool, jobs) => ({
      ...tool,
      async execute(callId, args, context) {
        detector ??= await load(jobs)
        return detector.wrap(tool).execute(callId, args, context)
      },
    }),
  }
}

import type { Host, Jobs, ScanResult, Tool, ChangeDetector } from "@gong/spec"
import type { WorkspaceChangeDetector } from "@gong/tools/change-detector"
import type { CommandContext } from "@gong/policy/command/read-only-analysis"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { inSlices } from "./in-slices.ts"
import { gitFacts } from "../permissions/policy.ts"

/** Finds what commands changed; loaded when the first of them is called. */
export interface LazyChangeDetector {
  readonly port: ChangeDetector
  wrap(tool: Tool, jobs: Jobs): Tool
}

const nothing: ScanResult = { changes: [], cut: null }

interface Known {
  readonly services: Services
  readonly config: Config
  readonly kept: boolean
}

/** Null for a session that is not kept: it cannot be undone. With many in a process it works in slices, between which others work. */
export function changeDetectorOf(known: Known, host: () => Promise<Host>): LazyChangeDetector | null {
  const { services, config, kept } = known
  const slices = services.syncMode === "thread-pool"
  return kept ? lazyChangeDetector(config, services, slices ? async () => inSlices(await host()) : host) : null
}

function lazyChangeDetector(config: Config, services: Services, host: () => Promise<Host>): LazyChangeDetector {
  const { home, settings, workspace } = config
  const { cwd, folder, roots } = workspace
  const facts: CommandContext = { cwd, home: services.userHome, gongHome: home, env: services.env, roots }
  /** Changed by the session itself before the first command. */
  const changed = new Set<string>()
  let detector: WorkspaceChangeDetector | null = null
  const load = async (jobs: Jobs): Promise<WorkspaceChangeDetector> => {
    const { createChangeDetector } = await import("@gong/tools/change-detector")
    const { parseCommand } = await import("@gong/policy/command/command")
    const { analyzeReadOnly } = await import("@gong/policy/command/read-only-analysis")
    const mayWrite = (command: string) => !analyzeReadOnly(parseCommand(command), facts, () => false).readOnly
    const limits = { maxTime: settings.values["undo.lookTime"] * 1000 }
    const { safeGitEnvironment } = await import("@gong/policy/git/safe-git-environment")
    const gitEnvironment = () =>
      safeGitEnvironment(folder, gitFacts({ env: services.env, home: services.userHome, cwd, roots, host }), {
        submodules: false,
      })
    const place = { cwd, roots }
    const made = createChangeDetector({
      folder,
      place,
      host,
      clock: services.clock,
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

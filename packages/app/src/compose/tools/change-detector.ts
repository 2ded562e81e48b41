import type { Host, Jobs, ScanResult, Tool, ChangeDetector } from "@gong/spec"
import type { WorkspaceChangeDetector } from "@gong/tools/change-detector"
import type { CommandContext } from "@gong/policy/command/read-only-analysis"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { inSlices } from "./in-slices.ts"
import { gitFacts } from "../permissions/policy.ts"

/** Detects changes of commands; loaded at the first call. */
export interface LazyChangeDetector {
  readonly port: ChangeDetector
  wrap(tool: Tool, jobs: Jobs): Tool
}

const noChanges: ScanResult = { changes: [], cut: null }

interface DetectorContext {
  readonly services: Services
  readonly config: Config
  readonly persistent: boolean
}

/** Null for a session in memory, which has no undo. In a process of many sessions it works in slices. */
export function changeDetectorOf(context: DetectorContext, host: () => Promise<Host>): LazyChangeDetector | null {
  const { services, config, persistent } = context
  const slices = services.syncMode === "thread-pool"
  return persistent ? lazyChangeDetector(config, services, slices ? async () => inSlices(await host()) : host) : null
}

function lazyChangeDetector(config: Config, services: Services, host: () => Promise<Host>): LazyChangeDetector {
  const { home, settings, workspace } = config
  const { cwd, folder, roots } = workspace
  const commandContext: CommandContext = { cwd, home: services.userHome, gongHome: home, env: services.env, roots }
  /** Files that the session changed before the first command. */
  const changed = new Set<string>()
  let detector: WorkspaceChangeDetector | null = null
  const load = async (jobs: Jobs): Promise<WorkspaceChangeDetector> => {
    const { createChangeDetector } = await import("@gong/tools/change-detector")
    const { parseCommand } = await import("@gong/policy/command/command")
    const { analyzeReadOnly } = await import("@gong/policy/command/read-only-analysis")
    const mayWrite = (command: string) => !analyzeReadOnly(parseCommand(command), commandContext, () => false).readOnly
    const limits = { maxTime: settings.values["undo.lookTime"] * 1000 }
    const { safeGitEnvironment } = await import("@gong/policy/git/safe-git-environment")
    const gitEnvironment = () =>
      safeGitEnvironment(folder, gitFacts({ env: services.env, home: services.userHome, cwd, roots, host }), {
        submodules: false,
      })
    const place = { cwd, roots }
    const created = createChangeDetector({
      folder,
      place,
      host,
      clock: services.clock,
      jobs,
      gitEnvironment,
      mayWrite,
      limits,
    })
    for (const path of changed) created.expectChange(path)
    return created
  }
  return {
    port: {
      expectChange: (path) =>
        (detector ?? { expectChange: (early: string) => void changed.add(early) }).expectChange(path),
      isDue: (atEnd) => detector?.isDue(atEnd) ?? false,
      scan: async () => detector?.scan() ?? noChanges,
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

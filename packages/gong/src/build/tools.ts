import { type Host, type Jobs, type Tool, toolNames } from "@gong/spec"
import {
  childEnvironment,
  createAllTools,
  createJobs,
  type JobTable,
  mergeTools,
  presets,
  type ToolRegistry,
} from "@gong/tools"
import type { Settings } from "../config/settings/resolve.ts"
import { selectTools } from "../config/tools.ts"
import { ok, type Outcome } from "../config/usage.ts"
import type { Workspace } from "../config/workspace.ts"
import { shownFiles } from "../policy/shown.ts"
import type { Options, SandboxMode } from "../config/flags.ts"

export interface ToolPlace {
  readonly workspace: Workspace
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables that hold a model's key, and the keys themselves: commands get neither. */
  readonly keyNames: readonly string[]
  readonly keys: readonly string[]
  readonly session: string
  /** The user's home folder. */
  readonly home: string
  readonly sandbox: SandboxMode
  /** Paths outside the roots that a person or a rule allowed; `anywhere` at level `full`. */
  readonly granted: (() => readonly string[]) | "anywhere"
  host(): Promise<Host>
  /** Of the program that runs the session. */
  readonly customTools: readonly Tool[]
  /** The bash tool, watched for what its commands change. */
  watched(bash: Tool, jobs: Jobs): Tool
}

export interface BuiltTools extends ToolRegistry {
  /** Commands in the background: they end with the session. */
  readonly jobs: Jobs
}

/** The tools that the model is told of: those that act in the workspace, in catalogue order, then those of the program. */
export function buildTools(place: ToolPlace, options: Options): Outcome<BuiltTools> {
  const jobs = createJobs()
  if (options.noTools === true) return ok({ tools: [], conflicts: [], jobs })
  const made = builtInTools(place, options, jobs)
  const builtIn = { ...made, bash: place.watched(made.bash, jobs) }
  const { tools, conflicts } = mergeTools([
    { from: "Gong", tools: toolNames.map((name) => builtIn[name]) },
    { from: "the session's options", tools: place.customTools },
  ])
  const known = tools.map((tool) => tool.name)
  const chosen = selectTools(place.settings.values.tools, { known, presets: { ...presets, default: known } })
  if (!chosen.ok) return chosen
  return ok({ tools: tools.filter((tool) => chosen.value.includes(tool.name)), conflicts, jobs })
}

function builtInTools(place: ToolPlace, options: Options, jobs: JobTable) {
  const { workspace, granted } = place
  const { values } = place.settings
  const { env, withheld } = childEnvironment(place.env, {
    keyNames: place.keyNames,
    keyValues: place.keys,
    allow: [...values["env.allow"], ...(options.env ?? [])],
    deny: values["env.deny"],
    session: place.session,
    // Whoever may only look is not given what opens other doors.
    secrets: place.sandbox !== "read-only",
  })
  return createAllTools(workspace.cwd, {
    roots: granted === "anywhere" ? granted : () => [...workspace.roots, ...granted()],
    reads: values.reads,
    host: place.host,
    read: { imageMaxBytes: values["images.maxSize"] },
    bash: {
      env,
      withheld,
      shownFiles: (command) => shownFiles(command, { cwd: workspace.cwd, home: place.home }),
      defaultTimeout: values["bash.timeout"],
      background: values["bash.background"],
      jobs,
      sandboxed: place.sandbox !== "off",
    },
  })
}

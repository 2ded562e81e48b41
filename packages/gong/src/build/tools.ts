import { type Host, type Tool, toolNames } from "@gong/spec"
import { childEnvironment, createAllTools, presets } from "@gong/tools"
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
}

/** The tools that the model is told of, in catalogue order, acting in the workspace. */
export function buildTools(place: ToolPlace, options: Options): Outcome<readonly Tool[]> {
  if (options.noTools === true) return ok([])
  const { workspace, granted } = place
  const { values } = place.settings
  const chosen = selectTools(values.tools, { known: toolNames, presets })
  if (!chosen.ok) return chosen
  const { env, withheld } = childEnvironment(place.env, {
    keyNames: place.keyNames,
    keyValues: place.keys,
    allow: [...values["env.allow"], ...(options.env ?? [])],
    deny: values["env.deny"],
    session: place.session,
    // Whoever may only look is not given what opens other doors.
    secrets: place.sandbox !== "read-only",
  })
  const tools = createAllTools(workspace.cwd, {
    roots: granted === "anywhere" ? granted : () => [...workspace.roots, ...granted()],
    reads: values.reads,
    host: place.host,
    read: { imageMaxBytes: values["images.maxSize"] },
    bash: {
      env,
      withheld,
      shownFiles: (command) => shownFiles(command, { cwd: workspace.cwd, home: place.home }),
      defaultTimeout: values["bash.timeout"],
    },
  })
  return ok(toolNames.filter((name) => chosen.value.includes(name)).map((name) => tools[name]))
}

import { changesUnrecorded, type Declarations, type Host, type Jobs, phrase, type Tool } from "@gong/spec"
import {
  builtInDeclarations,
  childEnvironment,
  createBuiltIns,
  createJobs,
  extraToolNames,
  type JobTable,
  mergeTools,
  presets,
  type TaskOptions,
  type ToolRegistry,
  type ToolSource,
} from "@gong/tools"
import type { Settings } from "@gong/config/settings/resolve"
import { selectTools } from "@gong/config/tools"
import { ok, type Outcome, usage } from "@gong/config/usage"
import type { Workspace } from "@gong/config/workspace"
import { networkRule } from "@gong/policy/network-rule"
import type { Services } from "../../services.ts"
import { extraOptions } from "./extra-tools.ts"
import type { Config } from "../config.ts"
import type { SessionSpec, SandboxMode } from "@gong/config/session-spec"

import type { RunControls } from "../models/run-controls.ts"

export interface ToolDeps {
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
  /** Where tools may act now, beside the roots: what a person or a rule allowed; `anywhere` at level `full`. */
  granted(): readonly string[] | "anywhere"
  /** Has a task done for a call. */
  readonly runTask: TaskOptions["run"]
  /** Somebody is there who answers what tools ask. */
  readonly interactive: boolean
  host(): Promise<Host>
  /** Of the program that runs the session, and of extensions; what changes here counts when tools are selected next. */
  readonly more: readonly ToolSource[]
  /** The tool, watched for what its calls change. */
  watched(tool: Tool, jobs: Jobs): Tool
}

export interface BuiltTools extends Pick<ToolRegistry, "tools"> {
  /** Whole lines for the user: names that were taken already. */
  readonly lines: readonly string[]
  /** Commands in the background: they end with the session. */
  readonly jobs: Jobs
  /** What runs the user's own commands, also when the model is not told of it; null: there are no tools at all. */
  readonly bash: Tool | null
  /** Of all that there are, those of sources that have renewed their tools as well. */
  readonly declared: Declarations
  /** Of all that there are, those that a list names as `--tools` does. */
  select(list: string): Outcome<readonly Tool[]>
}

/** The tools that the model is told of: those that act in the workspace, in catalogue order, then all others. */
export function buildTools(place: ToolDeps, spec: SessionSpec): Outcome<BuiltTools> {
  const jobs = createJobs()
  if (spec.noTools === true) {
    return ok({ tools: [], lines: [], jobs, bash: null, declared: builtInDeclarations, select: noneToSelect })
  }
  const watched = (tool: Tool): Tool => (changesUnrecorded(tool) ? place.watched(tool, jobs) : tool)
  const own = ownTools(place, spec, jobs).map(watched)
  const brought = () => place.more.map(({ from, tools }) => ({ from, tools: tools.map(watched) }))
  const merged = () => mergeTools([{ from: "Gong", tools: own }, ...brought()], [networkRule])
  const select = (list: string): Outcome<readonly Tool[]> => {
    const { tools } = merged()
    const known = tools.map((tool) => tool.name)
    const byDefault = known.filter((name) => !extraToolNames.includes(name))
    const chosen = selectTools(list, { known, presets: { ...presets, default: byDefault } })
    if (!chosen.ok) return chosen
    const names = chosen.value
    return ok(tools.filter(({ name, needsUser }) => names.includes(name) && (needsUser !== true || place.interactive)))
  }
  const chosen = select(place.settings.values.tools)
  if (!chosen.ok) return chosen
  const lines = merged().conflicts.map((line) => `gong: ${line}`)
  const bash = own.find(({ effect, command }) => effect === "execute" && command !== undefined) ?? null
  return ok({ tools: chosen.value, lines, jobs, bash, declared: declaredBy(place.more), select })
}

/** Gong's own tools, then those of the sources as they are now. */
function declaredBy(more: readonly ToolSource[]): Declarations {
  const brought = (name: string) => more.flatMap(({ tools }) => tools).find((tool) => tool.name === name)
  return (name) => builtInDeclarations(name) ?? brought(name) ?? null
}

/** There are others to select from; what a person has selected meanwhile stays. */
export function reselect(controls: RunControls, before: readonly Tool[], now: Outcome<readonly Tool[]>): void {
  if (now.ok && controls.tools() === before) controls.setTools(now.value)
}

/** The tools that a session here would tell the model of, for whoever only looks at them: none of them can act. */
export function selectedTools(config: Config, services: Services, spec: SessionSpec): Outcome<readonly Tool[]> {
  const { workspace, settings } = config
  const inertDeps: ToolDeps = {
    workspace,
    settings,
    env: {},
    keyNames: [],
    keys: [],
    session: "",
    home: services.userHome,
    sandbox: "off",
    granted: () => [],
    interactive: true,
    runTask: () => Promise.reject(new Error("tools that are only looked at do not act")),
    host: () => Promise.reject(new Error("tools that are only looked at do not act")),
    more: [],
    watched: (tool) => tool,
  }
  const built = buildTools(inertDeps, spec)
  return built.ok ? ok(built.value.tools) : built
}

function noneToSelect(): Outcome<never> {
  return usage(phrase`this session was begun with --no-tools.`)
}

function ownTools(place: ToolDeps, spec: SessionSpec, jobs: JobTable): readonly Tool[] {
  const { workspace } = place
  const { values } = place.settings
  const { env, withheld } = commandEnvironment(place, spec)
  return createBuiltIns(workspace.cwd, {
    ...extraOptions(place),
    roots: () => {
      const granted = place.granted()
      return granted === "anywhere" ? granted : [...workspace.roots, ...granted]
    },
    reads: values.reads,
    secrets: async () => {
      const { secretPaths } = await import("@gong/policy/sensitive/secrets")
      return secretPaths(place)
    },
    host: place.host,
    read: { imageMaxBytes: values["images.maxSize"] },
    bash: {
      env,
      withheld,
      shownFiles: async (command) => {
        const { printedFiles } = await import("@gong/policy/printed-files")
        return printedFiles(command, { cwd: workspace.cwd, home: place.home })
      },
      defaultTimeout: values["bash.timeout"],
      background: values["bash.background"],
      jobs,
      sandboxed: place.sandbox !== "off",
    },
  })
}

/** What a command may know: one of the model's as well as one of a hook. */
export function commandEnvironment(place: ToolDeps, spec: SessionSpec): ReturnType<typeof childEnvironment> {
  const { values } = place.settings
  return childEnvironment(place.env, {
    keyNames: place.keyNames,
    keyValues: place.keys,
    allow: [...values["env.allow"], ...(spec.env ?? [])],
    deny: values["env.deny"],
    session: place.session,
    // Whoever may only look is not given what opens other doors.
    secrets: place.sandbox !== "read-only",
  })
}

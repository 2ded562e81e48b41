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
import { networkRule, serverRule } from "@gong/policy/rule-names"
import type { Services } from "../../services.ts"
import { extraOptions } from "./extra-tools.ts"
import type { Config } from "../config.ts"
import type { SessionSpec, SandboxMode } from "@gong/config/session-spec"
import type { RunControls } from "../models/run-controls.ts"

export interface ToolDeps {
  readonly workspace: Workspace
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables that contain keys of models, and the keys. Commands receive neither. */
  readonly keyNames: readonly string[]
  readonly keys: readonly string[]
  readonly session: string
  /** The user's home folder. */
  readonly home: string
  readonly sandbox: SandboxMode
  /** Folders outside of the roots that the user or a rule allowed; `anywhere` at level `full`. */
  granted(): readonly string[] | "anywhere"
  /** Runs a task for a call. */
  readonly runTask: TaskOptions["run"]
  /** A user can answer dialogs of tools. */
  readonly interactive: boolean
  host(): Promise<Host>
  /** Tools of the program and of extensions. Changes take effect at the next selection of tools. */
  readonly toolSources: readonly ToolSource[]
  /** The tool with detection of the changes of its calls. */
  detecting(tool: Tool, jobs: Jobs): Tool
}

export interface BuiltTools extends Pick<ToolRegistry, "tools"> {
  /** Whole lines for the user about name collisions. */
  readonly lines: readonly string[]
  /** Background commands; they end with the session. */
  readonly jobs: Jobs
  /** Runs commands of the user, even if it is not among the selected tools; null with --no-tools. */
  readonly bash: Tool | null
  /** Declarations of all available tools, including those that sources have added later. */
  readonly declared: Declarations
  /** The available tools of a list in the form of `--tools`. */
  select(list: string): Outcome<readonly Tool[]>
}

/** The tools of a session, in catalogue order: Gong's own, then those of sources. */
export function buildTools(deps: ToolDeps, spec: SessionSpec): Outcome<BuiltTools> {
  const jobs = createJobs()
  if (spec.noTools === true) {
    return ok({ tools: [], lines: [], jobs, bash: null, declared: builtInDeclarations, select: noneToSelect })
  }
  const detecting = (tool: Tool): Tool => (changesUnrecorded(tool) ? deps.detecting(tool, jobs) : tool)
  const own = ownTools(deps, spec, jobs).map(detecting)
  const added = () => deps.toolSources.map((source) => ({ ...source, tools: source.tools.map(detecting) }))
  const merged = () => mergeTools([{ from: "Gong", tools: own }, ...added()], [networkRule, serverRule])
  const select = (list: string): Outcome<readonly Tool[]> => {
    const { tools } = merged()
    const known = tools.map((tool) => tool.name)
    const byDefault = known.filter((name) => !extraToolNames.includes(name))
    const chosen = selectTools(list, { known, presets: { ...presets, default: byDefault } })
    if (!chosen.ok) return chosen
    const names = chosen.value
    return ok(tools.filter(({ name, needsUser }) => names.includes(name) && (needsUser !== true || deps.interactive)))
  }
  const chosen = select(deps.settings.values.tools)
  if (!chosen.ok) return chosen
  const lines = merged().conflicts.map((line) => `gong: ${line}`)
  const bash = own.find(({ effect, command }) => effect === "execute" && command !== undefined) ?? null
  return ok({ tools: chosen.value, lines, jobs, bash, declared: declarationsOf(deps.toolSources), select })
}

/** Declarations of Gong's own tools, then of the current tools of the sources. */
function declarationsOf(sources: readonly ToolSource[]): Declarations {
  const added = (name: string) => sources.flatMap(({ tools }) => tools).find((tool) => tool.name === name)
  return (name) => builtInDeclarations(name) ?? added(name) ?? null
}

/** Selects again whenever the available tools have changed, unless the user has made another selection. */
export function reselecting(
  controls: RunControls,
  before: readonly Tool[],
  select: () => Outcome<readonly Tool[]>,
): () => void {
  let selected = before
  return () => {
    const now = select()
    if (!now.ok || controls.tools() !== selected) return
    selected = now.value
    controls.setTools(selected)
  }
}

/** The tools that a session here would have, for listing; they cannot be called. */
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
    runTask: () => Promise.reject(new Error("tools of a list cannot be called")),
    host: () => Promise.reject(new Error("tools of a list cannot be called")),
    toolSources: [],
    detecting: (tool) => tool,
  }
  const built = buildTools(inertDeps, spec)
  return built.ok ? ok(built.value.tools) : built
}

function noneToSelect(): Outcome<never> {
  return usage(phrase`this session was started with --no-tools.`)
}

function ownTools(deps: ToolDeps, spec: SessionSpec, jobs: JobTable): readonly Tool[] {
  const { workspace } = deps
  const { values } = deps.settings
  const { env, withheld } = commandEnvironment(deps, spec)
  return createBuiltIns(workspace.cwd, {
    ...extraOptions(deps),
    roots: () => {
      const granted = deps.granted()
      return granted === "anywhere" ? granted : [...workspace.roots, ...granted]
    },
    reads: values.reads,
    secrets: async () => {
      const { secretPaths } = await import("@gong/policy/sensitive/secrets")
      return secretPaths(deps)
    },
    host: deps.host,
    read: { imageMaxBytes: values["images.maxSize"] },
    bash: {
      env,
      withheld,
      shownFiles: async (command) => {
        const { printedFiles } = await import("@gong/policy/printed-files")
        return printedFiles(command, { cwd: workspace.cwd, home: deps.home })
      },
      defaultTimeout: values["bash.timeout"],
      background: values["bash.background"],
      jobs,
      sandboxed: deps.sandbox !== "off",
    },
  })
}

/** The environment of commands, both of the model and of hooks. */
export function commandEnvironment(deps: ToolDeps, spec: SessionSpec): ReturnType<typeof childEnvironment> {
  const { values } = deps.settings
  return childEnvironment(deps.env, {
    keyNames: deps.keyNames,
    keyValues: deps.keys,
    allow: [...values["env.allow"], ...(spec.env ?? [])],
    deny: values["env.deny"],
    session: deps.session,
    // Read-only commands get no variables with secrets of other services.
    secrets: deps.sandbox !== "read-only",
  })
}

import type { Static } from "@gong/spec"
import { openSite, type Site, type ToolOptions } from "../options.ts"
import { titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { createJobs, type JobTable } from "./jobs.ts"
import type { BashDetails } from "./result.ts"
import { commandForm, fromCommandForm } from "./hook-form.ts"
import { render, summary } from "./render.ts"

export const bashDeclaration = {
  name: "bash",
  effect: "execute",
  command: "command",
  aliases: ["Bash"],
  toHook: commandForm,
  fromHook: fromCommandForm,
  titles: ["job {0}", "end job {0}"],
  summary,
  render,
} as const satisfies OwnDeclaration

const parameters = {
  type: "object",
  properties: {
    command: { type: "string" },
    timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds until it is killed, at most 3600" },
    job: { type: "integer", minimum: 1, description: "Instead of command: read new output of this job" },
    stop: { type: "boolean", description: "With job: end it" },
  },
} as const

/** Told only where there is one. */
const withSandbox = {
  ...parameters,
  properties: {
    ...parameters.properties,
    unsandboxed: { type: "boolean", description: "Run outside the sandbox; needs permission" },
  },
} as const

export type BashArgs = Static<typeof withSandbox>

export const DEFAULT_TIMEOUT_S = 120

export interface Spawn {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface BashOptions extends ToolOptions {
  /** Put on a line before every command. */
  readonly commandPrefix?: string
  /** Full path of the shell; default: the host's bash. */
  readonly shellPath?: string
  /** The child's whole environment; default: the host's, marked as Gong's. */
  readonly env?: Readonly<Record<string, string>>
  /** Names kept out of that environment: a command that uses one is told. */
  readonly withheld?: readonly string[]
  /** Seconds for a command without a `timeout`. Default 120; 0 for none. */
  readonly defaultTimeout?: number
  /** Absolute paths of files that a command shows; those that are there count as looked at. Default: none. */
  readonly shownFiles?: (command: string) => readonly string[] | Promise<readonly string[]>
  /** What happens after that time: it goes on in the background (the default), or it is killed. */
  readonly background?: boolean
  /** Where commands go on; whoever gives it ends it. Default: one of the tool's own, which ends with the process. */
  readonly jobs?: JobTable
  /** What of a long output is shown: its end (the default), or 256 KB each of its beginning and end. */
  readonly strategy?: "tail" | "middle"
  /** The host has a sandbox, which a call may ask to be left out. */
  readonly sandboxed?: boolean
  /** The last word on what is run. */
  readonly spawnHook?: (spawn: Spawn) => Spawn
}

export type BashTool = ToolOf<BashArgs, BashDetails>

export function createBashTool(cwd: string, options: BashOptions = {}): BashTool {
  const site = openSite(cwd, options)
  const jobs = options.jobs ?? createJobs()
  return {
    ...bashDeclaration,
    label: "Bash",
    description: `Run a bash command in the working directory; stdin is closed. The end of long output is shown, all of it is in a file that is named.${limitText(options)}`,
    parameters: options.sandboxed === true ? withSandbox : parameters,
    promptSnippet: "Run shell commands",
    promptGuidelines: [],
    readOnly: false,
    interruptible: true,
    keepsTime: true,
    mapArguments: withoutEmptyCommand,
    title: ({ command, job, stop }) =>
      typeof job === "number" ? `${stop === true ? "end " : ""}job ${job}` : titleOf(command),
    execute: async (callId, args, context) =>
      (await import("./work.ts")).bash({ site, options, jobs }, callId, args, context),
  }
}

function limitText({ defaultTimeout = DEFAULT_TIMEOUT_S, background = true }: BashOptions): string {
  if (defaultTimeout === 0) return ""
  const after = background ? "Goes on in the background, as a job," : "Killed"
  return ` ${after} after ${defaultTimeout} s unless timeout is given.`
}

/** A model that fills in every field sends an empty command with a job. */
function withoutEmptyCommand(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { command, ...rest } = args
  return command === "" && args["job"] !== undefined ? rest : { ...args }
}

export interface Bash {
  readonly site: Site
  readonly options: BashOptions
  readonly jobs: JobTable
}

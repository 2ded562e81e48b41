import type { Static } from "@gong/spec"
import type { Site, ToolOptions } from "../options.ts"
import type { JobTable } from "./background/jobs.ts"

export const parameters = {
  type: "object",
  properties: {
    command: { type: "string" },
    timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds until it is killed, at most 3600" },
    job: { type: "integer", minimum: 1, description: "Instead of command: read new output of this job" },
    stop: { type: "boolean", description: "With job: end it" },
  },
} as const

/** Used only if the host has a sandbox. */
export const withSandbox = {
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
  /** A line before every command. */
  readonly commandPrefix?: string
  /** Full path of the shell; default: the host's bash. */
  readonly shellPath?: string
  /** The complete environment of the child. Default: the host's, with Gong's markers. */
  readonly env?: Readonly<Record<string, string>>
  /** Names withheld from that environment. A command that uses one gets a note. */
  readonly withheld?: readonly string[]
  /** Seconds for a command without a `timeout`. Default 120; 0 for none. */
  readonly defaultTimeout?: number
  /** Absolute paths of files that a command displays. Existing ones count as read. Default: none. */
  readonly shownFiles?: (command: string) => readonly string[] | Promise<readonly string[]>
  /** After the default timeout a command continues in the background (default), or is killed. */
  readonly background?: boolean
  /** The table of background jobs. Its owner ends them. Default: a table of this tool, which ends with the process. */
  readonly jobs?: JobTable
  /** The part of a long output that is shown: its end (default), or 256 KB each of its start and end. */
  readonly strategy?: "tail" | "middle"
  /** The host has a sandbox. A call may ask to run without it. */
  readonly sandboxed?: boolean
  /** Can change the final command line and environment. */
  readonly spawnHook?: (spawn: Spawn) => Spawn
}

export interface Bash {
  readonly site: Site
  readonly options: BashOptions
  readonly jobs: JobTable
  /** What the sandbox denied to commands, by their text. */
  readonly blocked: Map<string, string>
}

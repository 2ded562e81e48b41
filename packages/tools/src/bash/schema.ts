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

/** Told only where there is one. */
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

export interface Bash {
  readonly site: Site
  readonly options: BashOptions
  readonly jobs: JobTable
}

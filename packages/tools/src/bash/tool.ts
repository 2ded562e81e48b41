import type { Host, Static, ToolContext, ToolResult } from "@gong/spec"
import { childEnvironment } from "../env.ts"
import { seenFiles } from "../files.ts"
import { openSite, type Site, type ToolOptions } from "../options.ts"
import { codeOf, failed } from "../result.ts"
import { titleOf, type ToolOf } from "../tool.ts"
import { startCommand, type Command } from "./command.ts"
import { createJobs, type JobTable } from "./jobs.ts"
import { DEFAULT_TIMEOUT_S, type Left, MAX_TIMEOUT_S, startPatience } from "./patience.ts"
import { startProgress } from "./progress.ts"
import { readJob } from "./read-job.ts"
import { bashResult, type BashDetails, type Outcome } from "./result.ts"
import { notStartedText, toBackground } from "./texts.ts"

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

type BashArgs = Static<typeof withSandbox>

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
  readonly shownFiles?: (command: string) => readonly string[]
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
    name: "bash",
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
    execute: (callId, args, context) => bash({ site, options, jobs }, callId, args, context),
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

interface Bash {
  readonly site: Site
  readonly options: BashOptions
  readonly jobs: JobTable
}

type Result = ToolResult<BashDetails | null>

async function bash(bash: Bash, callId: string, args: BashArgs, context: ToolContext): Promise<Result> {
  const { command = "", timeout, job, stop, unsandboxed = false } = args
  if (context.signal.aborted) return failed("Command aborted", "aborted")
  const empty = command.trim() === ""
  if (job !== undefined) {
    if (!empty) return failed("Give a command or a job, not both. Nothing was run.")
    return readJob(bash.jobs, bash.site.clock, { job, ...(stop !== undefined && { stop }) }, context)
  }
  if (empty) return failed("The command is empty. Give a command to run, or the number of a job to read.")
  if (command.includes("\0"))
    return failed("The command holds a NUL character. Give it without; printf '\\0' makes one.")
  return runCommand(bash, { callId, command, unsandboxed, ...(timeout !== undefined && { timeout }) }, context)
}

interface CommandArgs {
  readonly callId: string
  readonly command: string
  readonly unsandboxed: boolean
  readonly timeout?: number
}

/** Runs it to its end, or to the time when it goes on as a job. */
async function runCommand(bash: Bash, args: CommandArgs, context: ToolContext): Promise<Result> {
  const { options, jobs, site } = bash
  const { clock } = site
  const host = await site.host()
  const spawn = spawnOf(host, site.place.cwd, options, args.command)
  if ((await host.stat(spawn.cwd))?.kind !== "directory")
    return failed(`Working directory does not exist: ${spawn.cwd}. Ask the user where to work.`)

  jobs.uses(host)
  const progress = startProgress(clock, (delta) => context.onProgress(delta))
  const command = startCommand({
    ...outputOf(args, options, context),
    ...spawn,
    host,
    clock,
    text: args.command,
    unsandboxed: args.unsandboxed,
    argv: argvOf(spawn, options),
    onText: progress.add,
  })
  const patience = startPatience(bash, command, args.timeout, context.signal)
  try {
    const job = await Promise.race([command.ended.then(() => null), patience.left])
    progress.end()
    const notes = [...command.notes, ...notesOf(args, options), ...patience.notes]
    const seen = await seenFiles(host, options.shownFiles?.(args.command) ?? [])
    return await resultOf(command, job, { durationMs: clock.now() - command.startedAt, notes, seen })
  } catch (error) {
    await command.output.discard()
    const code = codeOf(error)
    if (code === null) throw error
    // The sandbox failed, not the command: it says so itself.
    if (code === "ESANDBOX" && error instanceof Error) return failed(error.message)
    return failed(notStartedText(code, options.shellPath ?? "bash"))
  } finally {
    command.watch(null)
    progress.end()
    patience.stop()
  }
}

async function resultOf(
  command: Command,
  job: Left | null,
  more: Pick<Outcome, "durationMs" | "notes" | "seen">,
): Promise<Result> {
  const { output, ending } = command
  if (job !== null) {
    const notes = [...more.notes, toBackground(job.seconds, job.number)]
    return bashResult({ ...more, command, ending: null, collected: await output.take(), notes, job: job.number })
  }
  const collected = ending?.how === "abort" ? await output.discard() : await output.end()
  return bashResult({ ...more, command, ending, collected })
}

function spawnOf(host: Host, cwd: string, options: BashOptions, command: string): Spawn {
  const full = options.commandPrefix ? `${options.commandPrefix}\n${command}` : command
  const spawn = { command: full, cwd, env: options.env ?? childEnvironment(host.env, { keyNames: [] }).env }
  return options.spawnHook ? options.spawnHook(spawn) : spawn
}

function argvOf({ command }: Spawn, { shellPath }: BashOptions): string | readonly string[] {
  return shellPath === undefined ? command : [shellPath, "-c", command]
}

function outputOf({ callId }: CommandArgs, options: BashOptions, { artifacts }: ToolContext) {
  const { maxLines, maxBytes, strategy } = options
  const name = `gong-bash-${callId.replace(/[^\w-]/g, "_").slice(0, 64)}.log`
  return {
    ...(maxLines !== undefined && { maxLines }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(strategy !== undefined && { strategy }),
    ...(artifacts && { spillPath: () => artifacts.spillPath(name) }),
  }
}

function notesOf(args: CommandArgs, options: BashOptions): readonly string[] {
  const notes = (options.withheld ?? [])
    .filter((name) => new RegExp(`\\b${name}\\b`).test(args.command))
    .map((name) => withheldText(name))
  if ((args.timeout ?? 0) > MAX_TIMEOUT_S) notes.push(`[timeout was cut to ${MAX_TIMEOUT_S} seconds.]`)
  return notes
}

function withheldText(name: string): string {
  return `[${name} is withheld from commands. The user can allow it: --env ${name} or the setting env.allow]`
}

import type { Clock, Host, SeenFile, Static, ToolContext, ToolResult, ToolStatus } from "@gong/spec"
import { childEnvironment } from "../env.ts"
import { seenFiles } from "../files.ts"
import { openSite, type Site, type ToolOptions } from "../options.ts"
import { codeOf, failed, toolResult } from "../result.ts"
import { titleOf, type ToolOf } from "../tool.ts"
import { cutOf, truncateStringToBytesFromEnd, type Cut } from "../truncate.ts"
import { collectOutput, type Collected } from "./output.ts"
import { resultText, type Ending } from "./texts.ts"

const parameters = {
  type: "object",
  properties: {
    command: { type: "string" },
    timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds, at most 3600" },
  },
  required: ["command"],
} as const

type BashArgs = Static<typeof parameters>

export type BashDetails = {
  readonly command: string
  /** Null when a signal ended it. */
  readonly exit_code: number | null
  /** Milliseconds since the epoch. */
  readonly started_at: number
  readonly duration_ms: number
  readonly truncated: boolean
  readonly signal?: string
  readonly truncation?: Cut
  readonly fullOutputPath?: string
  /** The ends of both streams, when both said something. */
  readonly stdout?: string
  readonly stderr?: string
  /** Files that the command named to a program that shows them. */
  readonly seen?: readonly SeenFile[]
}

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
  /** The last word on what is run. */
  readonly spawnHook?: (spawn: Spawn) => Spawn
}

export type BashTool = ToolOf<BashArgs, BashDetails>

const DEFAULT_TIMEOUT_S = 120
const MAX_TIMEOUT_S = 3600
const PROGRESS_EVERY_MS = 100
const PROGRESS_MAX_BYTES = 16 * 1024

export function createBashTool(cwd: string, options: BashOptions = {}): BashTool {
  const site = openSite(cwd, options)
  return {
    name: "bash",
    label: "Bash",
    description:
      "Run a bash command in the working directory; stdin is closed. The end of long output is shown, all of it is in a file that is named. Killed after 120 s unless timeout is given.",
    parameters,
    promptSnippet: "Run shell commands",
    promptGuidelines: [],
    readOnly: false,
    interruptible: true,
    keepsTime: true,
    title: (args) => titleOf(args["command"]),
    execute: (callId, args, context) => bash(site, options, { callId, ...args }, context),
  }
}

/** Commands so far: each has a name of its own at whatever host. */
let commands = 0

async function bash(
  site: Site,
  options: BashOptions,
  args: BashArgs & { readonly callId: string },
  context: ToolContext,
): Promise<ToolResult<BashDetails | null>> {
  if (context.signal.aborted) return failed("Command aborted", "aborted")
  if (args.command.trim() === "") return failed("The command is empty. Give a command to run.")
  const host = await site.host()
  const spawn = spawnOf(host, site.place.cwd, options, args.command)
  if ((await host.stat(spawn.cwd))?.kind !== "directory")
    return failed(`Working directory does not exist: ${spawn.cwd}. Ask the user where to work.`)

  const artifacts = context.artifacts
  const progress = startProgress(site.clock, (delta) => context.onProgress(delta))
  const output = collectOutput({
    ...options,
    ...(artifacts && { spillPath: () => artifacts.spillPath(`gong-bash-${plainName(args.callId)}.log`) }),
    onText: progress.add,
  })
  const started = site.clock.now()
  const reasons = startReasons(site.clock, context.signal, args.timeout ?? options.defaultTimeout ?? DEFAULT_TIMEOUT_S)
  try {
    const ended = await host.exec(options.shellPath ? [options.shellPath, "-c", spawn.command] : spawn.command, {
      cwd: spawn.cwd,
      env: spawn.env,
      signal: reasons.signal,
      job: String(++commands),
      onData: output.add,
    })
    const ending = reasons.why() ?? endingOf(ended)
    progress.flush()
    const collected = ending.how === "abort" ? await output.discard() : await output.end()
    const times = { started_at: started, duration_ms: site.clock.now() - started }
    const seen = await seenFiles(host, options.shownFiles?.(args.command) ?? [])
    return resultOf(args, ending, collected, { ...times, ...(seen.length > 0 && { seen }) }, notesOf(args, options))
  } catch (error) {
    await output.discard()
    if (codeOf(error) === null) throw error
    const shell = options.shellPath ?? "bash"
    return failed(`${codeOf(error)}: the command could not be started with ${shell}. Ask the user to check the shell.`)
  } finally {
    reasons.stop()
    progress.stop()
  }
}

function spawnOf(host: Host, cwd: string, options: BashOptions, command: string): Spawn {
  const full = options.commandPrefix ? `${options.commandPrefix}\n${command}` : command
  const spawn = { command: full, cwd, env: options.env ?? childEnvironment(host.env, { keyNames: [] }).env }
  return options.spawnHook ? options.spawnHook(spawn) : spawn
}

/** The reasons to stop a command, as one signal; the first one counts. */
function startReasons(clock: Clock, outer: AbortSignal, wanted: number) {
  const controller = new AbortController()
  let why: Ending | null = null
  const stop = (reason: Ending) => {
    why ??= reason
    controller.abort()
  }
  const onAbort = () => stop({ how: "abort" })
  outer.addEventListener("abort", onAbort, { once: true })
  if (outer.aborted) onAbort()
  const seconds = Math.min(wanted, MAX_TIMEOUT_S)
  const cancel = seconds > 0 ? clock.timer(seconds * 1000, () => stop({ how: "timeout", seconds })) : () => {}
  return {
    signal: controller.signal,
    why: () => why,
    stop() {
      cancel()
      outer.removeEventListener("abort", onAbort)
    },
  }
}

function endingOf(ended: { readonly code: number | null; readonly signal: string | null }): Ending {
  return ended.code === null ? { how: "signal", signal: ended.signal ?? "unknown" } : { how: "exit", code: ended.code }
}

/** New text, at most ten times a second and only the end of it: for eyes, not for the record. */
function startProgress(clock: Clock, say: (delta: string) => void) {
  let text = ""
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (text === "") return
    const delta = truncateStringToBytesFromEnd(text, PROGRESS_MAX_BYTES)
    text = ""
    say(delta)
  }
  return {
    add(more: string) {
      text = text.length > PROGRESS_MAX_BYTES ? more : text + more
      cancel ??= clock.timer(PROGRESS_EVERY_MS, flush)
    },
    flush,
    stop: () => cancel?.(),
  }
}

function resultOf(
  args: BashArgs,
  ending: Ending,
  collected: Collected,
  more: Pick<BashDetails, "started_at" | "duration_ms" | "seen">,
  notes: readonly string[],
): ToolResult<BashDetails> {
  const { truncation, tails } = collected
  const details: BashDetails = {
    command: args.command,
    exit_code: ending.how === "exit" ? ending.code : null,
    truncated: truncation.truncated,
    ...more,
    ...(ending.how === "signal" && { signal: ending.signal }),
    ...(truncation.truncated && { truncation: cutOf(truncation) }),
    ...(truncation.truncated && collected.path !== undefined && { fullOutputPath: collected.path }),
    ...(tails.stdout !== "" && tails.stderr !== "" && tails),
  }
  const isError = !(ending.how === "exit" && ending.code === 0)
  return { ...toolResult(resultText(collected, ending, notes), details, isError), status: statusOf(ending, isError) }
}

function statusOf(ending: Ending, isError: boolean): ToolStatus {
  if (ending.how === "abort") return "aborted"
  if (ending.how === "timeout") return "timeout"
  return isError ? "error" : "ok"
}

function notesOf(args: BashArgs, options: BashOptions): readonly string[] {
  const notes = (options.withheld ?? [])
    .filter((name) => new RegExp(`\\b${name}\\b`).test(args.command))
    .map((name) => withheldText(name))
  if ((args.timeout ?? 0) > MAX_TIMEOUT_S) notes.push(`[timeout was cut to ${MAX_TIMEOUT_S} seconds.]`)
  return notes
}

function withheldText(name: string): string {
  return `[${name} is withheld from commands. The user can allow it: --env ${name} or the setting env.allow]`
}

function plainName(callId: string): string {
  return callId.replace(/[^\w-]/g, "_").slice(0, 64)
}

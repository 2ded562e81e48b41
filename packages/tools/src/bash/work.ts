import type { Host, ToolContext, ToolResult } from "@gong/spec"
import { childEnvironment } from "../env.ts"
import { seenFiles } from "../files/files.ts"
import { codeOf, failed } from "../result.ts"
import { startCommand, type Command } from "./command.ts"
import { type Backgrounded, MAX_TIMEOUT_S, startBackgroundTimeout } from "./background/background-timeout.ts"
import { startProgress } from "./progress.ts"
import { readJob } from "./background/read-job.ts"
import { bashResult, type BashDetails, type Outcome } from "./result.ts"
import { notStartedText, toBackground } from "./texts.ts"
import type { BashArgs, Spawn, BashOptions, Bash } from "./schema.ts"

type Result = ToolResult<BashDetails | null>

/** Executes one call of bash. */
export async function bash(bash: Bash, callId: string, args: BashArgs, context: ToolContext): Promise<Result> {
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

/** Runs a command to its exit, or until it moves to the background. */
async function runCommand(bash: Bash, args: CommandArgs, context: ToolContext): Promise<Result> {
  const { options, jobs, site } = bash
  const { clock } = site
  const host = await site.host()
  const spawn = spawnOf(host, bash, args.command, context)
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
    onOutput: progress.add,
  })
  const backgroundTimeout = startBackgroundTimeout(bash, command, args.timeout, context.signal)
  try {
    const job = await Promise.race([command.ended.then(() => null), backgroundTimeout.backgrounded])
    progress.end()
    const notes = [...command.notes, ...notesOf(args, options), ...backgroundTimeout.notes]
    const seen = await seenFiles(host, (await options.shownFiles?.(args.command)) ?? [])
    remember(bash, command)
    return await resultOf(command, job, { durationMs: clock.now() - command.startedAt, notes, seen })
  } catch (error) {
    await command.output.discard()
    const code = codeOf(error)
    if (code === null) throw error
    // The sandbox failed, not the command. The message explains why.
    if (code === "ESANDBOX" && error instanceof Error) return failed(error.message)
    return failed(notStartedText(code, options.shellPath ?? "bash"))
  } finally {
    command.watch(null)
    progress.end()
    backgroundTimeout.stop()
  }
}

const BLOCKED_MAX = 100

/** For the question about the same command outside the sandbox. */
function remember({ blocked }: Bash, command: Command): void {
  const denied = command.blocked()
  if (denied === null) return
  if (blocked.size >= BLOCKED_MAX) blocked.clear()
  blocked.set(command.text, denied)
}

async function resultOf(
  command: Command,
  job: Backgrounded | null,
  more: Pick<Outcome, "durationMs" | "notes" | "seen">,
): Promise<Result> {
  const { output } = command
  const exit = command.exit()
  if (job !== null) {
    const notes = [...more.notes, toBackground(job.seconds, job.number)]
    return bashResult({ ...more, command, exit: null, collected: await output.take(), notes, job: job.number })
  }
  const collected = exit?.how === "abort" ? await output.discard() : await output.end()
  return bashResult({ ...more, command, exit, collected })
}

function spawnOf(host: Host, { site, options }: Bash, command: string, context: ToolContext): Spawn {
  const full = options.commandPrefix ? `${options.commandPrefix}\n${command}` : command
  const env = options.env ?? childEnvironment(host.env, { keyNames: [] }).env
  const spawn = { command: full, cwd: site.place.cwd, env: { ...env, ...context.env } }
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

import { constants } from "node:os"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { codeOf } from "../../result.ts"
import { findShell } from "../shell.ts"
import { watchDenials } from "./denials.ts"
import { createLay, type Laid } from "./lay.ts"
import { isOutOfReach } from "./own-program.ts"
import type { SandboxOptions } from "./options.ts"
import { createSpares, type Spares } from "./spares.ts"
import * as texts from "./texts.ts"

/** bubblewrap says a few short lines. */
const SAID_MAX_CHARS = 4096

/**
 * A host whose commands are confined by bubblewrap; all else is the host's own. Commands that say `unsandboxed` are not, nor
 * programs of Gong's own that no command can have changed. One that the sandbox could not start is rejected with code
 * `ESANDBOX` and was not run.
 */
export function sandboxed(host: Host, options: SandboxOptions): Host {
  const lay = createLay(host, options)
  const outOfReach = isOutOfReach(host, options)
  let found: Promise<string> | undefined
  const shell = () => (found ??= findShell(host))
  const spares = createSpares(host, lay, shell)
  return {
    ...host,
    async exec(command, execOptions) {
      if (execOptions.unsandboxed === true) return host.exec(command, execOptions)
      const words = typeof command === "string" ? (options.outside?.(command) ?? null) : null
      if (words !== null) return host.exec(words, execOptions)
      if (execOptions.own === true && typeof command !== "string" && (await outOfReach(command[0] ?? "")))
        return host.exec(command, execOptions)
      const laid = await lay()
      const inner = typeof command === "string" ? [await shell(), "-c", command] : command
      try {
        return await confined({ host, options, spares, laid }, inner, execOptions)
      } finally {
        await laid.letGo()
      }
    },
    endJobs: spares.endJobs,
  }
}

interface Site {
  readonly host: Host
  readonly options: SandboxOptions
  readonly spares: Spares
  readonly laid: Laid
}

async function confined(site: Site, command: readonly string[], execOptions: ExecOptions): Promise<ExecResult> {
  const { host, options, laid } = site
  const denials = watchDenials(execOptions.cwd, laid.mounts, options.network)
  const ended = await run(site, command, {
    ...execOptions,
    onData(bytes, stream) {
      denials.add(bytes)
      execOptions.onData(bytes, stream)
    },
  })
  const removed = await takeAway(host, laid.layout.unwanted)
  const note = removed ?? (ended.code === 0 ? null : (denials.note() ?? signalNote(ended.code)))
  return note === null ? ended : { ...ended, note }
}

/** bubblewrap passes a signal on only as a shell does: as a number above 128. */
function signalNote(code: number | null): string | null {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0]
  return code === null || name === undefined ? null : texts.meansSignal(code, name)
}

/** Tells a command's own end from a sandbox that did not come to be. */
async function run(
  { host, spares, laid }: Site,
  command: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  let said = ""
  let status = ""
  const ended = await spares
    .exec(laid, command, {
      ...options,
      onData(bytes, stream) {
        if (stream === "stderr" && said.length < SAID_MAX_CHARS) said += Buffer.from(bytes).toString()
        options.onData(bytes, stream)
      },
      onStatus: (bytes) => void (status += Buffer.from(bytes).toString()),
    })
    .catch(async (error: unknown) => {
      if (await isOwnTrouble(host, options.cwd, error)) throw error
      throw notStarted(error instanceof Error ? error.message : String(error))
    })
  // Only what was really started has an exit code to tell; what was killed from outside may not have come so far.
  if (status.includes('"exit-code"') || ended.code === null || options.signal.aborted) return ended
  throw missingProgram(said) ?? notStarted(said)
}

/** What would have stopped the command outside as well: it is too long, or its folder is not to be entered. */
async function isOwnTrouble(host: Host, cwd: string, error: unknown): Promise<boolean> {
  if (codeOf(error) === "E2BIG") return true
  return host.stat(`${cwd}/.`).then(
    (found) => found === null,
    () => true,
  )
}

function missingProgram(said: string): Error | null {
  const [, why] = /^bwrap: execvp .+: (No such file or directory|Permission denied)$/m.exec(said) ?? []
  if (why === undefined) return null
  return Object.assign(new Error(said.trim()), { code: why === "Permission denied" ? "EACCES" : "ENOENT" })
}

function notStarted(said: string): Error {
  return Object.assign(new Error(texts.notStarted(said)), { code: "ESANDBOX" })
}

async function takeAway(host: Host, unwanted: readonly string[]): Promise<string | null> {
  let note: string | null = null
  for (const path of unwanted) {
    if ((await host.stat(path, { link: true })) === null) continue
    await host.remove(path)
    note = texts.takenAway(path)
  }
  return note
}

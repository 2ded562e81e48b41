import { constants } from "node:os"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { bubblewrapArguments, presentMounts } from "./arguments.ts"
import { findShell } from "../shell.ts"
import { join } from "../../posix-path.ts"
import { watchDenials } from "./denials.ts"
import { holdFolders } from "./hold.ts"
import { createLayout } from "./layout.ts"
import { isOutOfReach } from "./own-program.ts"
import type { Layout } from "./mount.ts"
import type { SandboxOptions } from "./options.ts"
import * as texts from "./texts.ts"

/** bubblewrap says a few short lines. */
const SAID_MAX_CHARS = 4096

/**
 * A host whose commands are confined by bubblewrap; all else is the host's own. Commands that say `unsandboxed` are not, nor
 * programs of Gong's own that no command can have changed. One that the sandbox could not start is rejected with code
 * `ESANDBOX` and was not run.
 */
export function sandboxed(host: Host, options: SandboxOptions): Host {
  const folders = holdFolders(host)
  const layOut = createLayout(host, options)
  const outOfReach = isOutOfReach(host, options)
  let shell: Promise<string> | undefined
  let ready: Promise<void> | undefined
  return {
    ...host,
    async exec(command, execOptions) {
      if (execOptions.unsandboxed === true) return host.exec(command, execOptions)
      const words = typeof command === "string" ? (options.outside?.(command) ?? null) : null
      if (words !== null) return host.exec(words, execOptions)
      if (execOptions.own === true && typeof command !== "string" && (await outOfReach(command[0] ?? "")))
        return host.exec(command, execOptions)
      await (ready ??= makeBlank(host, options.blank).catch(() => undefined))
      const layout = await layOut()
      const inner = typeof command === "string" ? [await (shell ??= findShell(host)), "-c", command] : command
      const letGo = await folders.hold(layout.made)
      try {
        return await confined({ host, options, layout }, inner, execOptions)
      } finally {
        await letGo()
      }
    },
  }
}

interface Site {
  readonly host: Host
  readonly options: SandboxOptions
  readonly layout: Layout
}

async function confined(site: Site, command: readonly string[], execOptions: ExecOptions): Promise<ExecResult> {
  const { host, options, layout } = site
  const mounts = await presentMounts(host, layout.mounts)
  const denials = watchDenials(execOptions.cwd, mounts, options.network)
  const ended = await run(host, [...bubblewrapArguments({ ...options, mounts }), ...command], {
    ...execOptions,
    onData(bytes, stream) {
      denials.add(bytes)
      execOptions.onData(bytes, stream)
    },
  })
  const removed = await takeAway(host, layout.unwanted)
  const note = removed ?? (ended.code === 0 ? null : (denials.note() ?? signalNote(ended.code)))
  return note === null ? ended : { ...ended, note }
}

/** A folder of which git sees nothing. Where it cannot be made an empty one must do, which `git clean` stumbles over. */
async function makeBlank(host: Host, path: string): Promise<void> {
  const ignore = join(await host.realpath(path), ".gitignore")
  if ((await host.stat(ignore)) !== null) return
  await host.replaceFile(ignore, new TextEncoder().encode("*\n"))
}

/** bubblewrap passes a signal on only as a shell does: as a number above 128. */
function signalNote(code: number | null): string | null {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0]
  return code === null || name === undefined ? null : texts.meansSignal(code, name)
}

/** Tells a command's own end from a sandbox that did not come to be. */
async function run(host: Host, argv: readonly string[], options: ExecOptions): Promise<ExecResult> {
  let said = ""
  let status = ""
  const ended = await host
    .exec(argv, {
      ...options,
      onData(bytes, stream) {
        if (stream === "stderr" && said.length < SAID_MAX_CHARS) said += Buffer.from(bytes).toString()
        options.onData(bytes, stream)
      },
      onStatus: (bytes) => void (status += Buffer.from(bytes).toString()),
    })
    .catch((error: unknown) => {
      throw notStarted(error instanceof Error ? error.message : String(error))
    })
  // Only what was really started has an exit code to tell; what was killed from outside may not have come so far.
  if (status.includes('"exit-code"') || ended.code === null || options.signal.aborted) return ended
  throw missingProgram(said) ?? notStarted(said)
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

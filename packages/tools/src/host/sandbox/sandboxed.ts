import { constants } from "node:os"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { codeOf } from "../../result.ts"
import { findShell } from "../processes/shell.ts"
import type { Visit } from "../gateway/index.ts"
import { watchDenials } from "./denials/denials.ts"
import { createLay, type Laid } from "./plan/sandbox-plan.ts"
import { notStarted } from "./not-started.ts"
import { isOutOfReach } from "./caches/trusted-program.ts"
import type { SandboxOptions } from "./options.ts"
import { createAskGit } from "./git/ask-git.ts"
import { comesFromAway, leadsAway } from "./review/push.ts"
import { createReview } from "./review/review.ts"
import * as texts from "./texts.ts"
import { createGuard } from "./steering/steering.ts"
import { confinedEnvironment } from "./variables.ts"

/** bubblewrap says a few short lines. */
const SAID_MAX_CHARS = 4096

/**
 * A host whose commands are confined by bubblewrap; all else is the host's own. Commands that say `unsandboxed` are not, nor
 * programs of Gong's own that no command can have changed. One that the sandbox could not start is rejected with code
 * `ESANDBOX` and was not run.
 */
export function sandboxed(host: Host, options: SandboxOptions): Host {
  const outOfReach = isOutOfReach(host, options)
  const running = new Set<string>()
  const ask = createAskGit(host, outOfReach)
  const lay = createLay(host, options, ask)
  const review = createReview(host, ask)
  const guard = createGuard(host, options, ask)
  let found: Promise<string> | undefined
  const shell = () => (found ??= findShell(host))
  return {
    ...host,
    async replaceFile(path, content, more) {
      guard.writes(path, content)
      return host.replaceFile(path, content, more)
    },
    async exec(command, execOptions) {
      if (execOptions.unsandboxed === true) return guard.outside(() => host.exec(command, execOptions))
      const words = typeof command === "string" ? (options.outside?.(command) ?? null) : null
      if (words !== null && (await leadsAway(words, { ask, cwd: execOptions.cwd, options })))
        return guard.outside(() => host.exec(words, execOptions))
      if (execOptions.own === true && typeof command !== "string" && (await outOfReach(command[0] ?? "")))
        return host.exec(command, execOptions)
      const fetch = typeof command === "string" ? (options.fetches?.(command) ?? null) : null
      const fetchesAway = fetch !== null && (await comesFromAway(fetch, { ask, cwd: execOptions.cwd, options }))
      const inner = typeof command === "string" ? [await shell(), "-c", command] : command
      const visit = await visitOf(options)
      const start = async () => {
        const { held, around } = await guard.watch(command, fetchesAway ? execOptions.cwd : null)
        const laid = await lay({ running, more: visit?.mounts ?? [], held })
        try {
          const run = () => confined({ host, options, laid, visit, running }, inner, execOptions)
          return await review.around(laid.layout, () => around(run))
        } finally {
          laid.letGo()
        }
      }
      try {
        return await started(start)
      } finally {
        visit?.leave()
      }
    },
    async endJobs(keep) {
      await host.endJobs(keep)
      if (keep === undefined || keep.length === 0) await review.settled()
      options.gateway?.close()
    },
  }
}

/** What is mounted over, such as the socket of another program, may go between the look and the mount. */
async function started(start: () => Promise<ExecResult>, tries = STARTS_MAX): Promise<ExecResult> {
  try {
    return await start()
  } catch (error) {
    const isMount = codeOf(error) === "ESANDBOX" && error instanceof Error && mountTrouble.test(error.message)
    if (!isMount || tries <= 1) throw error
    return started(start, tries - 1)
  }
}

const STARTS_MAX = 3
const mountTrouble = /bwrap: Can't /
/** It writes its name by itself. */
const maybeMountTrouble = /^bwrap: (?:$|Can't )/

interface Site {
  readonly host: Host
  readonly options: SandboxOptions
  readonly laid: Laid
  /** Null: the command's network has no gateway. */
  readonly visit: Visit | null
  /** Process namespaces of the commands that run. */
  readonly running: Set<string>
}

/** A network that cannot be had is a sandbox that cannot: the command is not run. */
async function visitOf({ gateway }: SandboxOptions): Promise<Visit | null> {
  if (!gateway) return null
  return gateway.enter().catch((error: unknown) => {
    throw notStarted(error instanceof Error ? error.message : String(error))
  })
}

async function confined(site: Site, command: readonly string[], execOptions: ExecOptions): Promise<ExecResult> {
  const { host, options, laid, visit } = site
  const env = confinedEnvironment(execOptions.env ?? host.env, options.variables)
  const denials = watchDenials({
    cwd: execOptions.cwd,
    mounts: laid.mounts,
    network: options.network,
    withheld: laid.withheld,
  })
  const ended = await run(site, command, {
    ...execOptions,
    env: visit ? visit.environment(env) : env,
    onData(bytes, stream) {
      denials.add(bytes)
      execOptions.onData(bytes, stream)
    },
  })
  const refused = visit?.leave() ?? null
  // Of one that was killed its end says nothing.
  const note =
    ended.code === 0 || execOptions.signal.aborted ? null : (refused ?? denials.note() ?? signalNote(ended.code))
  return note === null ? ended : { ...ended, note }
}

/** bubblewrap passes a signal on only as a shell does: as a number above 128. */
function signalNote(code: number | null): string | null {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0]
  return code === null || name === undefined ? null : texts.meansSignal(code, name)
}

/** Tells a command's own end from a sandbox that did not come to be. */
async function run(site: Site, command: readonly string[], options: ExecOptions): Promise<ExecResult> {
  const { host, laid, visit, running } = site
  let said = ""
  let status = ""
  let namespace: string | undefined
  const held = holdBack((bytes) => options.onData(bytes, "stderr"))
  const ended = await host
    .exec([...(visit?.enter ?? []), ...laid.call.argv, ...command], {
      ...options,
      inputs: laid.call.inputs,
      onData(bytes, stream) {
        if (stream === "stderr" && said.length < SAID_MAX_CHARS) said += Buffer.from(bytes).toString()
        if (stream === "stdout") options.onData(bytes, stream)
        else held.add(bytes, maybeMountTrouble.test(said))
      },
      onStatus(bytes) {
        status += Buffer.from(bytes).toString()
        namespace ??= /"pid-namespace": (\d+)/.exec(status)?.[1]
        if (namespace !== undefined) running.add(namespace)
      },
    })
    .catch(async (error: unknown) => {
      if (await isOwnTrouble(host, options.cwd, error)) throw error
      throw notStarted(error instanceof Error ? error.message : String(error))
    })
    .finally(() => namespace !== undefined && running.delete(namespace))
  // Only what was really started has an exit code to tell; what was killed from outside may not have come so far.
  if (status.includes('"exit-code"') || ended.code === null || options.signal.aborted) {
    held.pass()
    return ended
  }
  throw missingProgram(said) ?? notStarted(said)
}

/** Words of bubblewrap about a mount are kept until it is known whether they are the command's own. */
function holdBack(pass: (bytes: Uint8Array) => void) {
  let kept: Uint8Array[] = []
  let length = 0
  const passAll = () => {
    for (const bytes of kept) pass(bytes)
    kept = []
  }
  return {
    add(bytes: Uint8Array, hold: boolean): void {
      length += bytes.length
      if (hold && length <= SAID_MAX_CHARS) return void kept.push(Uint8Array.from(bytes))
      passAll()
      pass(bytes)
    },
    pass: passAll,
  }
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

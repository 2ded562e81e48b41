import { constants } from "node:os"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { codeOf } from "../../result.ts"
import { findShell } from "../processes/shell.ts"
import type { CommandNetwork } from "../gateway/index.ts"
import { createDenialDetector } from "./denials/denials.ts"
import { createPlanner, type SandboxPlan } from "./plan/sandbox-plan.ts"
import { notStarted } from "./not-started.ts"
import { createTrustCheck } from "./caches/trusted-program.ts"
import type { SandboxOptions } from "./options.ts"
import { createAskGit } from "./git/ask-git.ts"
import { fetchesFromOutside, pushesOutside } from "./review/remotes.ts"
import { createReview } from "./review/review.ts"
import * as texts from "./texts.ts"
import { createAutorunGuard } from "./autorun/autorun-guard.ts"
import { confinedEnvironment, setInside } from "./variables.ts"

/** bubblewrap prints only a few short lines. */
const SAID_MAX_CHARS = 4096

/**
 * A host whose commands are confined by bubblewrap. Exceptions are commands with `unsandboxed`, and Gong's own programs
 * that no command can have changed. If the sandbox cannot start, rejects with code `ESANDBOX`; the command was not run.
 */
export function createSandboxedHost(host: Host, options: SandboxOptions): Host {
  const isTrusted = createTrustCheck(host, options)
  const running = new Set<string>()
  const ask = createAskGit(host, isTrusted)
  const createPlan = createPlanner(host, options, ask)
  const review = createReview(host, ask)
  const guard = createAutorunGuard(host, options, ask)
  let found: Promise<string> | undefined
  const shell = () => (found ??= findShell(host))
  return {
    ...host,
    async replaceFile(path, content, extraMounts) {
      guard.writes(path, content)
      return host.replaceFile(path, content, extraMounts)
    },
    async exec(command, execOptions) {
      if (execOptions.unsandboxed === true) return guard.outside(() => host.exec(command, execOptions))
      const words = typeof command === "string" ? (options.outside?.(command) ?? null) : null
      if (words !== null && (await pushesOutside(words, { ask, cwd: execOptions.cwd, options })))
        return guard.outside(() => host.exec(words, execOptions))
      if (execOptions.own === true && typeof command !== "string" && (await isTrusted(command[0] ?? "")))
        return host.exec(command, execOptions)
      const fetch = typeof command === "string" ? (options.fetches?.(command) ?? null) : null
      const fetchesAway = fetch !== null && (await fetchesFromOutside(fetch, { ask, cwd: execOptions.cwd, options }))
      const inner = typeof command === "string" ? [await shell(), "-c", command] : command
      const network = await networkOf(options)
      const start = async () => {
        const { readOnlyPaths, around } = await guard.start(command, fetchesAway ? execOptions.cwd : null)
        const plan = await createPlan({ running, extraMounts: network?.mounts ?? [], readOnlyPaths })
        try {
          const run = () => confined({ host, options, plan, network, running }, inner, execOptions)
          return await review.around(plan.layout, () => around(run))
        } finally {
          plan.release()
        }
      }
      try {
        return await started(start)
      } finally {
        network?.leave()
      }
    },
    async endJobs(keep) {
      await host.endJobs(keep)
      if (keep === undefined || keep.length === 0) await review.settled()
      options.gateway?.close()
    },
  }
}

/** A path to mount over, such as the socket of another program, may disappear between check and mount. */
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
/** bubblewrap writes its name separately. */
const maybeMountTrouble = /^bwrap: (?:$|Can't )/

interface CommandContext {
  readonly host: Host
  readonly options: SandboxOptions
  readonly plan: SandboxPlan
  /** Null if the network has no gateway. */
  readonly network: CommandNetwork | null
  /** Pid namespaces of the running commands. */
  readonly running: Set<string>
}

/** If the network cannot start, the command is not run. */
async function networkOf({ gateway }: SandboxOptions): Promise<CommandNetwork | null> {
  if (!gateway) return null
  return gateway.enter().catch((error: unknown) => {
    throw notStarted(error instanceof Error ? error.message : String(error))
  })
}

async function confined(
  context: CommandContext,
  command: readonly string[],
  execOptions: ExecOptions,
): Promise<ExecResult> {
  const { host, options, plan, network } = context
  const env = confinedEnvironment(execOptions.env ?? host.env, options.variables)
  const denials = createDenialDetector({
    cwd: execOptions.cwd,
    mounts: plan.mounts,
    network: options.network,
    withheld: plan.withheld,
  })
  const set = setInside(network ? network.environment(env) : env, command)
  const ended = await run(context, set.command, {
    ...execOptions,
    env: set.env,
    onData(bytes, stream) {
      denials.add(bytes)
      execOptions.onData(bytes, stream)
    },
  })
  const refused = network?.leave() ?? null
  // The exit status of a killed command means nothing.
  if (ended.code === 0 || execOptions.signal.aborted) return ended
  if (refused !== null) return { ...ended, note: refused }
  const note = signalNote(ended.code)
  return { ...ended, ...(denials.found() ?? (note !== null && { note })) }
}

/** bubblewrap reports a signal like a shell, as an exit code above 128. */
function signalNote(code: number | null): string | null {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0]
  return code === null || name === undefined ? null : texts.meansSignal(code, name)
}

/** Distinguishes the exit of the command from a failed start of the sandbox. */
async function run(context: CommandContext, command: readonly string[], options: ExecOptions): Promise<ExecResult> {
  const { host, plan, network, running } = context
  let errors = ""
  let status = ""
  let namespace: string | undefined
  const stderr = holdBack((bytes) => options.onData(bytes, "stderr"))
  const ended = await host
    .exec([...(network?.enter ?? []), ...plan.call.argv, ...command], {
      ...options,
      inputs: plan.call.inputs,
      onData(bytes, stream) {
        if (stream === "stderr" && errors.length < SAID_MAX_CHARS) errors += Buffer.from(bytes).toString()
        if (stream === "stdout") options.onData(bytes, stream)
        else stderr.add(bytes, maybeMountTrouble.test(errors))
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
  // Only a started command has an exit code. A command killed from outside may not have started.
  if (status.includes('"exit-code"') || ended.code === null || options.signal.aborted) {
    stderr.pass()
    return ended
  }
  throw missingProgram(errors) ?? notStarted(errors)
}

/** Holds back bubblewrap's messages about mounts until it is known whether they belong to the command. */
function holdBack(pass: (bytes: Uint8Array) => void) {
  let kept: Uint8Array[] = []
  let length = 0
  const passAll = () => {
    for (const bytes of kept) pass(bytes)
    kept = []
  }
  return {
    add(bytes: Uint8Array, acquirePlaceholders: boolean): void {
      length += bytes.length
      if (acquirePlaceholders && length <= SAID_MAX_CHARS) return void kept.push(Uint8Array.from(bytes))
      passAll()
      pass(bytes)
    },
    pass: passAll,
  }
}

/** Errors that would occur outside the sandbox too: the command line is too long, or its folder cannot be entered. */
async function isOwnTrouble(host: Host, cwd: string, error: unknown): Promise<boolean> {
  if (codeOf(error) === "E2BIG") return true
  return host.stat(`${cwd}/.`).then(
    (found) => found === null,
    () => true,
  )
}

function missingProgram(errors: string): Error | null {
  const [, why] = /^bwrap: execvp .+: (No such file or directory|Permission denied)$/m.exec(errors) ?? []
  if (why === undefined) return null
  return Object.assign(new Error(errors.trim()), { code: why === "Permission denied" ? "EACCES" : "ENOENT" })
}

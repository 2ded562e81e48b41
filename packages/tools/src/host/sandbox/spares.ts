import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import type { Laid } from "./lay.ts"
import { canWait, type Spare, startSpare, type Surroundings } from "./spare.ts"

/** Runs commands in sandboxes, of which the next one may wait already. */
export interface Spares {
  /** In the one that waits, when it is what would be made now, else in one of its own. */
  exec(laid: Laid, command: readonly string[], options: ExecOptions): Promise<ExecResult>
  /** Ends the one that waits, and ends jobs as the host does. */
  endJobs(keep?: readonly string[]): Promise<void>
}

/** Behind the result, and behind a command that follows at once: making one takes as long as the command would save. */
const BEGIN_AFTER_MS = 10
/** A model seldom thinks for longer. What waits costs a megabyte, and folders of ours lie in the workspace so long. */
const WAITS_MAX_MS = 60_000

/** At most one waits at a time. It is begun when a command has ended, for one in the same surroundings. */
export function createSpares(host: Host, lay: () => Promise<Laid>, shell: () => Promise<string>): Spares {
  let one: Spare | null = null
  let timer: NodeJS.Timeout | undefined
  let beginning: Promise<unknown> = Promise.resolve()
  /** What the jobs of commands are called at the host that run in what was a spare. */
  const names = new Map<string, string>()

  const begin = async (around: Surroundings): Promise<void> => {
    // The folders that are held would bring a workspace back that was removed.
    if (one !== null || (await host.stat(around.cwd)) === null) return
    const laid = await lay()
    const spare = startSpare(host, await shell(), laid, around)
    one = spare
    const idle = setTimeout(() => leave(spare).end(), WAITS_MAX_MS).unref()
    const gone = () => {
      clearTimeout(idle)
      leave(spare)
    }
    spare.ended.then(gone, gone)
  }
  const leave = (spare: Spare): Spare => {
    if (one === spare) one = null
    return spare
  }
  const beginLater = ({ cwd, env }: ExecOptions): void => {
    clearTimeout(timer)
    if (one !== null) return
    const around = { cwd, ...(env && { env }) }
    const next = () => void (beginning = beginning.then(() => begin(around)).catch(() => undefined))
    timer = setTimeout(next, BEGIN_AFTER_MS).unref()
  }
  /** Null when the command was not run. */
  const inSpare = async (laid: Laid, command: readonly string[], options: ExecOptions): Promise<ExecResult | null> => {
    if (one?.ready !== true) return null
    const spare = leave(one)
    if (!(await spare.fits(laid, options))) {
      spare.end()
      return null
    }
    const { job = "" } = options
    names.set(job, spare.name)
    return spare.run(command, options).finally(() => names.delete(job))
  }
  return {
    async exec(laid, command, options) {
      if (!canWait(command, options)) return host.exec([...laid.argv, ...command], options)
      clearTimeout(timer)
      try {
        return (await inSpare(laid, command, options)) ?? (await host.exec([...laid.argv, ...command], options))
      } finally {
        beginLater(options)
      }
    },
    async endJobs(keep = []) {
      clearTimeout(timer)
      await beginning
      const waiting = one === null ? null : leave(one)
      waiting?.end()
      await waiting?.ended
      await host.endJobs(keep.map((name) => names.get(name) ?? name))
    },
  }
}

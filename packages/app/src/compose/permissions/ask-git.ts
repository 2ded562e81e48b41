import type { Host } from "@gong/spec"
import { childEnvironment } from "@gong/tools"
import type { GitOutput, Variables } from "@gong/policy/git/git-facts"
import { systemClock } from "../../ports.ts"

/** An answer takes some milliseconds. */
const ASK_MAX_MS = 5_000
/** The names of some 600,000 files. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024

/**
 * Asks the machine's git what it would do in a folder, with these variables on top of those of commands: only questions that
 * run nothing, whatever a repository says. Null: there is no git, or no answer.
 */
export async function askGit(
  host: Host,
  folder: string,
  args: readonly string[],
  more: Variables,
): Promise<GitOutput | null> {
  const program = await host.which("git", { own: true })
  if (program === null) return null
  const env = { ...childEnvironment(host.env, { keyNames: [] }).env, ...more }
  const pieces: Uint8Array[] = []
  let size = 0
  const onData = (bytes: Uint8Array, stream: "stdout" | "stderr"): void => {
    if (stream !== "stdout" || (size += bytes.length) > ANSWER_MAX_BYTES) return
    pieces.push(Uint8Array.from(bytes))
  }
  const stop = new AbortController()
  let cancel = (): void => undefined
  const onStart = (): void => void (cancel = systemClock.timer(ASK_MAX_MS, () => stop.abort()))
  const options = { cwd: folder, env, own: true, signal: stop.signal, onStart, onData }
  const ended = await host.exec([program, ...args], options).catch(() => null)
  cancel()
  if (ended === null || ended.code === null || size > ANSWER_MAX_BYTES) return null
  return { code: ended.code, stdout: Buffer.concat(pieces).toString() }
}

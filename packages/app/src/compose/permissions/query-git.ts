import type { Host } from "@gong/spec"
import { childEnvironment } from "@gong/tools"
import type { GitOutput, Variables } from "@gong/policy/git/git-facts"
import { systemClock } from "../../ports.ts"

/** Milliseconds; the usual answer takes a few. */
const timeout = 5_000
/** Enough for the names of 600,000 files. */
const maxAnswerBytes = 64 * 1024 * 1024

/**
 * Asks the installed git what it would do in a folder, with these variables added to those of commands. The arguments must not
 * run any program that the repository configures. Null: there is no git, or no answer.
 */
export async function queryGit(
  host: Host,
  folder: string,
  args: readonly string[],
  variables: Variables,
): Promise<GitOutput | null> {
  const program = await host.which("git", { own: true })
  if (program === null) return null
  const env = { ...childEnvironment(host.env, { keyNames: [] }).env, ...variables }
  const chunks: Uint8Array[] = []
  let size = 0
  const onData = (bytes: Uint8Array, stream: "stdout" | "stderr"): void => {
    if (stream !== "stdout" || (size += bytes.length) > maxAnswerBytes) return
    chunks.push(Uint8Array.from(bytes))
  }
  const stop = new AbortController()
  let cancel = (): void => undefined
  const onStart = (): void => void (cancel = systemClock.timer(timeout, () => stop.abort()))
  const options = { cwd: folder, env, own: true, signal: stop.signal, onStart, onData }
  const ended = await host.exec([program, ...args], options).catch(() => null)
  cancel()
  if (ended === null || ended.code === null || size > maxAnswerBytes) return null
  return { code: ended.code, stdout: Buffer.concat(chunks).toString() }
}

import type { Host } from "@gong/spec"

/** Maximum size of an answer. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024
/** An answer usually takes milliseconds. */
const ASK_MAX_MS = 5000

/** The output of a git query. Null if it fails, is too long, or times out. */
export type AskGit = (cwd: string, args: readonly string[]) => Promise<string | null>

/** Splits the output of a query with `-z`. */
export function wordsOf(answer: string | null): readonly string[] {
  return answer?.split("\0").slice(0, -1) ?? []
}

/**
 * Runs queries with the machine's git, outside the sandbox; only such that start no program, whatever the repository
 * contains. `mayRun`: whether a program is out of reach of commands.
 */
export function createAskGit(host: Host, mayRun: (program: string) => Promise<boolean>): AskGit {
  let found: Promise<string | null> | undefined
  const find = async () => {
    const program = await host.which("git", { own: true })
    return program !== null && (await mayRun(program)) ? program : null
  }
  return async (cwd, args) => {
    const program = await (found ??= find())
    if (program === null) return null
    const pieces: Uint8Array[] = []
    let size = 0
    const stop = AbortSignal.timeout(ASK_MAX_MS)
    const onData = (bytes: Uint8Array, stream: "stdout" | "stderr") => {
      if (stream !== "stdout" || (size += bytes.length) > ANSWER_MAX_BYTES) return
      pieces.push(Uint8Array.from(bytes))
    }
    // Disables fetching of missing objects, and replacement of commits.
    const own = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" }
    const env = { ...host.env, ...own, GIT_NO_REPLACE_OBJECTS: "1", GIT_GRAFT_FILE: "/dev/null" }
    const words = [program, "--no-optional-locks", "-c", "core.fsmonitor=false", ...args]
    const ended = await host.exec(words, { cwd, env, signal: stop, onData }).catch(() => null)
    if (ended?.code !== 0 || size > ANSWER_MAX_BYTES) return null
    return Buffer.concat(pieces).toString()
  }
}

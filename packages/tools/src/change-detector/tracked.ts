import type { Clock, Host } from "@gong/spec"
import { join } from "../posix-path.ts"

/** Maximum bytes of a git answer. The rest is ignored. */
const NAMES_MAX_BYTES = 16 * 1024 * 1024
/** Ids per query, because the length of a command line is limited. */
const IDS_MAX = 1000

export interface GitContext {
  readonly host: Host
  readonly folder: string
  readonly clock: Clock
  /** Milliseconds per query. */
  readonly maxTime: number
  /** Environment in which git runs no program of the repository; null if git must not be used. */
  gitEnvironment(): Promise<Readonly<Record<string, string>> | null>
}

/** Unmodified tracked files by full path, with their blob ids. Empty without git. */
export async function cleanFiles(place: GitContext): Promise<ReadonlyMap<string, string>> {
  const git = await gitOf(place)
  if (git === null) return new Map()
  const ask = (option: string) => output(git, [git.program, "ls-files", "-z", ...option.split(" ")], NAMES_MAX_BYTES)
  const [all, modified] = await Promise.all([ask("-v -s"), ask("-m")])
  const clean = new Map<string, string>()
  if (all === null || modified === null) return clean
  const dirty = new Set(namesIn(modified))
  for (const line of namesIn(all)) {
    // `H`: not skipped by git. Files marked as unchanged by the user may differ.
    const match = /^H 100\d{3} ([0-9a-f]{40,64}) 0\t(.+)$/s.exec(line)
    if (match?.[1] && match[2] && !dirty.has(match[2])) clean.set(join(place.folder, match[2]), match[1])
  }
  return clean
}

/** Blobs by id, at most `maxBytes` in total. Missing ones are left out. */
export async function blobs(
  place: GitContext,
  ids: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  // Checked again, since a command may have changed the repository.
  const git = ids.length === 0 ? null : await gitOf(place)
  if (git === null) return found
  let room = maxBytes
  for (let at = 0; at < ids.length && room > 0; at += IDS_MAX) {
    const asked = ids.slice(at, at + IDS_MAX)
    const command = `'${git.program.replaceAll("'", "'\\''")}' cat-file --batch <<'END'\n${asked.join("\n")}\nEND`
    const answer = await output(git, command, room)
    if (answer === null) return found
    room -= answer.length
    readBatch(answer, found)
  }
  return found
}

/** `<id> blob <size>`, newline, the bytes, newline; repeated. */
function readBatch(answer: Buffer, found: Map<string, Uint8Array>): void {
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf("\n", at)
    const [id = "", type, size] = answer.toString("latin1", at, end === -1 ? answer.length : end).split(" ")
    if (end === -1) return
    at = end + 1
    if (type !== "blob") continue
    const stop = at + Number(size)
    if (stop > answer.length) return
    found.set(id, answer.subarray(at, stop))
    at = stop + 1
  }
}

interface Git extends GitContext {
  /** Full path of git. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** Null if git is missing or must not be used. */
async function gitOf(place: GitContext): Promise<Git | null> {
  const program = await place.host.which("git", { own: true })
  const env = program === null ? null : await place.gitEnvironment()
  return program === null || env === null ? null : { ...place, program, env: { ...place.host.env, ...env } }
}

/** The output of a program; null if it could not start, failed, exceeded the limit or timed out. */
async function output(git: Git, command: string | readonly string[], maxBytes: number): Promise<Buffer | null> {
  const stop = new AbortController()
  let cancel = (): void => undefined
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    const { code } = await git.host.exec(command, {
      cwd: git.folder,
      env: git.env,
      signal: stop.signal,
      onStart: () => void (cancel = git.clock.timer(git.maxTime, () => stop.abort())),
      onData(bytes, stream) {
        if (stream !== "stdout") return
        size += bytes.length
        if (size > maxBytes) stop.abort()
        else pieces.push(Uint8Array.from(bytes))
      },
    })
    return code === 0 && !stop.signal.aborted ? Buffer.concat(pieces) : null
  } catch {
    return null
  } finally {
    cancel()
  }
}

function namesIn(answer: Buffer): readonly string[] {
  return answer
    .toString()
    .split("\0")
    .filter((name) => name !== "")
}

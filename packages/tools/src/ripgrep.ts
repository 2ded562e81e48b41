import type { Host } from "@gong/spec"
import { findRipgrep } from "./host/ripgrep.ts"
import { join } from "./posix-path.ts"
import { secretFolders, type Place } from "./paths.ts"
import { checkAborted, Refusal } from "./result.ts"

export interface RipgrepOptions {
  /** Full path of ripgrep; default: the one that npm brought, then the PATH. */
  readonly rgPath?: string
}

export interface RipgrepRun {
  readonly args: readonly string[]
  readonly cwd: string
  readonly signal: AbortSignal
  /** What ends a line. Default a newline. */
  readonly separator?: "\n" | "\0"
  /** One line of output, without its end. `false` ends the search: the rest is not wanted. */
  onLine(line: string): boolean
}

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 an error (there may be results too); null when it was ended by us. */
  readonly code: number | null
  readonly stderr: string
}

const STDERR_MAX_CHARS = 4096

/** Runs ripgrep and hands over its lines as they come; nothing is piled up. */
export async function runRipgrep(host: Host, options: RipgrepOptions, run: RipgrepRun): Promise<RipgrepEnd> {
  const rg = options.rgPath ?? (await findRipgrep(host))
  if (rg === null)
    throw new Refusal(
      "ripgrep (rg) was not found: neither its npm package nor the PATH has it. Use bash with grep or find.",
    )
  const enough = new AbortController()
  const onAbort = () => enough.abort()
  run.signal.addEventListener("abort", onAbort, { once: true })
  if (run.signal.aborted) onAbort()
  let stderr = ""
  const lines = lineSplitter(run.separator ?? "\n", (line) => {
    if (!enough.signal.aborted && !run.onLine(line)) enough.abort()
  })
  try {
    const ended = await host.exec([rg, "--no-config", "--color=never", ...run.args], {
      cwd: run.cwd,
      signal: enough.signal,
      onData(bytes, stream) {
        if (stream === "stdout") lines.add(bytes)
        else if (stderr.length < STDERR_MAX_CHARS) stderr += Buffer.from(bytes).toString()
      },
    })
    checkAborted(run.signal)
    if (enough.signal.aborted) return { code: null, stderr }
    lines.end()
    return { code: ended.code, stderr }
  } finally {
    run.signal.removeEventListener("abort", onAbort)
  }
}

/** Keeps ripgrep out of the folders that `read` refuses, when a search begins above them. */
export function secretGlobs(host: Host, place: Place, searched: string): readonly string[] {
  if (place.roots === undefined || place.roots === "anywhere") return []
  const base = searched === "/" ? "/" : `${searched}/`
  const hidden = [...secretFolders.map((folder) => join(host.home, folder)), ...(place.secrets ?? [])]
  const globs = hidden.filter((path) => path.startsWith(base)).map((path) => `!/${path.slice(base.length)}`)
  // Logins of other programs lie in dot folders of the home.
  if (host.home === searched) globs.push("!/.*/**/auth.json")
  else if (host.home.startsWith(base)) globs.push(`!/${host.home.slice(base.length)}/.*/**/auth.json`)
  return globs.flatMap((glob) => ["--glob", glob])
}

/** Cuts bytes at a separator; a line that comes in many pieces is joined once. */
function lineSplitter(
  separator: string,
  onLine: (line: string) => void,
): { add(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  return {
    add(bytes) {
      const text = decoder.decode(bytes, { stream: true })
      let start = 0
      for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, start)) {
        pieces.push(text.slice(start, at))
        onLine(pieces.length === 1 ? (pieces[0] ?? "") : pieces.join(""))
        pieces = []
        start = at + 1
      }
      if (start < text.length) pieces.push(text.slice(start))
    },
    end() {
      if (pieces.length > 0) onLine(pieces.join(""))
    },
  }
}

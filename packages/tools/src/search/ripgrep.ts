import type { Clock, Host } from "@gong/spec"
import { findRipgrep } from "../host/ripgrep.ts"
import { codeOf, checkAborted } from "../result.ts"

export interface RipgrepOptions {
  /** Full path of ripgrep. Default: the npm package, then the PATH. */
  readonly rgPath?: string
}

export interface RipgrepRun extends Cutting {
  readonly args: readonly string[]
  readonly cwd: string
  readonly signal: AbortSignal
  readonly clock: Clock
  /** As in `ExecOptions`. */
  readonly onStart?: () => void
}

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 an error (possibly with results); null if we ended it. */
  readonly code: number | null
  readonly stderr: string
}

const STDERR_MAX_CHARS = 4096
/**
 * After this much silence ripgrep is assumed to be blocked, for example by an ignore file that is a pipe, or a dead
 * network disk.
 */
const SILENCE_MAX_MS = 120_000
/** Only this much of a longer line is kept. */
export const LINE_MAX_BYTES = 16 * 1024 * 1024

/**
 * Runs ripgrep and streams its lines without buffering. Null if ripgrep cannot be run on this host; then the walker is
 * used.
 */
export async function runRipgrep(host: Host, options: RipgrepOptions, run: RipgrepRun): Promise<RipgrepEnd | null> {
  const rg = options.rgPath ?? (await findRipgrep(host))
  if (rg === null) return null
  const enough = new AbortController()
  const onAbort = () => enough.abort()
  run.signal.addEventListener("abort", onAbort, { once: true })
  if (run.signal.aborted) onAbort()
  let stderr = ""
  let silent = false
  const expect = () =>
    run.clock.timer(SILENCE_MAX_MS, () => {
      silent = true
      enough.abort()
    })
  let heard = expect()
  const lines = lineSplitter({
    ...run,
    onLine(line, whole) {
      if (!enough.signal.aborted && !run.onLine(line, whole)) enough.abort()
      return !enough.signal.aborted
    },
  })
  try {
    const ended = await host.exec([rg, "--no-config", "--color=never", ...run.args], {
      cwd: run.cwd,
      own: true,
      signal: enough.signal,
      ...(run.onStart && { onStart: run.onStart }),
      onData(bytes, stream) {
        heard()
        heard = expect()
        if (stream === "stdout") lines.add(bytes)
        else if (stderr.length < STDERR_MAX_CHARS) stderr += Buffer.from(bytes).toString()
      },
    })
    checkAborted(run.signal)
    if (silent) return { code: 2, stderr: `nothing was found or said for ${SILENCE_MAX_MS / 1000} s, and it was ended` }
    if (enough.signal.aborted) return { code: null, stderr }
    if (ended.code === NOT_FOUND) return null
    lines.end()
    return { code: ended.code, stderr }
  } catch (thrown) {
    if (cannotStart.includes(codeOf(thrown) ?? "")) return null
    throw thrown
  } finally {
    heard()
    run.signal.removeEventListener("abort", onAbort)
  }
}

const NOT_FOUND = 127
/** Error codes for a program that is missing, not executable, or built for another machine. */
const cannotStart = ["ENOENT", "EACCES", "ENOEXEC"]

interface Cutting {
  /** Line separator. Default a newline. */
  readonly separator?: "\n" | "\0"
  /** Lines without this text are skipped. */
  readonly holding?: string
  /** One line of output without its separator, whole or cut at the maximum. `false` ends the search. */
  onLine(line: string, whole: boolean): boolean
}

/**
 * Splits bytes at a separator. Skipped lines are never decoded, and a line that arrives in many chunks is joined once.
 */
function lineSplitter({ separator = "\n", holding = "", onLine }: Cutting): {
  add(bytes: Uint8Array): void
  end(): void
} {
  const end = separator.charCodeAt(0)
  const held = Buffer.from(holding)
  let pieces: Buffer[] = []
  let size = 0
  const keep = (piece: Buffer) => {
    // Copied, because the bytes are reused.
    if (size < LINE_MAX_BYTES) pieces.push(Buffer.from(piece))
    size += piece.length
  }
  const flush = () => {
    const line = Buffer.concat(pieces)
    const whole = line.length === size
    pieces = []
    size = 0
    return line.includes(held) ? onLine(line.toString(), whole) : true
  }
  return {
    add(bytes) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const first = chunk.indexOf(end)
      if (first === -1) return keep(chunk)
      keep(chunk.subarray(0, first))
      if (!flush()) return
      const last = chunk.lastIndexOf(end)
      const lines = chunk.subarray(first + 1, last + 1)
      if (held.length > 0) holdingLines(lines, end, held, onLine)
      else allLines(lines.toString(), separator, onLine)
      if (last + 1 < chunk.length) keep(chunk.subarray(last + 1))
    },
    end() {
      if (size > 0) flush()
    },
  }
}

/** Finds complete lines that contain a text, without decoding the others. */
function holdingLines(lines: Buffer, end: number, held: Buffer, onLine: Cutting["onLine"]): void {
  for (let hit = lines.indexOf(held); hit !== -1;) {
    const stop = lines.indexOf(end, hit)
    if (!onLine(lines.toString("utf8", lines.lastIndexOf(end, hit) + 1, stop), true)) return
    hit = lines.indexOf(held, stop)
  }
}

function allLines(lines: string, separator: string, onLine: Cutting["onLine"]): void {
  for (let start = 0; start < lines.length;) {
    const stop = lines.indexOf(separator, start)
    if (!onLine(lines.slice(start, stop), true)) return
    start = stop + 1
  }
}

import type { RunEnd } from "@gong/spec"
import type { OutputStreams } from "./output-streams.ts"

export interface SaveOptions {
  /** Writes the answer to a file too; null: there is none. Resolves with null, or with the error. */
  readonly save: ((text: string) => Promise<{ readonly exit: number; readonly lines: readonly string[] } | null>) | null
  /** The exit status of a run. */
  exitOf(end: RunEnd): number
}

/** Writes the answer to its file. Returns the exit status, which is an error if the file could not be written. */
export async function saveAnswer(
  streams: OutputStreams,
  options: SaveOptions,
  end: RunEnd,
  text: string,
): Promise<number> {
  const error = options.save ? await options.save(text) : null
  for (const line of error?.lines ?? []) streams.err(`${line}\n`)
  return options.exitOf(end) || (error?.exit ?? 0)
}

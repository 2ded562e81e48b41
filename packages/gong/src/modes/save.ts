import type { RunEnd } from "@gong/spec"
import type { Surface } from "./surface.ts"

export interface SaveOptions {
  /** Called with the answer when it is there, to write it to a file as well; says why it could not, null when it is done. */
  readonly save: ((text: string) => Promise<{ readonly exit: number; readonly lines: readonly string[] } | null>) | null
  /** Exit status of an ended run. */
  exitOf(end: RunEnd): number
}

/** Writes the answer to its file; gives the exit status of all: an answer that is not where it was wanted is no success. */
export async function saveAnswer(surface: Surface, options: SaveOptions, end: RunEnd, text: string): Promise<number> {
  const refusal = options.save ? await options.save(text) : null
  for (const line of refusal?.lines ?? []) surface.err(`${line}\n`)
  return options.exitOf(end) || (refusal?.exit ?? 0)
}

import type { RunEnd } from "@gong/spec"
import type { SaveAnswer } from "../build/answer-file.ts"
import type { Surface } from "./surface.ts"

export interface SaveOptions {
  /** Called with the answer when it is there, to write it to a file as well. */
  readonly save: SaveAnswer | null
  /** Exit status of an ended run. */
  exitOf(end: RunEnd): number
}

/** Writes the answer to its file; gives the exit status of all: an answer that is not where it was wanted is no success. */
export async function saveAnswer(surface: Surface, options: SaveOptions, end: RunEnd, text: string): Promise<number> {
  const saved = options.save ? await options.save(text) : null
  const exit = options.exitOf(end)
  if (saved === null || saved.ok) return exit
  for (const line of saved.error.lines) surface.err(`${line}\n`)
  return exit === 0 ? saved.error.exit : exit
}

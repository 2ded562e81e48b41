import type { Translate } from "@gong/texts/translator"

/** The two streams of a process as a mode sees them. */
export interface Surface {
  /** Texts in the language of whoever reads it. */
  readonly t: Translate
  /** The answer and nothing else: through the safety sink to a terminal, byte for byte into a pipe or a file. */
  out(text: string): void
  /** Everything said beside the answer: through the safety sink, wherever it goes. */
  err(text: string): void
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Set when nothing that is written to stdout arrives any more: whoever read it has gone, or its disk is full. */
  readonly readerGone: boolean
}

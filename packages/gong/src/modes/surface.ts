/** The two streams of a process as a mode sees them. What goes to a terminal has passed the safety sink. */
export interface Surface {
  /** The answer and nothing else. */
  out(text: string): void
  /** Everything said beside the answer. */
  err(text: string): void
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Set when nothing that is written to stdout arrives any more: whoever read it has gone, or its disk is full. */
  readonly readerGone: boolean
}

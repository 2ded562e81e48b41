import type { Translate } from "@gong/texts/translator"

/** Stdout and stderr of a process as a mode uses them. */
export interface OutputStreams {
  /** The language of the user. */
  readonly t: Translate
  /** Writes to stdout: sanitized for a terminal, unchanged into a pipe or a file. Only the answer belongs there. */
  out(text: string): void
  /** Writes to stderr, always sanitized. */
  err(text: string): void
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Writes to stdout have no effect any more: its reader has exited, or its disk is full. */
  readonly outputClosed: boolean
}

import type { TapeStorage } from "@gong/app/compose/tapes/storage"
import type { Options } from "../../command-line/flags.ts"
import type { Cli } from "../../cli.ts"

/** The context of a `gong sessions` command. */
export interface CommandContext {
  readonly place: TapeStorage
  readonly options: Options
  readonly cli: Cli
}

/** Lines for programs, generated as they are written. */
export interface OutputLines {
  readonly lines: Iterable<string>
}

/** Output for users, sanitized and styled by `style`; with --json a value for programs. */
export interface CommandOutput {
  readonly text: string
  readonly json: unknown
  /** Default 0. */
  readonly exit?: number
}

/** Maximum characters buffered for the reader of stdout. */
const maxBuffered = 1_000_000

/** Writes lines at the speed of the reader; stops when the reader has exited. */
export async function writeLines(cli: Cli, lines: Iterable<string>): Promise<void> {
  let buffered = 0
  for (const line of lines) {
    if (cli.outputClosed) return
    cli.out(line)
    buffered += line.length
    if (buffered < maxBuffered) continue
    await cli.flush()
    buffered = 0
  }
}

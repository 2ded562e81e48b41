import type { TapeStorage } from "@gong/app/compose/tapes/tape"
import type { Options } from "../../command-line/flags.ts"
import type { Cli } from "../../cli.ts"

/** What an answer is made of. */
export interface Asked {
  readonly place: TapeStorage
  readonly options: Options
  readonly cli: Cli
}

/** Lines for programs, made as they are written. */
export interface Lines {
  readonly lines: Iterable<string>
}

/** For people, as `style` made it; for programs the value, with --json. */
export interface Answer {
  readonly text: string
  readonly json: unknown
  /** Default 0. */
  readonly exit?: number
}

/** Characters that may wait for the reader of stdout. */
const maxWaiting = 1_000_000

/** Writes lines as fast as they are read; none after the reader has gone. */
export async function writeLines(cli: Cli, lines: Iterable<string>): Promise<void> {
  let waiting = 0
  for (const line of lines) {
    if (cli.outputClosed) return
    cli.out(line)
    waiting += line.length
    if (waiting < maxWaiting) continue
    await cli.flush()
    waiting = 0
  }
}

import type { TapeIndex } from "@gong/tape/index"
import type { TapePlace } from "../../build/tape.ts"
import type { Options } from "../../config/flags.ts"
import type { World } from "../../world.ts"

/** What an answer is made of. */
export interface Asked {
  readonly place: TapePlace
  readonly options: Options
  readonly world: World
  readonly index: TapeIndex
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

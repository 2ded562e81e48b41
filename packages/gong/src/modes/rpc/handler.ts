import type { ArgsOf, CommandName } from "./commands.ts"
import type { Desk } from "./desk.ts"
import type { Answers } from "./data.ts"
import type { Answer } from "./protocol.ts"

/**
 * Does one command. It calls `answer` exactly once, now or later; the next command is read when it returns. What it throws
 * before it has answered becomes its answer. `id` is the command's own.
 */
export type Handler<C extends CommandName> = (
  desk: Desk,
  args: ArgsOf<C>,
  answer: (answer: Answer<Answers[C]>) => void,
  id: string | number | undefined,
) => Promise<void> | void

export type HandlersOf<C extends CommandName> = { readonly [Name in C]: Handler<Name> }

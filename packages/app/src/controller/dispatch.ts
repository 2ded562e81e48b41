import { checkArguments } from "@gong/spec"
import { type Answer, refusalFor, refuse } from "./answer.ts"
import { commands, type SessionCommand } from "./commands.ts"
import type { Args, ControllerState } from "./api.ts"
import type { AnyData } from "./data.ts"
import type { Handler, HandlersOf } from "./handlers/handler.ts"
import { choices } from "./handlers/choices.ts"
import { jobs } from "./handlers/jobs.ts"
import { mcp } from "./handlers/mcp.ts"
import { queries } from "./handlers/queries.ts"
import { questions } from "./handlers/questions.ts"
import { runs } from "./handlers/runs.ts"
import { sessions } from "./handlers/sessions.ts"
import { slash } from "./handlers/slash.ts"
import { stored } from "./handlers/stored.ts"

const handlers: HandlersOf<SessionCommand> = {
  ...choices,
  ...queries,
  ...jobs,
  ...mcp,
  ...questions,
  ...runs,
  ...sessions,
  ...slash,
  ...stored,
}

/** Checks the arguments of a command and runs it. `answer` is called exactly once. */
export async function dispatch(
  state: ControllerState,
  name: SessionCommand,
  args: Args,
  answer: (answer: Answer<AnyData>) => void,
): Promise<void> {
  const checked = await checkArguments(commands[name].args, args)
  if (!checked.ok) return answer(refuse("bad_arguments", `${name}: ${checked.errors.join("; ")}.`))
  let answered = false
  const once = (result: Answer<AnyData>): void => {
    answered = true
    answer(result)
  }
  try {
    const handler = handlers[name] as Handler<never>
    await handler(state, checked.value as never, once)
  } catch (error) {
    if (answered) throw error
    once(refusalFor(error))
  }
}

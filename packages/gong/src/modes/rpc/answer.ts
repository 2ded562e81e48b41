import { checkArguments, isRecord, readJson } from "@gong/spec"
import { type ArgsOf, type CommandName, commands, isCommand } from "./commands.ts"
import { type Desk, refusedBy } from "./desk.ts"
import type { HandlersOf } from "./handler.ts"
import { choices } from "./choices.ts"
import { looks } from "./looks.ts"
import { runs } from "./runs.ts"
import { sessions } from "./sessions.ts"
import type { AnyData } from "./data.ts"
import { type Answer, refuse } from "./protocol.ts"

const handlers: HandlersOf<CommandName> = { ...runs, ...choices, ...looks, ...sessions }

/** Reads one line of the client and does what it says. Every line has exactly one response, and none ends the process by being wrong. */
export async function answerLine(desk: Desk, line: Answer<string>): Promise<void> {
  const parsed = line.ok ? parse(line.data) : line
  if (!parsed.ok) return respond(desk, {}, parsed)
  const { type, id, ...args } = parsed.data
  const named = { ...(isId(id) ? { id } : {}), ...(typeof type === "string" ? { command: type } : {}) }
  if (id !== undefined && !isId(id)) return respond(desk, named, refuse("bad_arguments", "id is a text or a number."))
  if (typeof type !== "string") return respond(desk, named, refuse("bad_arguments", 'A command has a "type".', hint))
  if (!isCommand(type)) return respond(desk, named, refuse("unknown_command", `There is no command "${type}".`, hint))
  const checked = await checkArguments(commands[type].args, args)
  if (!checked.ok) return respond(desk, named, refuse("bad_arguments", `${type}: ${checked.errors.join("; ")}.`))
  return run(desk, type, checked.value as never, named)
}

const hint = "get_commands lists them"

/** How a response says what it answers. */
interface Named {
  readonly id?: string | number
  readonly command?: string
}

async function run<C extends CommandName>(desk: Desk, name: C, args: ArgsOf<C>, named: Named): Promise<void> {
  let answered = false
  const answer = (given: Answer<AnyData>): void => {
    answered = true
    respond(desk, named, given)
  }
  try {
    await handlers[name](desk, args, answer, named.id)
  } catch (error) {
    if (answered) throw error
    answer(refusedBy(error))
  }
}

function respond(desk: Desk, { id, command }: Named, answer: Answer<AnyData>): void {
  const head = { type: "response", ...(id === undefined ? {} : { id }), command: command ?? null }
  const { outlet, feed } = desk
  feed.pump()
  if (answer.ok) outlet.line({ ...head, success: true, data: answer.data })
  else outlet.line({ ...head, success: false, error: answer.error })
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number"
}

function parse(text: string): Answer<Readonly<Record<string, unknown>>> {
  const read = readJson(text)
  if (!read.ok) return refuse("bad_json", `This line is ${read.tooDeep ? "" : "not JSON: "}${read.problem}`)
  if (isRecord(read.value)) return { ok: true, data: read.value }
  return refuse("bad_json", "A command is a JSON object on one line.")
}

import { checkArguments, englishOf, isRecord, phrase, readJson } from "@gong/spec"
import { type Answer, done, refuse } from "@gong/app/controller/answer"
import { type ArgsOf, type CommandName, commands, isCommand } from "@gong/app/controller/commands"
import type { Args, SessionController } from "@gong/app/controller/api"
import type { AnyData, HelloData } from "@gong/app/controller/data"
import type { Feed } from "./feed.ts"
import type { ClientOutput } from "./client-output.ts"
import type { RpcError } from "./protocol.ts"

/** The connection to one client. */
export interface Connection {
  readonly controller: SessionController
  readonly version: string
  readonly output: ClientOutput
  readonly feed: Feed
  /** The exit status after the last command; null before. */
  exit: number | null
}

/** Parses and runs one line of the client. Every line has exactly one response; an invalid one does not end the process. */
export async function answerLine(connection: Connection, line: Answer<string>): Promise<void> {
  const parsed = line.ok ? parse(line.data) : line
  if (!parsed.ok) return respond(connection, {}, parsed)
  const { type, id, ...args } = parsed.data
  const head = { ...(isId(id) ? { id } : {}), ...(typeof type === "string" ? { command: type } : {}) }
  if (id !== undefined && !isId(id))
    return respond(connection, head, refuse("bad_arguments", "id must be a string or a number."))
  if (typeof type !== "string")
    return respond(connection, head, refuse("bad_arguments", 'A command must have a "type".', hint))
  if (!isCommand(type))
    return respond(connection, head, refuse("unknown_command", `There is no command "${type}".`, hint))
  return run(connection, type, withTarget(type, args, head.id), head)
}

const hint = "get_commands lists them"

/** The command that a response belongs to. */
interface ResponseHead {
  readonly id?: string | number
  readonly command?: string
}

/** Clients that do not number their commands may give the target of a command as `id`. */
function withTarget(type: CommandName, args: Args, id: string | number | undefined) {
  const takesTarget = Object.hasOwn(commands[type].args.properties, "target")
  return takesTarget && args["target"] === undefined && id !== undefined ? { ...args, target: String(id) } : args
}

async function run(connection: Connection, type: CommandName, args: Args, head: ResponseHead): Promise<void> {
  const answer = (given: Answer<AnyData>): void => respond(connection, head, given)
  switch (type) {
    case "hello": {
      const checked = await checkArguments(commands.hello.args, args)
      if (!checked.ok) return answer(refuse("bad_arguments", `hello: ${checked.errors.join("; ")}.`))
      return hello(connection, checked.value as ArgsOf<"hello">, answer)
    }
    case "shutdown":
      if (Object.keys(args).length > 0) return answer(refuse("bad_arguments", "shutdown has no arguments."))
      connection.exit = 0
      answer(done({}))
      return connection.controller.current.session.abort()
    default:
      return connection.controller.dispatch(type, args, answer)
  }
}

function hello(
  connection: Connection,
  { protocol, partial, after }: ArgsOf<"hello">,
  answer: (answer: Answer<HelloData>) => void,
): void {
  const { version, feed, controller } = connection
  if (protocol !== 1) {
    connection.exit = 2
    const message = `Protocol ${protocol} is not supported.`
    return answer(refuse("protocol", message, `gong ${version} supports protocol 1`))
  }
  if (partial !== undefined) feed.setPartial(partial)
  if (after !== undefined && !controller.current.session.history.has(after))
    return answer(refuse("not_found", phrase`This session has no step ${after}.`))
  answer(done({ protocol, version }))
  if (after !== undefined) feed.from(after)
}

function respond(connection: Connection, { id, command }: ResponseHead, answer: Answer<AnyData>): void {
  const head = { type: "response", ...(id === undefined ? {} : { id }), command: command ?? null }
  const { output, feed } = connection
  feed.pump()
  if (answer.ok) output.line({ ...head, success: true, data: answer.data })
  else output.line({ ...head, success: false, error: inEnglish(answer.error) })
}

/** Errors for programs are English. */
function inEnglish({ code, message, hint: what }: Extract<Answer<unknown>, { ok: false }>["error"]): RpcError {
  return { code, message: englishOf(message), ...(what === undefined ? {} : { hint: englishOf(what) }) }
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

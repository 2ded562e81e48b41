import { type Clock, closedDialog, failure, FailureError, phrase, type Phrase } from "@gong/spec"
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import type { Connection, Endpoint } from "../connection/connect.ts"
import { type ServerTool } from "../definitions/check-tools.ts"
import { changeLines, type ToolChange } from "../definitions/changes.ts"
import { type LoginChallenge, LoginNeeded } from "../oauth/login-needed.ts"
import { type AskUser, elicit, no, yes } from "./elicit.ts"
import { createLifecycle, type Lifecycle, type ServerState } from "./lifecycle.ts"
import { createPins } from "./pins.ts"
import type { ServerPrompt } from "../definitions/check-prompts.ts"
import type { RecordStore } from "./record.ts"

export interface ServerDeps {
  readonly name: string
  /** Gong's version. */
  readonly version: string
  readonly clock: Clock
  readonly record: RecordStore
  /** Prepares a start; called at each one. */
  endpoint(): Promise<Endpoint>
  /** The roots of the sessions, as `file:` addresses. */
  roots(): readonly string[]
  /** Logs in, after the user's consent; null: this server has no login. */
  readonly login: ((challenge: LoginChallenge, signal: AbortSignal) => Promise<void>) | null
  /** Milliseconds of one call. */
  readonly callTime: number
  /** One line for the debug log, without a newline. */
  log(line: string): void
  /** The usable definitions have changed, with a line for the user. */
  onChanged(line: Phrase | null): void
}

/** How a call reaches the user, and is stopped. */
export interface CallContext {
  readonly signal: AbortSignal
  /** The calls of one session have the same value. */
  readonly session: unknown
  /** Absent: no dialogs, as in a headless run. */
  readonly ask?: AskUser
  onProgress(text: string): void
}

/** One server, shared by the sessions of a process. */
export interface McpServer {
  readonly name: string
  state(): ServerState
  /** The callable tools: pinned and unchanged. Null: the server was never started. */
  tools(): readonly ServerTool[] | null
  prompts(): readonly ServerPrompt[]
  readonly hasResources: boolean
  /** Differences to the accepted tools, which are off until `accept`. */
  changes(): readonly ToolChange[]
  accept(): void
  /** One sentence fragment for each definition that was left out at the last start. */
  problems(): readonly string[]
  /** Starts it and reads its lists. */
  start(context: CallContext): Promise<void>
  call(tool: string, args: Readonly<Record<string, unknown>>, context: CallContext): Promise<unknown>
  prompt(name: string, args: Readonly<Record<string, string>>, context: CallContext): Promise<unknown>
  resources(context: CallContext): Promise<readonly unknown[]>
  resource(uri: string, context: CallContext): Promise<unknown>
  /** Logs in where the server requires it. Resolves when it can be used. */
  login(context: CallContext): Promise<void>
  reset(): void
  end(): Promise<void>
}

export function createServer(deps: ServerDeps): McpServer {
  const { name, onChanged } = deps
  const pins = createPins(deps)
  /** Calls in progress. */
  const open = new Set<CallContext>()
  const lifecycle = createLifecycle({
    ...deps,
    era: () => pins.era(),
    opened: (connection, signal) => pins.read(connection, signal),
    events: {
      roots: deps.roots,
      log: deps.log,
      elicit: (asked) => elicitFor(name, asked, open),
      onChanged: (list) => relist(list),
    },
  })
  const relist = (list: "tools" | "prompts" | "resources"): void => {
    const connection = lifecycle.connection()
    if (list === "resources" || connection === null) return
    // Not a use: a server could keep itself running that way.
    pins.read(connection, AbortSignal.any([])).then(
      () => onChanged(pins.changedLine()),
      (error: unknown) => deps.log(String(error)),
    )
  }
  const used = <T>(context: CallContext, work: (connection: Connection) => Promise<T>): Promise<T> =>
    tracked(open, context, () => withLogin(deps, context, () => lifecycle.use(work)))
  const options = ({ signal, onProgress }: CallContext) => ({ signal, onProgress, time: deps.callTime })
  return {
    name,
    state: lifecycle.state,
    tools: pins.tools,
    prompts: pins.prompts,
    get hasResources() {
      return pins.hasResources()
    },
    changes: pins.changes,
    accept() {
      pins.accept()
      onChanged(null)
    },
    problems: pins.problems,
    start: (context) => used(context, async () => undefined),
    call: (tool, args, context) =>
      used(context, async (connection) => {
        const found = pins.tool(tool) ?? (await acceptedNow(deps, pins, tool, context))
        return connection.call(found, args, options(context))
      }),
    prompt: (prompt, args, context) => used(context, (connection) => connection.prompt(prompt, args, context.signal)),
    resources: (context) => used(context, (connection) => connection.resources(context.signal)),
    resource: (uri, context) => used(context, (connection) => connection.resource(uri, options(context))),
    login: ({ signal }) =>
      tracked(open, { signal, session: null, onProgress: () => undefined }, () => loggedIn(deps, lifecycle, signal)),
    reset: lifecycle.reset,
    end: lifecycle.end,
  }
}

async function tracked<T>(open: Set<CallContext>, context: CallContext, work: () => Promise<T>): Promise<T> {
  open.add(context)
  try {
    return await work()
  } finally {
    open.delete(context)
  }
}

/** A question reaches the session whose calls run. With those of several sessions it is not known whose question it is. */
async function elicitFor(
  name: string,
  asked: ElicitRequestParams,
  open: ReadonlySet<CallContext>,
): Promise<ElicitResult> {
  const contexts = [...open]
  const ask = contexts.at(-1)?.ask
  if (ask === undefined || new Set(contexts.map(({ session }) => session)).size > 1) return { action: "cancel" }
  return elicit(name, asked, ask)
}

/** Logins in one call: each refusal may name a further scope. */
const maxLogins = 3

async function withLogin<T>(deps: ServerDeps, context: CallContext, work: () => Promise<T>): Promise<T> {
  for (let logins = 0; ; logins++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LoginNeeded)) throw error
      if (deps.login === null || logins === maxLogins || !(await consents(deps.name, context)))
        throw loginNeeded(deps.name)
      await deps.login(error.challenge, context.signal)
    }
  }
}

async function loggedIn({ name, login }: ServerDeps, { use, reset }: Lifecycle, signal: AbortSignal): Promise<void> {
  if (login === null)
    throw new FailureError(failure("bad-request", phrase`${name} is a program on this machine, which has no login.`))
  reset()
  for (let logins = 0; logins <= maxLogins; logins++) {
    try {
      return await use(async () => undefined)
    } catch (error) {
      if (!(error instanceof LoginNeeded) || logins === maxLogins) throw error
      await login(error.challenge, signal)
    }
  }
}

function loginNeeded(name: string): FailureError {
  return new FailureError(failure("auth", phrase`the MCP server ${name} requires a login: gong mcp login ${name}`))
}

async function consents(name: string, { ask }: CallContext): Promise<boolean> {
  if (ask === undefined) return false
  const { choice } = await ask(closedDialog(phrase`The MCP server ${name} requires a login. Log in now?`, [yes, no]))
  return choice === "yes"
}

/** A tool that is off, after the user has seen and accepted the changes of its server. */
async function acceptedNow(
  { name, onChanged }: ServerDeps,
  pins: ReturnType<typeof createPins>,
  tool: string,
  { ask }: CallContext,
): Promise<ServerTool> {
  const changes = pins.changes()
  const concerns = changes.some((change) => (change.kind === "removed" ? change.before : change.tool).name === tool)
  if (concerns && ask !== undefined) {
    const lines = changeLines(changes).slice(0, maxLines).join("\n")
    const question = phrase`The MCP server ${name} has changed its tools since you accepted them:\n${lines}\nUse them as they are now?`
    const { choice } = await ask(closedDialog(question, [yes, no]))
    if (choice === "yes") {
      pins.accept()
      onChanged(null)
    }
  }
  const found = pins.tool(tool)
  if (found !== null) return found
  const text = concerns
    ? phrase`${name} has changed the tool ${tool} since the user accepted it, so it is off. The user can accept it: gong mcp trust ${name}`
    : phrase`${name} has no tool ${tool}`
  throw new FailureError(failure("denied", text))
}

const maxLines = 200

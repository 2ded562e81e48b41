import { phrase } from "@gong/spec"
import { type CallTarget, type FromWorker, maxAnswer, type Problem, type Question, type ToWorker } from "../protocol.ts"
import { ownError } from "./own-error.ts"
import { type Pump, pump } from "./pump.ts"
import type { ExtensionFunction, FunctionContext } from "./registrar.ts"

type CallMessage = Extract<ToWorker, { kind: "call" }>

export interface CallDeps {
  send(message: FromWorker): void
  functionOf(extension: number, target: CallTarget): ExtensionFunction | null
  /** Runs work so that errors started by it can be attributed to the extension. */
  runAs<T>(call: Pick<CallMessage, "extension" | "session">, work: () => T): T
  problem(extension: number, error: unknown): Problem
}

export interface Calls {
  begin(call: CallMessage): void
  stop(id: number): void
  taken(id: number, size: number): void
  reply(id: number, value: unknown): void
}

/** Runs calls of extension functions, each with one answer, and relays their questions to the user. */
export function callsOf({ send, functionOf, runAs, problem }: CallDeps): Calls {
  const open = new Map<number, AbortController>()
  const streams = new Map<number, Pump>()
  const asked = new Map<number, (value: unknown) => void>()
  let questions = 0
  const ask = (call: number, question: Question, args: readonly unknown[]): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    questions += 1
    asked.set(questions, resolve)
    send({ kind: "ask", id: questions, call, question, args: JSON.parse(JSON.stringify(args)) as unknown[] })
    return promise
  }
  const contextOf = ({ id, callId = "", interactive = false }: CallMessage, signal: AbortSignal): FunctionContext => ({
    signal,
    callId,
    progress: (delta) => send({ kind: "progress", id, delta: String(delta) }),
    interactive,
    choose: async (text, rows) => (await ask(id, "choose", [String(text), rows.map(String)])) as number | null,
    confirm: async (text) => (await ask(id, "confirm", [String(text)])) === true,
    line: async (text) => (await ask(id, "line", [String(text)])) as string | null,
  })
  const run = async (call: CallMessage): Promise<void> => {
    const { id, extension, target, args } = call
    const stop = new AbortController()
    open.set(id, stop)
    try {
      const work = functionOf(extension, target)
      if (work === null) throw ownError(phrase`it has no such function any more`)
      const value = await runAs(call, async () => {
        const given = await work(args, contextOf(call, stop.signal))
        return target.kind === "provider" ? stream(id, given, stop.signal) : given
      })
      send({ kind: "answer", id, json: textOf(value) })
    } catch (error) {
      send({ kind: "threw", id, problem: problem(extension, error) })
    } finally {
      open.delete(id)
      streams.delete(id)
    }
  }
  const stream = (id: number, chunks: unknown, signal: AbortSignal): Promise<void> => {
    const one = pump((chunk) => {
      const json = textOf(chunk)
      send({ kind: "chunk", id, json })
      return json.length
    })
    streams.set(id, one)
    return one.run(chunks, signal)
  }
  return {
    begin: (call) => void run(call),
    stop: (id) => open.get(id)?.abort(),
    taken: (id, size) => streams.get(id)?.consumed(size),
    reply(id, value) {
      asked.get(id)?.(value)
      asked.delete(id)
    },
  }
}

function textOf(value: unknown): string {
  // A value without JSON form, such as undefined, becomes null.
  const json = jsonOf(value) ?? "null"
  if (json.length > maxAnswer)
    throw ownError(phrase`its answer has ${json.length} characters; ${maxAnswer} are the most`)
  return json
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw ownError(phrase`its answer cannot be written as JSON: ${why}`)
  }
}

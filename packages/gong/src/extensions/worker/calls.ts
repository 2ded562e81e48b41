import { type Door, type FromWorker, maxAnswer, type Problem, type Question, type ToWorker } from "../protocol.ts"
import type { Inside, InsideContext } from "./registrar.ts"

export interface CallParts {
  tell(message: FromWorker): void
  inside(extension: number, door: Door): Inside | null
  /** What is begun in it can be told to be the extension's. */
  within<T>(extension: number, work: () => T): T
  problem(extension: number, error: unknown): Problem
}

type CallMessage = Extract<ToWorker, { kind: "call" }>

export interface Calls {
  begin(call: CallMessage): void
  stop(id: number): void
  reply(id: number, value: unknown): void
}

/** Runs calls of functions of extensions, each to one answer, and carries what they ask people. */
export function callsOf({ tell, inside, within, problem }: CallParts): Calls {
  const open = new Map<number, AbortController>()
  const asked = new Map<number, (value: unknown) => void>()
  let questions = 0
  const ask = (call: number, question: Question, args: readonly unknown[]): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    questions += 1
    asked.set(questions, resolve)
    tell({ kind: "ask", id: questions, call, question, args: JSON.parse(JSON.stringify(args)) as unknown[] })
    return promise
  }
  const contextOf = ({ id, callId = "", interactive = false }: CallMessage, signal: AbortSignal): InsideContext => ({
    signal,
    callId,
    progress: (delta) => tell({ kind: "progress", id, delta: String(delta) }),
    interactive,
    choose: async (text, rows) => (await ask(id, "choose", [String(text), rows.map(String)])) as number | null,
    confirm: async (text) => (await ask(id, "confirm", [String(text)])) === true,
    line: async (text) => (await ask(id, "line", [String(text)])) as string | null,
  })
  const run = async (call: CallMessage): Promise<void> => {
    const { id, extension, door, args } = call
    const stop = new AbortController()
    open.set(id, stop)
    try {
      const work = inside(extension, door)
      if (work === null) throw new Error("it has no such function any more")
      const value = await within(extension, async () => work(args, contextOf(call, stop.signal)))
      tell({ kind: "answer", id, json: textOf(value) })
    } catch (error) {
      tell({ kind: "threw", id, problem: problem(extension, error) })
    } finally {
      open.delete(id)
    }
  }
  return {
    begin: (call) => void run(call),
    stop: (id) => open.get(id)?.abort(),
    reply(id, value) {
      asked.get(id)?.(value)
      asked.delete(id)
    },
  }
}

function textOf(value: unknown): string {
  // What cannot be said in JSON, like nothing at all, is nothing.
  const json = JSON.stringify(value) ?? "null"
  if (json.length > maxAnswer) throw new Error(`its answer has ${json.length} characters; ${maxAnswer} are the most`)
  return json
}

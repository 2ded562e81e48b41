import {
  clauseOf,
  type Clock,
  failure,
  FailureError,
  messageOf,
  phrase,
  type Phrase,
  readJson,
  type Text,
  tooDeep,
} from "@gong/spec"
import type { Call, FromWorker, Problem, Question, ToWorker } from "../protocol.ts"

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The call can wait until the extensions are loaded for another reason. */
  readonly waitForThread?: boolean
  readonly progress?: (delta: string) => void
  /** Receives a streamed chunk as JSON; `taken` must be called when it was consumed. */
  readonly chunk?: (json: string, taken: () => void) => void
  /** Answers questions of a command; absent if no user is available. */
  readonly ask?: (question: Question, args: readonly unknown[]) => Promise<unknown>
}

/** What an extension threw, or why it did not answer. */
export class ExtensionError extends FailureError {
  /** The thread has exited, which was not caused by this call. */
  readonly exited: boolean
  /** Further facts about the thrown error. */
  readonly problem: Problem | null
  constructor(message: Text, stack: string | null, exited = false, problem: Problem | null = null) {
    super(failure("internal", message))
    this.name = "ExtensionError"
    this.exited = exited
    this.problem = problem
    if (stack !== null) this.stack = stack
  }
}

export function sessionOver(): ExtensionError {
  return new ExtensionError(phrase`the session has ended`, null, true)
}

/** Adds file and line to an error, if known. */
export function withLocation(error: unknown, text: (message: Text, place: string) => Phrase): unknown {
  if (!(error instanceof ExtensionError) || !error.problem?.path) return error
  const { failure: thrown, stack = null, exited, problem } = error
  const place = `${problem.path}:${problem.line}`
  return new ExtensionError(text(clauseOf(messageOf(thrown)), place), stack, exited, problem)
}

export type Answer = Extract<FromWorker, { kind: "answer" | "threw" | "progress" | "chunk" | "ask" }>

/** Calls that wait for an answer. */
export interface OpenCalls {
  readonly size: number
  /** The extension of the last call. */
  readonly last: number | null
  /** Rejects with `ExtensionError`. */
  begin(call: Call, options: CallOptions): Promise<unknown>
  handle(answer: Answer): void
  /** Fails all open calls. */
  fail(why: (call: Call) => ExtensionError): void
}

/** Milliseconds for a call to end after an abort; then it is abandoned. */
const grace = 5_000
/** Maximum number of open calls. */
const maxOpen = 1_000

interface OpenCall {
  readonly call: Call
  readonly options: CallOptions
  resolve(value: unknown): void
  reject(error: ExtensionError): void
}

function resolveJson({ resolve, reject }: OpenCall, json: string): void {
  const read = readJson(json)
  if (read.ok) resolve(read.value)
  else reject(new ExtensionError(phrase`its answer is ${read.tooDeep ? tooDeep() : read.problem}`, null))
}

export function openCalls(clock: Clock, send: (message: ToWorker) => void): OpenCalls {
  const open = new Map<number, OpenCall>()
  let ids = 0
  const settle = (id: number, end: (one: OpenCall) => void): void => {
    const one = open.get(id)
    open.delete(id)
    if (one !== undefined) end(one)
  }
  return {
    get size() {
      return open.size
    },
    get last() {
      return [...open.values()].at(-1)?.call.extension ?? null
    },
    async begin(call, options) {
      if (open.size >= maxOpen) throw new ExtensionError(phrase`${maxOpen} calls of extensions wait already`, null)
      ids += 1
      const id = ids
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      open.set(id, { call, options, resolve, reject })
      let giveUp = (): void => undefined
      const stop = (): void => {
        send({ kind: "stop", id })
        const late = new ExtensionError(phrase`the extension did not stop in time`, null)
        giveUp = clock.timer(grace, () => settle(id, (one) => one.reject(late)))
      }
      send({ kind: "call", id, ...call })
      if (options.signal?.aborted) stop()
      else options.signal?.addEventListener("abort", stop, { once: true })
      try {
        return await promise
      } finally {
        options.signal?.removeEventListener("abort", stop)
        giveUp()
      }
    },
    handle(message) {
      switch (message.kind) {
        case "answer":
          return settle(message.id, (one) => resolveJson(one, message.json))
        case "threw": {
          const { problem } = message
          return settle(message.id, (one) =>
            one.reject(new ExtensionError(problem.message, problem.stack, false, problem)),
          )
        }
        case "chunk": {
          const { id, json } = message
          return open.get(id)?.options.chunk?.(json, () => send({ kind: "taken", id, size: json.length }))
        }
        case "progress":
          return open.get(message.id)?.options.progress?.(message.delta)
        case "ask": {
          const reply = (value: unknown): void => send({ kind: "reply", id: message.id, value })
          const asking = open.get(message.call)?.options.ask?.(message.question, message.args) ?? Promise.resolve(null)
          asking.then(reply, () => reply(null))
        }
      }
    },
    fail(why) {
      for (const id of open.keys()) settle(id, (one) => one.reject(why(one.call)))
    },
  }
}

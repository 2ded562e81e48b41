import type { OpenAIExtensions } from "../validator/openai-completions.ts"
import { type Action, actionsOf, json } from "./actions.ts"
import { anthropicMessages } from "./anthropic-messages.ts"
import { googleGenerativeAi } from "./google-generative-ai.ts"
import { openaiCompletions } from "./openai-completions.ts"
import { openaiResponses } from "./openai-responses.ts"
import type { Turn } from "./turn.ts"
import type { WireFormat } from "./wire-format.ts"

/** A turn, or a function that makes it from the request it answers; `text` is its body as it came, null when it was dropped. */
export type ScriptedTurn = Turn | ((request: RecordedRequest, text: string | null) => Turn)

/** Answers a request beside the wire formats with JSON; undefined: it is not its own. */
export type Routes = (
  method: string,
  path: string,
  body: unknown,
) => { readonly status: number; readonly body: unknown } | undefined

export interface PlayerOptions {
  /** What the server serves beside the wire formats. */
  readonly routes?: Routes
  readonly turns?: readonly ScriptedTurn[]
  /** Plays when the turns are used up; without it such a request is refused and remembered as a problem. */
  readonly otherwise?: ScriptedTurn
  /** Default true: what the real API would refuse is refused here, and stands in `problems`. */
  readonly validate?: boolean
  /** Fields beyond OpenAI's own that are taken. */
  readonly extensions?: OpenAIExtensions
}

export interface RecordedRequest extends Incoming {
  readonly api: string
  /** Parsed; null when it was not JSON or was dropped. */
  readonly body: unknown
  /** What is wrong with it. */
  readonly problems: readonly string[]
  /** The last byte of the reply was given away, on the clock of `at`; null while it runs or when it broke off. */
  endedAt: number | null
}

export interface Incoming {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of the body. */
  readonly bytes: number
  /** Number of its connection, from 1. */
  readonly connection: number
  /** Milliseconds: the request's head has come. */
  readonly at: number
}

/** A script being played: what is asked, what is answered, and what must not have happened. */
export interface Player {
  /** Asks of a model only, in order of arrival. */
  readonly requests: readonly RecordedRequest[]
  /** Everything a test must not see: invalid requests, requests beyond the script, unknown paths. */
  readonly problems: readonly string[]
  /** Turns that were not asked for yet. */
  readonly left: number
  /** Forgets all and begins a new script. */
  begin(turns: readonly ScriptedTurn[]): void
  /** `text` is null when the body was dropped: then nothing is validated. `record` is absent for other requests. */
  take(incoming: Incoming, text: string | null): { actions: Iterable<Action>; apart: boolean; record?: RecordedRequest }
}

export function createPlayer(options: PlayerOptions): Player {
  const formats: readonly WireFormat[] = [
    openaiCompletions(options.extensions ?? {}),
    openaiResponses,
    anthropicMessages,
    googleGenerativeAi,
  ]
  const requests: RecordedRequest[] = []
  const problems: string[] = []
  let turns = [...(options.turns ?? [])]
  let played = 0

  function take(incoming: Incoming, text: string | null): ReturnType<Player["take"]> {
    const own = options.routes?.(incoming.method, incoming.path, text === null ? null : parsed(text))
    if (own !== undefined) return plain(json(own.status, own.body))
    if (incoming.path.endsWith("/models"))
      return plain(json(200, { object: "list", data: [{ id: "mock", object: "model" }] }))
    const format = formats.find((one) => one.serves(incoming.path))
    if (format === undefined || incoming.method !== "POST") {
      problems.push(`${incoming.method} ${incoming.path}: nothing is served here`)
      return plain(json(404, { error: { message: `Unknown path ${incoming.path}`, type: "invalid_request_error" } }))
    }
    const body = text === null ? null : parsed(text)
    const wrong =
      text === null || options.validate === false ? [] : format.validate(body, incoming.headers, incoming.path)
    const record: RecordedRequest = { ...incoming, api: format.api, body, problems: wrong, endedAt: null }
    requests.push(record)
    problems.push(...wrong.map((problem) => `${format.api} request ${requests.length}: ${problem}`))
    if (wrong.length > 0) return { ...plain(json(400, format.refusal(400, wrong.join("; "), undefined))), record }
    return { ...play(format, record, text), record }
  }

  function play(
    format: WireFormat,
    record: RecordedRequest,
    text: string | null,
  ): { actions: Iterable<Action>; apart: boolean } {
    const scripted = turns.shift() ?? options.otherwise
    if (scripted === undefined) {
      problems.push(`request ${requests.length} is beyond the script`)
      return plain(json(400, format.refusal(400, "The script of this model is over", undefined)))
    }
    const turn = typeof scripted === "function" ? scripted(record, text) : scripted
    const actions = actionsOf(format, turn, { number: ++played, body: record.body })
    return { actions, apart: turn.chunkBytes !== undefined }
  }

  function begin(next: readonly ScriptedTurn[]): void {
    requests.length = 0
    problems.length = 0
    turns = [...next]
  }

  return {
    requests,
    problems,
    get left() {
      return turns.length
    },
    begin,
    take,
  }
}

function plain(actions: Iterable<Action>): { actions: Iterable<Action>; apart: boolean } {
  return { actions, apart: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

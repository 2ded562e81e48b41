import type { OpenAIExtensions } from "../validator/openai-completions.ts"
import { type Action, actionsOf, json } from "./actions.ts"
import { anthropicMessages } from "./anthropic-messages.ts"
import { googleGenerativeAi } from "./google-generative-ai.ts"
import { openaiCompletions } from "./openai-completions.ts"
import { openaiResponses } from "./openai-responses.ts"
import type { Turn } from "./turn.ts"
import type { WireFormat } from "./wire-format.ts"

/** A turn, or a function of the request that creates it; `text` is the raw body, null if it was discarded. */
export type ScriptedTurn = Turn | ((request: RecordedRequest, text: string | null) => Turn)

/** Answers other requests with JSON; undefined for an unknown path. */
export type Routes = (
  method: string,
  path: string,
  body: unknown,
) => { readonly status: number; readonly body: unknown } | undefined

export interface PlayerOptions {
  /** Additional paths of the server. */
  readonly routes?: Routes
  readonly turns?: readonly ScriptedTurn[]
  /** Played after the last turn; without it such a request is refused and recorded as a problem. */
  readonly otherwise?: ScriptedTurn
  /** Default true: invalid requests are refused as by the real API, and recorded in `problems`. */
  readonly validate?: boolean
  /** Accepted fields beyond OpenAI's own. */
  readonly extensions?: OpenAIExtensions
}

export interface RecordedRequest extends Incoming {
  readonly api: string
  /** Parsed; null if it was not JSON or was discarded. */
  readonly body: unknown
  /** Validation errors. */
  readonly problems: readonly string[]
  /** Time of the last byte, on the clock of `at`; null while it runs or if it broke off. */
  endedAt: number | null
}

export interface Incoming {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Size of the body. */
  readonly bytes: number
  /** Number of its connection, from 1. */
  readonly connection: number
  /** Arrival of the request head in milliseconds. */
  readonly at: number
}

/** A script in progress: requests, replies, and problems. */
export interface Player {
  /** Requests to a model only, in order of arrival. */
  readonly requests: readonly RecordedRequest[]
  /** Everything that fails a test: invalid requests, requests beyond the script, unknown paths. */
  readonly problems: readonly string[]
  /** Remaining turns. */
  readonly left: number
  /** Resets the state and starts a new script. */
  begin(turns: readonly ScriptedTurn[]): void
  /** `text` is null if the body was discarded: then nothing is validated. `record` is absent for other requests. */
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

import {
  type Carried,
  type Declarations,
  estimateText,
  estimateTokens,
  failure,
  type Failure,
  failureOf,
  type Message,
  textOf,
  userText,
  phrase,
} from "@gong/spec"
import { shortened, summaryText } from "@gong/tape"
import { carriedText, carryOver } from "./carried.ts"
import { keepRecentTokens } from "./budget.ts"
import { type Cut, findCut, withoutOrphans } from "./cut.ts"
import { type Summarize, summaryRequest } from "./summary.ts"

export interface CompactOptions {
  /** Up to so many estimated tokens nothing is done. Default 100,000. */
  readonly maxTokens?: number
  /** Tokens of the newest messages to keep. Default 20,000. */
  readonly keepTokens?: number
  /** Messages to keep instead of a budget of tokens (conflict C-36). */
  readonly windowSize?: number
  /** Tokens that the request for the summary may take. Default: those of a window of 128,000 less the reply. */
  readonly requestTokens?: number
  /** Less than this is not worth a request. Default 0. */
  readonly leastTokens?: number
  /** What an earlier compaction left, not among the messages. */
  readonly earlier?: { readonly written: string; readonly carried: Carried | null } | null
  readonly focus?: string | null
  /** Whether a turn begins at this place. Default: wherever the user's role speaks. */
  isStart?(at: number): boolean
  readonly summarize: Summarize
  /** Which files calls have read and changed. */
  readonly declared: Declarations
}

export type Compacted =
  /** Nothing was to be done, or nothing could be taken away. */
  | { readonly status: "unchanged"; readonly messages: readonly Message[]; readonly summary: null }
  | {
      readonly status: "done"
      /** The summary as the user's text, then what was kept. */
      readonly messages: readonly Message[]
      readonly summary: string
      /** The place of the first message that was kept. */
      readonly from: number
      readonly carried: Carried
    }
  /** No summary: the same messages with their results of tools shortened. */
  | {
      readonly status: "failed"
      readonly messages: readonly Message[]
      readonly summary: null
      readonly failure: Failure
    }

/** Characters that remain of a result when there is no summary. */
export const fallbackChars = 2_000
const defaultMaxTokens = 100_000
const defaultRequestTokens = 96_000

/**
 * Replaces the older part of a conversation by a summary that a model writes (contract section 13). Never throws and
 * asks once: when the model fails, the results of tools are shortened instead.
 */
export async function compact(messages: readonly Message[], options: CompactOptions): Promise<Compacted> {
  if (estimateTokens(messages) <= (options.maxTokens ?? defaultMaxTokens)) return unchanged(messages)
  try {
    return await summarised(messages, options)
  } catch (error) {
    return failed(messages, failureOf(error))
  }
}

async function summarised(messages: readonly Message[], options: CompactOptions): Promise<Compacted> {
  const { keepTokens = keepRecentTokens, windowSize, isStart = (at) => messages[at]?.role === "user" } = options
  const cut = findCut(messages, { keep: keepTokens, isStart, ...(windowSize === undefined ? {} : { windowSize }) })
  if (cut === null) return unchanged(messages)
  const old = messages.slice(0, cut.from)
  const tokens = estimateTokens(old)
  if (tokens < (options.leastTokens ?? 0)) return unchanged(messages)
  const before = options.earlier?.carried ?? null
  const carried = carryOver(before, old, options.declared, requestOf(messages, cut, isStart, before))
  const answer = await options.summarize(requestFor(messages, cut, carried, options))
  if (!answer.ok) return failed(messages, answer.failure)
  const added = carriedText(carried)
  const summary = added === "" ? answer.text : `${answer.text}\n\n${added}`
  if (estimateText(answer.text) >= tokens + estimateText(options.earlier?.written ?? ""))
    return failed(messages, noShorter())
  const kept = withoutOrphans(messages.slice(cut.from))
  return {
    status: "done",
    messages: [userText(summaryText(summary)), ...kept],
    summary,
    from: cut.from,
    carried,
  }
}

function requestFor(messages: readonly Message[], { from, splitTurn }: Cut, carried: Carried, options: CompactOptions) {
  const parts = {
    old: messages.slice(0, splitTurn ?? from),
    prefix: splitTurn === null ? [] : messages.slice(splitTurn, from),
    previous: options.earlier?.written ?? null,
    carried: carriedText(carried),
    focus: options.focus ?? null,
  }
  return summaryRequest(parts, options.requestTokens ?? defaultRequestTokens)
}

/** The user's words that the cut leaves behind while the work on them goes on. */
function requestOf(
  messages: readonly Message[],
  { splitTurn }: Cut,
  isStart: (at: number) => boolean,
  before: Carried | null,
): string | null {
  if (splitTurn === null) return null
  const request = messages[splitTurn]
  // A turn that was cut before begins in the summary.
  return isStart(splitTurn) && request ? textOf(request) : (before?.request ?? null)
}

function unchanged(messages: readonly Message[]): Compacted {
  return { status: "unchanged", messages, summary: null }
}

function failed(messages: readonly Message[], why: Failure): Compacted {
  const short = messages.map((message) => (message.role === "tool" ? shortened(message, fallbackChars) : message))
  return { status: "failed", messages: short, summary: null, failure: why }
}

function noShorter(): Failure {
  return failure("bad-answer", phrase`The summary is no shorter than what it would replace.`)
}

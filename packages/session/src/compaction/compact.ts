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
  /** Up to this many estimated tokens the messages do not change. Default 100,000. */
  readonly maxTokens?: number
  /** Tokens of the newest messages to keep. Default 20,000. */
  readonly keepTokens?: number
  /** Messages to keep instead of a budget of tokens (conflict C-36). */
  readonly windowSize?: number
  /** The most tokens of the request for the summary. Default: a context window of 128,000 less the reply. */
  readonly requestTokens?: number
  /** Fewer removed tokens than this are not worth a request. Default 0. */
  readonly leastTokens?: number
  /** The summary of an earlier compaction, which is not among the messages. */
  readonly earlier?: { readonly written: string; readonly carried: Carried | null } | null
  readonly focus?: string | null
  /** Whether a turn begins at this index. Default: at every message of the user role. */
  isStart?(at: number): boolean
  readonly summarize: Summarize
  /** The declarations of tools, for the files that calls have read and changed. */
  readonly declared: Declarations
}

export type Compacted =
  /** No compaction is needed, or nothing can be removed. */
  | { readonly status: "unchanged"; readonly messages: readonly Message[]; readonly summary: null }
  | {
      readonly status: "done"
      /** The summary as a message of the user, then the kept messages. */
      readonly messages: readonly Message[]
      readonly summary: string
      /** The index of the first kept message. */
      readonly from: number
      readonly carried: Carried
    }
  /** No summary: the same messages with shortened tool results. */
  | {
      readonly status: "failed"
      readonly messages: readonly Message[]
      readonly summary: null
      readonly failure: Failure
    }

/** Characters that remain of a tool result when there is no summary. */
export const fallbackChars = 2_000
const defaultMaxTokens = 100_000
const defaultRequestTokens = 96_000

/**
 * Replaces the older part of a conversation by a summary of a model (contract section 13). Never throws and makes one request:
 * when it fails, tool results are shortened instead.
 */
export async function compact(messages: readonly Message[], options: CompactOptions): Promise<Compacted> {
  if (estimateTokens(messages) <= (options.maxTokens ?? defaultMaxTokens)) return unchanged(messages)
  try {
    return await summarized(messages, options)
  } catch (error) {
    return failed(messages, failureOf(error))
  }
}

async function summarized(messages: readonly Message[], options: CompactOptions): Promise<Compacted> {
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
  const input = {
    old: messages.slice(0, splitTurn ?? from),
    prefix: splitTurn === null ? [] : messages.slice(splitTurn, from),
    previous: options.earlier?.written ?? null,
    carried: carriedText(carried),
    focus: options.focus ?? null,
  }
  return summaryRequest(input, options.requestTokens ?? defaultRequestTokens)
}

/** The message of the user that the cut removes while its turn continues. */
function requestOf(
  messages: readonly Message[],
  { splitTurn }: Cut,
  isStart: (at: number) => boolean,
  before: Carried | null,
): string | null {
  if (splitTurn === null) return null
  const request = messages[splitTurn]
  // A turn that an earlier compaction cut begins in the summary.
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

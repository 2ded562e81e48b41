import { type AssistantMessage, failure, type Failure, type Message, textOf, toolCallsOf, phrase } from "@gong/spec"
import { conversationText, shortened } from "./conversation.ts"
import {
  BRANCH_PROMPT,
  focusPrompt,
  SUMMARIZATION_PROMPT,
  summarySystem,
  TURN_PREFIX_PROMPT,
  UPDATE_SUMMARIZATION_PROMPT,
} from "./texts.ts"

/** A request for a summary, as text: without tools, and without a history that the model could continue. */
export interface SummaryRequest {
  readonly system: string
  readonly prompt: string
}

/** Requests a summary. Expected failures are values; a thrown error counts as a failure. */
export type Summarize = (request: SummaryRequest) => Promise<Summarized>
export type Summarized =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly failure: Failure }

export interface SummaryInput {
  /** The messages before the turn that is cut. */
  readonly old: readonly Message[]
  /** The part of that turn that is removed. */
  readonly prefix: readonly Message[]
  /** The previous summary; null for the first one. */
  readonly previous: string | null
  /** The carried parts, as text. */
  readonly carried: string
  readonly focus: string | null
}

/** The conversation gets this share of the free tokens, since tokens are only estimated. */
const cautious = 0.7
/** At least this many tokens of the conversation are sent, for any context window. */
const least = 500

/** The request for a summary of these messages; it takes at most about `most` tokens. */
export function summaryRequest(input: SummaryInput, most: number): SummaryRequest {
  const { old, prefix, carried, focus } = input
  const previous = input.previous === null ? null : shortened(input.previous, most)
  const prompts = [
    previous === null ? SUMMARIZATION_PROMPT : UPDATE_SUMMARIZATION_PROMPT,
    ...(prefix.length > 0 ? [TURN_PREFIX_PROMPT] : []),
    ...(focus === null ? [] : [focusPrompt(focus)]),
  ]
  const fixed = [...prompts, previous ?? "", carried, summarySystem].join("\n").length / 4
  const free = Math.max(least, Math.floor(most * cautious - fixed))
  // The beginning of the current turn matters most: it gets half when both are long.
  const turn = prefix.length === 0 ? "" : conversationText(prefix, old.length === 0 ? free : free / 2)
  const talk = old.length === 0 ? "" : conversationText(old, prefix.length === 0 ? free : free / 2)
  const texts = [
    tagged("conversation", talk),
    tagged("unfinished-turn", turn),
    tagged("previous-summary", previous ?? ""),
    tagged("file-operations", carried),
    ...prompts,
  ]
  return { system: summarySystem, prompt: texts.filter((text) => text !== "").join("\n\n") }
}

/** The request for a summary of a branch that is left. */
export function branchRequest(messages: readonly Message[], focus: string, most: number): SummaryRequest {
  const prompts = [BRANCH_PROMPT, ...(focus === "" ? [] : [focusPrompt(focus)])]
  const fixed = [...prompts, summarySystem].join("\n").length / 4
  const free = Math.max(least, Math.floor(most * cautious - fixed))
  const talk = tagged("conversation", conversationText(messages, free))
  return { system: summarySystem, prompt: [talk, ...prompts].join("\n\n") }
}

function tagged(name: string, text: string): string {
  return text === "" ? "" : `<${name}>\n${text}\n</${name}>`
}

/** The summary in a reply. It must be complete and only text: half a summary would lose the rest silently. */
export function summaryOf(message: AssistantMessage): Summarized {
  const text = textOf(message).trim()
  if (toolCallsOf(message).length > 0) return bad("it called a tool")
  if (message.stopReason !== "stop") return bad("it was cut off")
  return text === "" ? bad("it is empty") : { ok: true, text }
}

function bad(why: string): Summarized {
  return { ok: false, failure: failure("bad-answer", phrase`The summary could not be used: ${why}.`) }
}

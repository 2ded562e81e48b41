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

/** A request for a summary, as text: no tool list, no history that the model could go on with. */
export interface SummaryRequest {
  readonly system: string
  readonly prompt: string
}

/** Asks a model for a summary. Expected failures are values; what it throws counts as one. */
export type Summarize = (request: SummaryRequest) => Promise<Summarized>
export type Summarized =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly failure: Failure }

export interface SummaryInput {
  /** Before the turn that is cut. */
  readonly old: readonly Message[]
  /** The part of that turn that goes. */
  readonly prefix: readonly Message[]
  /** What an earlier model wrote; null the first time. */
  readonly previous: string | null
  /** Files and the like that Gong carries over itself, as text. */
  readonly carried: string
  readonly focus: string | null
}

/** Of what is free in the window, the conversation gets this share: tokens are only estimated. */
const cautious = 0.7
/** However small the window, so many tokens of the conversation are sent. */
const least = 500

/** The request for this part of a conversation; it takes at most about `most` tokens, whatever there is to summarise. */
export function summaryRequest(parts: SummaryInput, most: number): SummaryRequest {
  const { old, prefix, carried, focus } = parts
  const previous = parts.previous === null ? null : shortened(parts.previous, most)
  const prompts = [
    previous === null ? SUMMARIZATION_PROMPT : UPDATE_SUMMARIZATION_PROMPT,
    ...(prefix.length > 0 ? [TURN_PREFIX_PROMPT] : []),
    ...(focus === null ? [] : [focusPrompt(focus)]),
  ]
  const fixed = [...prompts, previous ?? "", carried, summarySystem].join("\n").length / 4
  const free = Math.max(least, Math.floor(most * cautious - fixed))
  // The beginning of the turn that goes on matters most: it gets half where both are long.
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

/** The same for a branch that is left. */
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

/** A reply as a summary: whole, and words only. Half a summary would lose the rest without anybody seeing it. */
export function summaryOf(message: AssistantMessage): Summarized {
  const text = textOf(message).trim()
  if (toolCallsOf(message).length > 0) return bad("it called a tool")
  if (message.stopReason !== "stop") return bad("it was cut off")
  return text === "" ? bad("it is empty") : { ok: true, text }
}

function bad(why: string): Summarized {
  return { ok: false, failure: failure("bad-answer", phrase`The summary could not be used: ${why}.`) }
}

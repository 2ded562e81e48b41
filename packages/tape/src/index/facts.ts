import type { Entry } from "@gong/spec"
import { firstLine } from "../entry-text.ts"

/** The data of a session in lists, computed from its entries in order. */
export interface Facts {
  /** The first line of the first message. */
  title: string | null
  /** The newest name. */
  name: string | null
  /** The last model, as `provider/id`. */
  model: string | null
  entries: number
  prompts: number
  replies: number
  calls: number
  /** Bytes of the lines of all phases. */
  bytes: number
  /** US dollars of the requests with a known price. */
  cost: number
  /** The part with prices in yuan. */
  costCny: number
  /** The number of requests with an unknown price. */
  unpriced: number
}

export const emptyFacts: Readonly<Facts> = {
  title: null,
  name: null,
  model: null,
  entries: 0,
  prompts: 0,
  replies: 0,
  calls: 0,
  bytes: 0,
  cost: 0,
  costCny: 0,
  unpriced: 0,
}

/** Adds one entry. */
export function addFacts(facts: Facts, entry: Entry): void {
  facts.entries += 1
  switch (entry.type) {
    case "input":
      facts.prompts += 1
      facts.title ??= titleOf(entry.text)
      return
    case "message":
      return addMessage(facts, entry.message)
    case "tool_start":
      facts.calls += 1
      return
    case "model_call":
      return spend(facts, entry)
    case "model_change":
      facts.model = modelOf(entry.provider, entry.modelId) ?? facts.model
      return
    case "session_info":
      if (typeof entry.name === "string") facts.name = entry.name
      return
    default:
      return
  }
}

type Message = Extract<Entry, { type: "message" }>["message"]

function addMessage(facts: Facts, message: Message): void {
  if (message?.role === "user") {
    const text = Array.isArray(message.content) ? message.content.find((block) => block?.type === "text") : undefined
    facts.title ??= text?.type === "text" ? titleOf(text.text) : null
  }
  if (message?.role !== "assistant") return
  facts.replies += 1
  spend(facts, message)
  facts.model = modelOf(message.model?.provider, message.model?.id) ?? facts.model
}

function modelOf(provider: unknown, id: unknown): string | null {
  return typeof provider === "string" && typeof id === "string" ? `${provider}/${id}` : null
}

function spend(facts: Facts, { cost, costCny }: { readonly cost: number | null; readonly costCny?: number }): void {
  if (isPrice(costCny)) facts.costCny += costCny
  if (isPrice(cost)) facts.cost += cost
  else facts.unpriced += 1
}

/** Far more than any reply costs, and small enough for sums. */
const maxPrice = 1e9

function isPrice(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= maxPrice
}

function titleOf(text: unknown): string | null {
  return typeof text === "string" && text.trim() !== "" ? firstLine(text) : null
}

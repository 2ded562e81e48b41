import {
  addCost,
  addUsage,
  type Clock,
  type Failure,
  failureOf,
  type Ids,
  type NewEntry,
  type Notification,
  type Provider,
  type Reply,
  type Usage,
  userText,
} from "@gong/spec"
import type { HookRunner } from "@gong/loop"
import type { CompactionDeps } from "./deps.ts"
import { requestWithRetry } from "../runs/request-with-retry.ts"
import type { RetryPolicy } from "../runs/retry.ts"
import { type Summarized, summaryOf, type SummaryRequest } from "./summary.ts"

export interface SummarizerDeps {
  /** The session's model, or a cheaper one. */
  provider(): Promise<Provider>
  /** `provider/id` of the session's model. */
  readonly usual: string
  /** As what the request stands on the tape. */
  readonly purpose: "compaction" | "branch"
  readonly clock: Clock
  readonly ids: Ids
  readonly retry: RetryPolicy
  readonly hooks: Pick<HookRunner, "emit">
  write(entries: readonly NewEntry[]): readonly NewEntry[]
  notify(notification: Notification): void
}

/** Who writes the summaries of this session. */
export function summarizer(parts: CompactionDeps, purpose: SummarizerDeps["purpose"]): SummarizerDeps {
  const { provider, compaction } = parts
  const { id, provider: by } = provider.model
  return { ...parts, provider: compaction.provider ?? (async () => provider), usual: `${by}/${id}`, purpose }
}

export interface Spending {
  usage: Usage
  cost: number | null
}

/** Asks for a summary, with the retries of any request; what it cost is on the tape and added to `spent`. */
export async function askForSummary(
  parts: SummarizerDeps,
  request: SummaryRequest,
  spent: Spending,
  signal: AbortSignal,
): Promise<Summarized> {
  const { clock, ids, retry, notify, hooks } = parts
  const provider = await parts.provider()
  const name = `${provider.model.provider}/${provider.model.id}`
  const call = { purpose: parts.purpose, ...(name === parts.usual ? {} : { model: name }) }
  const write = (entries: readonly NewEntry[]): void => {
    for (const entry of parts.write(entries)) {
      if (entry.type !== "model_call") continue
      spent.usage = addUsage(spent.usage, entry.usage)
      spent.cost = addCost(spent.cost, entry.cost)
    }
  }
  const asking = {
    provider,
    clock,
    ids,
    retry,
    notify,
    partialsWanted: () => false,
    show() {},
    emit: hooks.emit,
    // Without a summary old results are shortened, which is fallback enough.
    fallBack: async () => null,
    call,
    thinking: "off",
    tools: [],
    system: request.system,
  } as const
  const steps = requestWithRetry(asking, [userText(request.prompt)], signal)
  const reply = await lastOf(steps, { write, notify })
  if (!reply.ok) return reply
  const summary = summaryOf(reply.message)
  const { usage, cost, costCny } = reply.message
  const yuan = costCny === undefined ? {} : { costCny }
  write([{ type: "model_call", ...call, usage, cost, ...yuan, ...(summary.ok ? {} : { failure: summary.failure }) }])
  return summary
}

async function lastOf(
  steps: ReturnType<typeof requestWithRetry>,
  { write, notify }: { write(entries: readonly NewEntry[]): void; notify(notification: Notification): void },
): Promise<Reply | { readonly ok: false; readonly failure: Failure }> {
  try {
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      if ("entries" in value) write(value.entries)
      else if ("notification" in value) notify(value.notification)
    }
  } catch (error) {
    return { ok: false, failure: failureOf(error) }
  }
}

import {
  addCost,
  addUsage,
  type Failure,
  failureOf,
  type ModelCallBody,
  type NewEntry,
  type Notification,
  type Provider,
  type Reply,
  type Usage,
  userText,
} from "@gong/spec"
import { onlyModel } from "../runs/fallback.ts"
import { type RequestDeps, type RequestWithRetry, requestsWithRetry } from "../runs/request-with-retry.ts"
import type { CompactionContext } from "./context.ts"
import { type Summarized, summaryOf, type SummaryRequest } from "./summary.ts"

/** What requests for summaries have cost so far. */
export interface Spending {
  usage: Usage
  cost: number | null
}

/** The model that writes summaries: the configured one, else that of the session. */
export async function summaryModel({ core, deps }: CompactionContext): Promise<Provider> {
  const { provider } = deps.settings().compaction
  return provider ? provider() : core.models.current.provider
}

/** A request for a summary, and the purpose that its cost has on the tape. */
export type PurposedRequest = SummaryRequest & Pick<ModelCallBody, "purpose">

/** Requests a summary, with retries. Its cost is written to the tape and added to `spent`. */
export async function requestSummary(
  context: CompactionContext,
  { system, prompt, purpose }: PurposedRequest,
  spent: Spending,
  signal: AbortSignal,
): Promise<Summarized> {
  const { core } = context
  const provider = await summaryModel(context)
  const call = { purpose, ...modelUnlessUsual(context, provider) }
  const write = (entries: readonly NewEntry[]): void => {
    for (const entry of core.writer.write(entries)) {
      if (entry.type !== "model_call") continue
      spent.usage = addUsage(spent.usage, entry.usage)
      spent.cost = addCost(spent.cost, entry.cost)
    }
  }
  const request = requestsWithRetry(requestDeps(context, provider), { system, tools: [], call })
  const reply = await lastOf(request([userText(prompt)], signal), write, core.notify)
  if (!reply.ok) return reply
  const summary = summaryOf(reply.message)
  const { usage, cost, costCny } = reply.message
  const yuan = costCny === undefined ? {} : { costCny }
  write([{ type: "model_call", ...call, usage, cost, ...yuan, ...(summary.ok ? {} : { failure: summary.failure }) }])
  return summary
}

/** The model's name for the tape; left out for the model of the session. */
function modelUnlessUsual({ core }: CompactionContext, { model }: Provider): Pick<ModelCallBody, "model"> {
  const usual = core.models.current.provider.model
  const isUsual = model.provider === usual.provider && model.id === usual.id
  return isUsual ? {} : { model: `${model.provider}/${model.id}` }
}

/** Without fallbacks: where there is no summary, old results are shortened instead. */
function requestDeps({ core, deps }: CompactionContext, provider: Provider): RequestDeps {
  const { clock, ids } = deps
  const { retry } = deps.settings()
  const output = { publish: core.publication.publish, partialsWanted: () => false, emit: core.hooks.emit }
  return { models: onlyModel({ provider, thinking: "off" }), clock, ids, retry, output }
}

async function lastOf(
  steps: ReturnType<RequestWithRetry>,
  write: (entries: readonly NewEntry[]) => void,
  notify: (notification: Notification) => void,
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

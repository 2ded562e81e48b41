import {
  type Failure,
  failure,
  FailureError,
  type LabelBody,
  messageOf,
  phrase,
  type QueuedInput,
  type SessionInfoBody,
  textNotification,
} from "@gong/spec"
import type { Tape } from "@gong/tape"
import type { CompactionContext } from "./compaction/context.ts"
import type { SessionCore } from "./core.ts"
import type { Exclusive } from "./exclusive.ts"
import { modelEntries } from "./input/entries.ts"
import { queueUpdate } from "./notifications.ts"
import type { ModelSelection } from "./runs/model-selection.ts"

/** What a user changes between runs. Methods that affect a run throw FailureError (`denied`) during one. */
export interface SessionSettings {
  /** Sets the model or the thinking level of the next run; written at once, so that a resumed session has it as well. */
  selectModel(choice: Partial<ModelSelection>): void
  /**
   * Continues from another entry; the old branch stays. `summary` tells the model what happened there; "": nothing. Throws
   * FailureError (`bad-request`) when the session has no such entry.
   */
  checkout(target: string, summary: string): void
  /**
   * The same with a summary of the old branch by the summary model. `focus`: what the summary must cover above all, or "".
   * Without a summary the session continues from the target all the same and reports why; after `abort` nothing changes.
   */
  checkoutWithSummary(target: string, focus: string): Promise<CheckoutResult>
  /** Removes a waiting message from the queue, or with null all of them, and returns them. Also during a run. */
  dequeue(id: string | null): Promise<readonly QueuedInput[]>
  /** Sets a name for the session or a label on one of its entries. Also during a run. */
  annotate(body: SessionInfoBody | LabelBody): void
}

export interface CheckoutResult {
  /** `nothing`: the old branch has no messages. `interrupted`: the session stays on its branch. */
  readonly status: "done" | "nothing" | "failed" | "interrupted"
  /** As the model reads it; "" without one. */
  readonly summary: string
  readonly failure?: Failure
}

export interface SessionSettingsDeps {
  readonly context: CompactionContext
  readonly exclusive: Exclusive
  /** Throws FailureError (`denied`) during a run or a compaction. */
  assertIdle(): void
}

export function sessionSettings({ context, exclusive, assertIdle }: SessionSettingsDeps): SessionSettings {
  const { core } = context
  const { tape, writer, publication } = core
  return {
    selectModel(choice) {
      assertIdle()
      selectModel(core, choice)
    },
    checkout(target, summary) {
      assertIdle()
      assertEntry(tape, target)
      publication.publish({ entries: [tape.navigate(target, summary)] })
    },
    async checkoutWithSummary(target, focus) {
      assertIdle()
      assertEntry(tape, target)
      return exclusive.run((stop) => checkoutWithSummary(context, target, focus, stop.signal))
    },
    dequeue: (id) => dequeue(core, id),
    annotate(body) {
      if (body.type === "label") assertEntry(tape, body.targetId)
      writer.write([body])
    },
  }
}

function selectModel({ models, writer, hooks }: SessionCore, choice: Partial<ModelSelection>): void {
  const before = models.current
  const selection = { ...before, ...choice }
  const changes = modelEntries({ model: before.provider.model, thinking: before.thinking }, selection)
  models.select(selection)
  if (changes.length > 0) writer.write(changes)
  const [first] = changes
  if (first?.type === "model_change")
    hooks.emit("model.select", () => ({ model: first.modelId, provider: first.provider }))
}

async function dequeue({ queue, writer, notify }: SessionCore, id: string | null): Promise<readonly QueuedInput[]> {
  const removed = queue.remove(id)
  if (removed.length > 0) {
    writer.write(removed.map((input) => ({ type: "input_drop", inputId: input.id, reason: "taken back by the user" })))
    notify(queueUpdate(queue))
  }
  return writer.settled(removed.map((input) => ({ id: input.id, text: input.text })))
}

/** The summary code is loaded here: most sessions stay on one branch. */
async function checkoutWithSummary(
  context: CompactionContext,
  target: string,
  focus: string,
  signal: AbortSignal,
): Promise<CheckoutResult> {
  const { tape, publication, notify } = context.core
  const { summarizeBranch } = await import("./branch-summary.ts")
  const made = await summarizeBranch(context, target, focus, signal)
  const { failure: why } = { failure: undefined, ...made }
  if (why?.kind === "aborted") return { status: "interrupted", summary: "", failure: why }
  const summary = made.status === "done" ? made.text : ""
  publication.publish({ entries: [tape.navigate(target, summary)] })
  if (why === undefined) return { status: made.status, summary }
  notify(textNotification("branch", "warn", phrase`the branch that was left has no summary: ${messageOf(why)}`))
  return { status: "failed", summary, failure: why }
}

function assertEntry(tape: Tape, id: string): void {
  if (!tape.has(id)) throw new FailureError(failure("bad-request", phrase`This session has no step ${id}.`))
}

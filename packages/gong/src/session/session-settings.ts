import {
  type Entry,
  type Failure,
  failure,
  FailureError,
  type LabelBody,
  messageOf,
  type NewEntry,
  phrase,
  type Provider,
  type PublishedStep,
  type QueuedInput,
  type SessionInfoBody,
  textNotification,
  type ThinkingLevel,
} from "@gong/spec"
import type { HookRunner } from "@gong/loop"
import type { Tape } from "@gong/tape"
import type { CompactionDeps } from "./compaction/deps.ts"
import type { InputQueue } from "./input/inbox.ts"
import type { ModelSelection } from "./runs/model-selection.ts"
import { queueUpdate } from "./notifications.ts"

/** What a user changes while no run works. What a run would notice throws FailureError (`denied`) while one does. */
export interface SessionSettings {
  /** The model and thinking level of the next run. */
  readonly selection: ModelSelection
  /** From the next run on; on the tape at once, so that whoever goes on with the session has it as well. */
  selectModel(choice: Partial<ModelSelection>): void
  /**
   * Goes on from another step; the branch that is left stays. `summary` tells the model what happened there, "" nothing.
   * Throws FailureError (`bad-request`) when the session has no such step.
   */
  checkout(target: string, summary: string): void
  /**
   * The same with a summary by the model that writes those of compactions; `focus`: what it should keep above all, or "".
   * Where it makes none the session goes on without, and says why; `abort` leaves it where it is.
   */
  checkoutWithSummary(target: string, focus: string): Promise<CheckoutResult>
  /** Takes a waiting message back, or with null all of them; gives those that waited. Also while a run works. */
  dequeue(id: string | null): Promise<readonly QueuedInput[]>
  /** A name for the session or a mark on one of its steps. Also while a run works. */
  annotate(body: SessionInfoBody | LabelBody): void
}

export interface CheckoutResult {
  /** `nothing`: there was nothing to sum up. `interrupted`: the session is where it was. */
  readonly status: "done" | "nothing" | "failed" | "interrupted"
  /** As the model reads it; "" without one. */
  readonly summary: string
  readonly failure?: Failure
}

export interface SessionSettingsDeps {
  readonly tape: Tape
  readonly hooks: HookRunner
  readonly queue: InputQueue
  readonly selection: { provider: Provider; thinking: ThinkingLevel }
  write(entries: readonly NewEntry[]): readonly Entry[]
  /** Resolves when what was written is as durable as it has to be. */
  settled<T>(value: T): Promise<T>
  publish(step: PublishedStep): void
  /** Throws while a run works. */
  assertIdle(): void
  /** Keeps everything else away while it works. */
  exclusive<T>(work: (stop: AbortController) => Promise<T>): Promise<T>
  /** Who writes summaries. */
  readonly summaries: CompactionDeps
}

export function sessionSettings(parts: SessionSettingsDeps): SessionSettings {
  const { tape, hooks, queue, selection, write, settled, publish, assertIdle } = parts
  return {
    selection,
    selectModel({ provider = selection.provider, thinking = selection.thinking }) {
      assertIdle()
      const { provider: by, id } = provider.model
      const changes: NewEntry[] = []
      const before = selection.provider.model
      if (by !== before.provider || id !== before.id) changes.push({ type: "model_change", provider: by, modelId: id })
      if (thinking !== selection.thinking) changes.push({ type: "thinking_level_change", thinkingLevel: thinking })
      Object.assign(selection, { provider, thinking })
      if (changes.length > 0) write(changes)
      if (changes[0]?.type === "model_change") hooks.emit("model.select", () => ({ model: id, provider: by }))
    },
    checkout(target, summary) {
      assertIdle()
      assertEntry(tape, target)
      publish({ entries: [tape.navigate(target, summary)] })
    },
    async checkoutWithSummary(target, focus) {
      assertIdle()
      assertEntry(tape, target)
      return parts.exclusive((stop) => checkoutWithSummary(parts, target, focus, stop.signal))
    },
    async dequeue(id) {
      const taken = queue.remove(id)
      const reason = "taken back by the user"
      if (taken.length > 0) {
        write(taken.map((input) => ({ type: "input_drop", inputId: input.id, reason })))
        publish({ notification: queueUpdate(queue) })
      }
      return settled(taken.map((input) => ({ id: input.id, text: input.text })))
    },
    annotate(body) {
      if (body.type === "label") assertEntry(tape, body.targetId)
      write([body])
    },
  }
}

/** Loaded when it is wanted: most sessions never leave a branch. */
async function checkoutWithSummary(
  { tape, publish, summaries }: SessionSettingsDeps,
  target: string,
  focus: string,
  signal: AbortSignal,
): Promise<CheckoutResult> {
  const { summariseBranch } = await import("./branch-summary.ts")
  const made = await summariseBranch(summaries, target, focus, signal)
  const { failure: why } = { failure: undefined, ...made }
  if (why?.kind === "aborted") return { status: "interrupted", summary: "", failure: why }
  const summary = made.status === "done" ? made.text : ""
  publish({ entries: [tape.navigate(target, summary)] })
  if (why === undefined) return { status: made.status, summary }
  const text = phrase`the branch that was left has no summary: ${messageOf(why)}`
  publish({ notification: textNotification("branch", "warn", text) })
  return { status: "failed", summary, failure: why }
}

function assertEntry(tape: Tape, id: string): void {
  if (!tape.has(id)) throw new FailureError(failure("bad-request", phrase`This session has no step ${id}.`))
}

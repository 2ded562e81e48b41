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
  textNotice,
  type ThinkingLevel,
} from "@gong/spec"
import type { HookRunner } from "@gong/loop"
import type { Tape } from "@gong/tape"
import type { CompactionParts } from "./compaction/parts.ts"
import type { InputQueue } from "./inbox.ts"
import type { Asks } from "./asks.ts"
import { queueNotice } from "./notices.ts"

/** What a user changes while no run works. What a run would notice throws FailureError (`denied`) while one does. */
export interface BetweenRuns {
  /** What the next run asks; current whenever it is read. */
  readonly asks: Asks
  /** From the next run on; on the tape at once, so that whoever goes on with the session has it as well. */
  choose(choice: Partial<Asks>): void
  /**
   * Goes on from another step; the branch that is left stays. `summary` tells the model what happened there, "" nothing.
   * Throws FailureError (`bad-request`) when the session has no such step.
   */
  goTo(target: string, summary: string): void
  /**
   * The same with a summary by the model that writes those of compactions; `focus`: what it should keep above all, or "".
   * Where it makes none the session goes on without, and says why; `abort` leaves it where it is.
   */
  goOver(target: string, focus: string): Promise<GoneOver>
  /** Takes a waiting message back, or with null all of them; gives those that waited. Also while a run works. */
  takeBack(id: string | null): Promise<readonly QueuedInput[]>
  /** A name for the session or a mark on one of its steps. Also while a run works. */
  note(body: SessionInfoBody | LabelBody): void
}

export interface GoneOver {
  /** `nothing`: there was nothing to sum up. `interrupted`: the session is where it was. */
  readonly status: "done" | "nothing" | "failed" | "interrupted"
  /** As the model reads it; "" without one. */
  readonly summary: string
  readonly failure?: Failure
}

export interface BetweenParts {
  readonly tape: Tape
  readonly hooks: HookRunner
  readonly queue: InputQueue
  readonly asks: { provider: Provider; thinking: ThinkingLevel }
  write(entries: readonly NewEntry[]): readonly Entry[]
  /** Resolves when what was written is as durable as it has to be. */
  settled<T>(value: T): Promise<T>
  publish(step: PublishedStep): void
  /** Throws while a run works. */
  mustBeIdle(): void
  /** Keeps everything else away while it works. */
  alone<T>(work: (stop: AbortController) => Promise<T>): Promise<T>
  /** Who writes summaries. */
  readonly summaries: CompactionParts
}

export function betweenRuns(parts: BetweenParts): BetweenRuns {
  const { tape, hooks, queue, asks, write, settled, publish, mustBeIdle } = parts
  return {
    asks,
    choose({ provider = asks.provider, thinking = asks.thinking }) {
      mustBeIdle()
      const { provider: by, id } = provider.model
      const changes: NewEntry[] = []
      const before = asks.provider.model
      if (by !== before.provider || id !== before.id) changes.push({ type: "model_change", provider: by, modelId: id })
      if (thinking !== asks.thinking) changes.push({ type: "thinking_level_change", thinkingLevel: thinking })
      Object.assign(asks, { provider, thinking })
      if (changes.length > 0) write(changes)
      if (changes[0]?.type === "model_change") hooks.tell("model.select", () => ({ model: id, provider: by }))
    },
    goTo(target, summary) {
      mustBeIdle()
      mustHave(tape, target)
      publish({ entries: [tape.navigate(target, summary)] })
    },
    async goOver(target, focus) {
      mustBeIdle()
      mustHave(tape, target)
      return parts.alone((stop) => goOver(parts, target, focus, stop.signal))
    },
    async takeBack(id) {
      const taken = queue.remove(id)
      const reason = "taken back by the user"
      if (taken.length > 0) {
        write(taken.map((input) => ({ type: "input_drop", inputId: input.id, reason })))
        publish({ notice: queueNotice(queue) })
      }
      return settled(taken.map((input) => ({ id: input.id, text: input.text })))
    },
    note(body) {
      if (body.type === "label") mustHave(tape, body.targetId)
      write([body])
    },
  }
}

/** Loaded when it is wanted: most sessions never leave a branch. */
async function goOver(
  { tape, publish, summaries }: BetweenParts,
  target: string,
  focus: string,
  signal: AbortSignal,
): Promise<GoneOver> {
  const { summariseBranch } = await import("./branch-summary.ts")
  const made = await summariseBranch(summaries, target, focus, signal)
  const { failure: why } = { failure: undefined, ...made }
  if (why?.kind === "aborted") return { status: "interrupted", summary: "", failure: why }
  const summary = made.status === "done" ? made.text : ""
  publish({ entries: [tape.navigate(target, summary)] })
  if (why === undefined) return { status: made.status, summary }
  const text = phrase`the branch that was left has no summary: ${messageOf(why)}`
  publish({ notice: textNotice("branch", "warn", text) })
  return { status: "failed", summary, failure: why }
}

function mustHave(tape: Tape, id: string): void {
  if (!tape.has(id)) throw new FailureError(failure("bad-request", phrase`This session has no step ${id}.`))
}

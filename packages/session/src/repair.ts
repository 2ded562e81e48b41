import type { NewEntry } from "@gong/spec"
import { pending, type Tape, unfinished } from "@gong/tape"

const notRun = "Not run: Gong stopped before it started."
const interrupted = "Interrupted: Gong stopped while this ran; it may have taken effect. Check before repeating."

/** What the repair of a session changed, for the user. */
export interface RepairResult {
  /** The number of calls that had no result after a crash and got one. */
  readonly calls: number
  /** Messages that were acknowledged and never answered. They are not sent again. */
  readonly unsent: readonly string[]
}

/** Repairs a session after a crash (engine D8, D18). Runs nothing and sends nothing again. */
export function repair(tape: Tape): RepairResult {
  const calls = [...tape.follow(unfinished).value.values()]
  const inputs = [...tape.follow(pending).value.values()]
  const entries = [
    ...calls.map(({ call, start }) => resultOf(call, start !== null)),
    ...inputs.map(({ id }) => ({ type: "input_drop" as const, inputId: id, reason: "not sent before Gong stopped" })),
  ]
  if (entries.length > 0) tape.append(entries, { sync: true })
  return { calls: calls.length, unsent: inputs.map(({ text }) => text) }
}

function resultOf(call: { readonly id: string; readonly name: string }, started: boolean): Result {
  return {
    type: "message",
    message: {
      role: "tool",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: started ? interrupted : notRun }],
      details: null,
      isError: true,
      status: started ? "aborted" : "skipped",
    },
  }
}

type Result = Extract<NewEntry, { type: "message" }>

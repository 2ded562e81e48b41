import type { NewEntry, ToolCall } from "@gong/spec"

/** Calls of the active branch that have no result, as a crash leaves them. */
export interface Unfinished {
  readonly call: ToolCall
  readonly started: boolean
}

const notRun = "Not run: Gong stopped before it started."
const interrupted = "Interrupted: Gong stopped while this ran; it may have taken effect. Check before repeating."

/** The results that calls get which a crash left open (engine D18). Nothing is run again by itself. */
export function repairs(unfinished: readonly Unfinished[]): readonly NewEntry[] {
  return unfinished.map(({ call, started }): NewEntry => ({
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
  }))
}

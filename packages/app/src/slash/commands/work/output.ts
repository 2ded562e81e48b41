import { textOf, type ToolResultMessage } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import { output as outputOf, type SlashCommand } from "../../command.ts"

export const output: SlashCommand = {
  name: "output",
  about: "whole output of the last tool call, or of the Nth from the end",
  value: "[N]",
  async run({ t, controller }, word) {
    const nth = word === "" ? 1 : Number(word)
    if (!Number.isSafeInteger(nth) || nth < 1)
      return outputOf([t`Type a number: /output 2 shows the last call but one.`])
    const result = lastResult(controller.current.session.history, nth)
    if (result === null) return outputOf([t`There is no such tool call.`])
    const text = textOf(result)
    return outputOf([`${result.toolName}:`, ...text.trimEnd().split("\n")], { toolCallId: result.toolCallId, text })
  },
}

/** The result of the nth tool call from the end of the active branch. */
function lastResult({ branch }: ReadonlyTape, nth: number): ToolResultMessage | null {
  let left = nth
  for (let at = branch.length - 1; at >= 0; at--) {
    if (branch.head(at).type !== "message") continue
    const entry = branch.entry(at)
    if (entry.type === "message" && entry.message.role === "tool" && --left === 0) return entry.message
  }
  return null
}

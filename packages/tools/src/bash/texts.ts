import { formatSize } from "../truncate.ts"
import type { Collected } from "./output.ts"

/** How a command ended. */
export type Ending =
  | { readonly how: "exit"; readonly code: number }
  | { readonly how: "signal"; readonly signal: string }
  | { readonly how: "timeout"; readonly seconds: number }
  | { readonly how: "abort" }

/** What the model reads: the output, what was cut from it, how it ended. */
export function resultText(collected: Collected, ending: Ending, notes: readonly string[]): string {
  const output = collected.truncation.content
  const body = [output.replace(/\n$/, ""), ...noticeLines(collected), ...notes].filter((part) => part !== "").join("\n")
  const last = endingText(ending)
  if (last !== "") return body === "" ? last : `${body}\n\n${last}`
  if (body === "") return "(no output)"
  return collected.truncation.truncated || notes.length > 0 ? body : output
}

function endingText(ending: Ending): string {
  switch (ending.how) {
    case "exit":
      return ending.code === 0 ? "" : `Command exited with code ${ending.code}`
    case "signal":
      return `Command was ended by signal ${ending.signal}`
    case "timeout":
      return `Command timed out after ${ending.seconds} seconds`
    case "abort":
      return "Command aborted"
  }
}

/** Numbers are those of the whole output, so that the last one is its total (contract C-66). */
function noticeLines(collected: Collected): readonly string[] {
  const cut = collected.truncation
  if (!cut.truncated) return []
  const omitted = cut.totalLines - cut.outputLines
  const shown = `Showing lines ${omitted + 1}-${cut.totalLines} of ${cut.totalLines}.`
  const where = collected.path === undefined ? "" : ` Full output: ${collected.path}`
  const lines = [
    omitted > 0 ? `${omitted} lines omitted` : "",
    cut.lastLinePartial ? `the beginning of line ${cut.totalLines} omitted` : "",
  ].filter((part) => part !== "")
  const limit =
    cut.truncatedBy === "lines" ? `${cut.maxLines} lines` : `${formatSize(cut.maxBytes)} (${cut.maxBytes} bytes)`
  const second = [`${lines.join(", ")}.`, `Original size ${cut.totalBytes} bytes, limit ${limit}.`]
  if (collected.leftOut > 0) second.push(`The file leaves out ${collected.leftOut} bytes in its middle.`)
  if (collected.unsaved !== undefined) second.push(`The full output could not be kept (${collected.unsaved}).`)
  return [`[${shown}${where}]`, `[${second.join(" ")}]`]
}

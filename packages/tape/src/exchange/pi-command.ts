import { type CustomMessageBody, type ToolStatus, userCommandText, userCommandType } from "@gong/spec"
import type { PiRecord } from "./pi.ts"

/** A message `bashExecution` of Pi, a command that the user ran with `!`, as the entry of a user command. */
export function commandFromPi(message: PiRecord): CustomMessageBody {
  const { command, output, exitCode, timestamp, fullOutputPath } = message
  const line = textOf(command)
  const path = textOf(fullOutputPath)
  const truncated = message["truncated"] === true
  const cut = truncated && path !== "" ? `[Output truncated. Full output: ${path}]` : ""
  return {
    type: "custom_message",
    customType: userCommandType,
    content: [{ type: "text", text: userCommandText(line, outputText([textOf(output), cut], endOf(message))) }],
    display: true,
    details: {
      status: statusOf(message),
      command: line,
      exit_code: typeof exitCode === "number" ? exitCode : null,
      ...(typeof timestamp === "number" ? { started_at: timestamp } : {}),
      truncated,
      ...(path === "" ? {} : { fullOutputPath: path }),
    },
  }
}

/** The output in the form of the bash tool: the text, followed by the end of the command when it failed. */
function outputText(lines: readonly string[], end: string): string {
  const body = lines
    .map((line) => line.replace(/\n$/, ""))
    .filter((line) => line !== "")
    .join("\n")
  return [body, end].filter((part) => part !== "").join("\n\n") || "(no output)"
}

/** Pi has no exit code for a command that was cancelled or ended by a signal. */
function statusOf({ cancelled, exitCode }: PiRecord): ToolStatus {
  if (cancelled === true) return "aborted"
  return exitCode === 0 ? "ok" : "error"
}

function endOf({ cancelled, exitCode }: PiRecord): string {
  if (cancelled === true) return "Command aborted"
  if (typeof exitCode !== "number") return "Command was ended by a signal"
  return exitCode === 0 ? "" : `Command exited with code ${exitCode}`
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}

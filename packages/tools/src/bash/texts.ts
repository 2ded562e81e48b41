import type { JobInfo } from "@gong/spec"
import { formatSize } from "../truncate.ts"
import type { Collected } from "./output/output.ts"

/** How a command exited. */
export type ExitReason =
  | { readonly how: "exit"; readonly code: number }
  | { readonly how: "signal"; readonly signal: string }
  | { readonly how: "timeout"; readonly seconds: number }
  | { readonly how: "abort" }
  /** A job stopped by the model or by the end of the session. */
  | { readonly how: "stop" }

/** The text for the model: output, truncation notes, exit status. `exit` is null while the command runs. */
export function resultText(collected: Collected, exit: ExitReason | null, notes: readonly string[]): string {
  const output = collected.truncation.content
  const none = exit === null ? "(no new output)" : "(no output)"
  const body = [output.replace(/\n$/, ""), ...noticeLines(collected), ...notes].filter((part) => part !== "").join("\n")
  const last = endingText(exit)
  if (last !== "") return body === "" ? last : `${body}\n\n${last}`
  if (output === "") return [none, ...notes].join("\n")
  return collected.truncation.truncated || notes.length > 0 ? body : output
}

function endingText(exit: ExitReason | null): string {
  switch (exit?.how) {
    case "exit":
      return exit.code === 0 ? "" : `Command exited with code ${exit.code}`
    case "signal":
      return `Command was ended by signal ${exit.signal}`
    case "timeout":
      return `Command timed out after ${exit.seconds} seconds`
    case "abort":
      return "Command aborted"
    case "stop":
    case undefined:
      return ""
  }
}

/** Line numbers count from the start of the whole output, so the last one is the total (contract C-66). */
function noticeLines(collected: Collected): readonly string[] {
  const { truncation: cut, linesBefore, middle } = collected
  if (!cut.truncated) return []
  const where = collected.path === undefined ? "" : ` Full output: ${collected.path}`
  const last = linesBefore + cut.totalLines
  const omitted = cut.totalLines - cut.outputLines
  const shown =
    middle > 0
      ? `Showing the beginning and the end of ${last} lines.`
      : `Showing lines ${linesBefore + omitted + 1}-${last} of ${last}.`
  const parts = [
    middle === 0 && omitted > 0 ? `${omitted} lines omitted` : "",
    cut.lastLinePartial ? `the beginning of line ${last} omitted` : "",
  ].filter((part) => part !== "")
  const limit =
    cut.truncatedBy === "lines" ? `${cut.maxLines} lines` : `${formatSize(cut.maxBytes)} (${cut.maxBytes} bytes)`
  const second = [`Original size ${cut.totalBytes} bytes, limit ${limit}.`]
  if (parts.length > 0) second.unshift(`${parts.join(", ")}.`)
  if (collected.leftOut > 0) second.push(leftOutText(collected))
  if (collected.unsaved !== undefined) second.push(`The full output could not be kept (${collected.unsaved}).`)
  return [`[${shown}${where}]`, `[${second.join(" ")}]`]
}

function leftOutText({ leftOut, open }: Collected): string {
  return open
    ? `The file has the last ${leftOut} bytes only when the job has ended.`
    : `The file leaves out ${leftOut} bytes in its middle.`
}

export function toBackground(seconds: number, job: number): string {
  return `[Still running after ${seconds} s; it goes on as job ${job}. Last output above. bash {"job":${job}} reads more (waits up to 60 s), {"job":${job},"stop":true} ends it.]`
}

export function tooManyJobs(running: readonly JobInfo[]): string {
  const [oldest] = running
  return `[It could not go on in the background: ${running.length} jobs are running already. End one first, as with {"job":${oldest?.number ?? 1},"stop":true}.]`
}

export function stillRunning(job: number, ms: number): string {
  return `[Job ${job} is still running after ${Math.round(ms / 1000)} s.]`
}

export function jobEnded(job: number, exit: ExitReason): string {
  if (exit.how === "stop") return `[Job ${job} was ended.]`
  return exit.how === "exit" && exit.code === 0 ? `[Job ${job} has ended with exit code 0.]` : `[Job ${job} has ended.]`
}

export function noSuchJob(job: number, there: readonly JobInfo[]): string {
  const list = there.map(({ number, title }) => `${number} (${title})`).join(", ")
  return `There is no job ${job}, or its end was told already. ${list === "" ? "No job is there now." : `There are: ${list}.`}`
}

export function waitAborted(job: number): string {
  return `Stopped waiting for job ${job}; it goes on.`
}

export function stillEnding(job: number): string {
  return `Job ${job} was told to end and is still there. Look again later with {"job":${job}}.`
}

/** Explains by the system's error code why the command did not start. */
export function notStartedText(code: string, shell: string): string {
  if (code === "E2BIG")
    return "E2BIG: the command is too long for this system. Write it to a file with write and run that."
  return `${code}: the command could not be started with ${shell}. Ask the user to check the shell.`
}

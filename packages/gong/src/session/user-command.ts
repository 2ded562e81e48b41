import {
  type Artifacts,
  type Entry,
  type FilesSeen,
  type Ids,
  type NewEntry,
  type PublishedStep,
  textOf,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolStatus,
  userCommandText,
  userCommandType,
} from "@gong/spec"
import { redactAll, withoutSecrets } from "@gong/loop"

/** How the id of a user's command begins, which stands where a model's call has its own. */
export const userCall = "user-"

export interface UserCommandDeps {
  /** The bash tool, whether the model may call it or not. */
  readonly bash: Tool
  readonly artifacts: Artifacts
  readonly ids: Ids
  seen(): FilesSeen | null
  redact(text: string): string
  write(entries: readonly NewEntry[]): readonly Entry[]
  /** As `Store.settled`. */
  settled(): Promise<void> | null
  publish(step: PublishedStep): void
}

export interface UserCommand {
  readonly command: string
  /** Seconds until it is killed; without, one that goes on for too long becomes a job. */
  readonly timeout?: number
}

export interface CommandResult {
  /** Under which its output was shown while it ran. */
  readonly callId: string
  readonly status: ToolStatus
  readonly output: string
  readonly details: ToolResult["details"]
  /** The step that holds it. */
  readonly entry: string
}

/**
 * Runs a command of the user's own as the bash tool runs one of the model's, but asks nobody: it is the user who wants it.
 * It stands on the tape when it has ended, as a message that the model sees with the next request. Throws what the tool
 * throws, e.g. FailureError for an empty command.
 */
export async function userCommand(
  parts: UserCommandDeps,
  wanted: UserCommand,
  signal: AbortSignal,
): Promise<CommandResult> {
  const callId = `${userCall}${parts.ids.entry()}`
  const result = await parts.bash.execute(callId, { ...wanted } as never, contextOf(parts, callId, signal))
  const output = parts.redact(textOf(result))
  const details = redactAll(parts, result.details) as ToolResult["details"]
  const status = result.status ?? (result.isError ? "error" : "ok")
  const text = userCommandText(parts.redact(wanted.command), output)
  const [entry] = parts.write([
    {
      type: "custom_message",
      customType: userCommandType,
      content: [{ type: "text", text }],
      display: true,
      details: { status, ...details },
    },
  ])
  return { callId, status, output, details, entry: entry?.id ?? "" }
}

function contextOf(parts: UserCommandDeps, callId: string, signal: AbortSignal): ToolContext {
  const seen = parts.seen()
  return {
    signal,
    onProgress: (delta) => parts.publish({ partial: { type: "progress", callId, delta: parts.redact(delta) } }),
    async record(change) {
      parts.write([{ type: "change", callId, ...(await withoutSecrets(parts, change)) }])
      await parts.settled()
    },
    artifacts: parts.artifacts,
    ...(seen && { seen }),
  }
}

import {
  textOf,
  type ToolContext,
  type ToolResult,
  type ToolStatus,
  FailureError,
  userCommandText,
  userCommandType,
} from "@gong/spec"
import { redactAll, withoutSecrets } from "@gong/loop"
import { noCommands } from "./notifications.ts"
import { seenFiles } from "./runs/loop-ports.ts"
import type { RunContext } from "./runs/run-context.ts"

/** The prefix of the call id of a user's command. */
export const userCall = "user-"

export interface UserCommand {
  readonly command: string
  /** The model does not see it. */
  readonly private?: true
  /** Seconds until it is killed; without a timeout, a long command becomes a background job. */
  readonly timeout?: number
}

export interface CommandResult {
  /** The call id with which its output was shown while it ran. */
  readonly callId: string
  readonly status: ToolStatus
  readonly output: string
  readonly details: ToolResult["details"]
  /** The id of its entry. */
  readonly entry: string
}

/**
 * Runs a command of the user with the bash tool, without asking for permission. When it has ended it is written to the tape, as a
 * message that the model gets with the next request unless it is private. Throws what the tool throws, for example FailureError for an empty
 * command, and FailureError (`bad-request`) where the session has no bash tool.
 */
export async function runUserCommand(
  context: Pick<RunContext, "deps" | "core">,
  wanted: UserCommand,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { deps, core } = context
  if (!deps.bash) throw new FailureError(noCommands())
  const callId = `${userCall}${deps.ids.entry()}`
  const { private: isPrivate = false, ...args } = wanted
  const result = await deps.bash.execute(callId, args as never, toolContext(context, callId, signal))
  const output = deps.redact(textOf(result))
  const details = redactAll(deps, result.details) as ToolResult["details"]
  const status = result.status ?? (result.isError ? "error" : "ok")
  const text = userCommandText(deps.redact(wanted.command), output)
  const [entry] = core.writer.write([
    isPrivate
      ? { type: "custom", customType: userCommandType, data: { text, status, ...details } }
      : {
          type: "custom_message",
          customType: userCommandType,
          content: [{ type: "text", text }],
          display: true,
          details: { status, ...details },
        },
  ])
  return { callId, status, output, details, entry: entry?.id ?? "" }
}

function toolContext(context: Pick<RunContext, "deps" | "core">, callId: string, signal: AbortSignal): ToolContext {
  const { deps, core } = context
  const { artifacts } = core.tape.store
  const redact = (text: string): string => deps.redact(text)
  const seen = seenFiles(context)
  return {
    signal,
    onProgress: (delta) => core.publication.publish({ partial: { type: "progress", callId, delta: redact(delta) } }),
    async record(change) {
      core.writer.write([{ type: "change", callId, ...(await withoutSecrets({ artifacts, redact }, change)) }])
      await core.tape.settled()
    },
    artifacts,
    ...(seen && { seen }),
  }
}

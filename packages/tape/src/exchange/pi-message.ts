import type {
  AssistantContent,
  AssistantMessage,
  CustomMessageBody,
  Failure,
  FileChange,
  Message,
  StopReason,
  ToolStatus,
  Usage,
  UserContent,
} from "@gong/spec"
import { isRecord, userText } from "@gong/spec"
import { commandFromPi } from "./pi-command.ts"
import { type PiRecord, piStopReason } from "./pi.ts"

/** A message of Pi as a message or an entry of Gong; null when there is no equivalent. */
export function messageFromPi(message: PiRecord): Message | CustomMessageBody | null {
  switch (message["role"]) {
    case "user":
      return { role: "user", content: userContent(message["content"]) }
    case "assistant":
      return assistant(message)
    case "toolResult":
      return toolResult(message)
    case "custom":
      return custom(message)
    case "bashExecution":
      return message["excludeFromContext"] === true ? null : commandFromPi(message)
    case "branchSummary":
    case "compactionSummary":
      return typeof message["summary"] === "string" ? userText(message["summary"]) : null
    default:
      return null
  }
}

/** Text and images; a plain string is one block of text. */
export function userContent(content: unknown): readonly UserContent[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return listOf(content).flatMap((block): readonly UserContent[] => {
    const { type, text, data, mimeType } = block
    if (type === "text" && typeof text === "string") return [{ type, text }]
    if (type === "image" && typeof data === "string" && typeof mimeType === "string") return [{ type, mimeType, data }]
    return []
  })
}

function assistant(message: PiRecord): AssistantMessage {
  const own = isRecord(message["gong"]) ? message["gong"] : {}
  const { failure, durationMs, firstTokenMs } = own
  const stopReason = stopReasonOf(message["stopReason"])
  const failed = isRecord(failure) ? (failure as unknown as Failure) : errorOf(message["errorMessage"], stopReason)
  return {
    role: "assistant",
    content: assistantContent(message["content"]),
    model: { provider: word(message["provider"]), id: word(message["model"]), api: word(message["api"]) },
    stopReason,
    usage: usageOf(message["usage"]),
    cost: own["cost"] === null ? null : costOf(message["usage"]),
    ...(failed === null ? {} : { failure: failed }),
    ...(typeof durationMs === "number" ? { durationMs } : {}),
    ...(typeof firstTokenMs === "number" ? { firstTokenMs } : {}),
  }
}

function assistantContent(content: unknown): readonly AssistantContent[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return listOf(content).flatMap((block): readonly AssistantContent[] => {
    const { type, text, thinking, thinkingSignature: signed, thoughtSignature: signature, ...rest } = block
    if (type === "text" && typeof text === "string") return [{ type, text }]
    if (type === "thinking") {
      const redacted = block["redacted"] === true ? { redacted: true } : {}
      return [
        { type, text: word(thinking, ""), ...(typeof signed === "string" ? { signature: signed } : {}), ...redacted },
      ]
    }
    const { id, name, broken, arguments: given } = rest
    if (type !== "toolCall" || typeof id !== "string" || typeof name !== "string") return []
    return [
      {
        type: "tool_call",
        id,
        name,
        arguments: isRecord(given) ? given : {},
        ...(typeof broken === "string" ? { broken } : {}),
        ...(typeof signature === "string" ? { signature } : {}),
      },
    ]
  })
}

function toolResult(message: PiRecord): Message | null {
  const { toolCallId, toolName, details } = message
  if (typeof toolCallId !== "string") return null
  const own = isRecord(message["gong"]) ? message["gong"] : {}
  const isError = message["isError"] === true
  const { status, files, durationMs } = own
  return {
    role: "tool",
    toolCallId,
    toolName: word(toolName),
    content: userContent(message["content"]),
    details: isRecord(details) ? details : null,
    isError,
    status: typeof status === "string" ? (status as ToolStatus) : isError ? "error" : "ok",
    ...(Array.isArray(files) ? { files: files as readonly FileChange[] } : {}),
    ...(typeof durationMs === "number" ? { durationMs } : {}),
  }
}

function custom({ customType, content, display, details }: PiRecord): CustomMessageBody {
  const shown = display === true
  const more = details === undefined ? {} : { details }
  return {
    type: "custom_message",
    customType: word(customType),
    content: userContent(content),
    display: shown,
    ...more,
  }
}

function stopReasonOf(value: unknown): StopReason {
  const found = Object.entries(piStopReason).find(([, pi]) => pi === value)
  return found === undefined ? "stop" : (found[0] as StopReason)
}

function usageOf(value: unknown): Usage {
  const usage = isRecord(value) ? value : {}
  const count = (name: string): number => {
    const tokens = usage[name]
    return typeof tokens === "number" && Number.isFinite(tokens) ? tokens : 0
  }
  return {
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
    reasoning: count("reasoning"),
  }
}

/** Pi's total, else the sum of the parts that are numbers; null without either. */
function costOf(usage: unknown): number | null {
  const cost = isRecord(usage) && isRecord(usage["cost"]) ? usage["cost"] : {}
  const known = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)
  const { total } = cost
  if (known(total) && total > 0) return total
  const parts = [cost["input"], cost["output"], cost["cacheRead"], cost["cacheWrite"], total].filter(known)
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0)
}

function errorOf(message: unknown, stopReason: StopReason): Failure | null {
  const kind = stopReason === "aborted" ? "aborted" : "bad-reply"
  return typeof message === "string" ? { kind, message, retryable: false } : null
}

function listOf(content: unknown): readonly PiRecord[] {
  return Array.isArray(content) ? content.filter(isRecord) : []
}

function word(value: unknown, otherwise = "unknown"): string {
  return typeof value === "string" ? value : otherwise
}

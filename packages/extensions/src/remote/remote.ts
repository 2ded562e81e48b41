import {
  type GateAnswer,
  type Hook,
  type HookContext,
  type HookEvent,
  type Message,
  type SummarizedResult,
  type Tool,
  type ToolResult,
  type UserContent,
  clauseOf,
  isRecord,
  messageOf,
  phrase,
} from "@gong/spec"
import type { ExtensionHost } from "../host/host.ts"
import { dialogAsk } from "../dialog-ask.ts"
import { ExtensionError, withLocation } from "../host/open-calls.ts"
import type { CallTarget, HookCallback, RegisteredHook, RegisteredTool, Registrations } from "../protocol.ts"

/** One extension as seen by its callers. */
export interface Remote {
  readonly id: number
  readonly name: string
  readonly host: ExtensionHost
}

/** A tool that runs in the worker. */
export function remoteTool(remote: Remote, registered: RegisteredTool): Tool {
  const { title: shown, summary: field, ...rest } = registered
  return {
    ...rest,
    ...(field !== undefined && { summary: (result) => ({ text: summaryIn(result, field), style: "plain" }) }),
    title: (args) => firstLine(titleOf(args, shown)),
    async execute(callId, args, { signal, onProgress, dialog }) {
      const target: CallTarget = { kind: "tool", key: registered.name }
      const call = { extension: remote.id, target, args: [args], callId, interactive: dialog !== undefined }
      const options = { signal, progress: onProgress, ...(dialog && { ask: dialogAsk(dialog) }) }
      try {
        return resultOf(remote, await remote.host.call(call, options))
      } catch (error) {
        if (signal.aborted || !(error instanceof ExtensionError)) throw error
        const { message, stack } = error
        return { content: [{ type: "text", text: message }], details: { extension: remote.name, stack }, isError: true }
      }
    },
  }
}

const maxTitle = 120

/** The argument named by the author, otherwise the first string. */
function titleOf(args: Readonly<Record<string, unknown>>, shown: string | null): string {
  const value = shown === null ? Object.values(args).find((one) => typeof one === "string") : args[shown]
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

/** The field named by the author; empty if the result lacks it. */
function summaryIn({ details }: SummarizedResult, field: string): string {
  const value = details?.[field]
  return typeof value === "string" || typeof value === "number" ? firstLine(String(value)) : ""
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, maxTitle)
}

function resultOf({ name }: Remote, value: unknown): ToolResult {
  if (typeof value === "string") return { content: [{ type: "text", text: value }], details: null, isError: false }
  const { content, details, isError }: Readonly<Record<string, unknown>> = isRecord(value) ? value : {}
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content
  if (!Array.isArray(blocks) || !blocks.every(isContent))
    throw new Error(`The extension ${name} gave no result: text, or {content: ...} with text and images.`)
  return { content: blocks, details: isRecord(details) ? details : null, isError: isError === true }
}

function isContent(block: unknown): block is UserContent {
  if (!isRecord(block)) return false
  if (block["type"] === "text") return typeof block["text"] === "string"
  return block["type"] === "image" && typeof block["mimeType"] === "string" && typeof block["data"] === "string"
}

/** The hooks of one extension, with the same rules as built-in hooks. */
export function remoteHooks(remote: Remote, registrations: Registrations): readonly Hook[] {
  const hooks = registrations.hooks.map((hook, index) => remoteHook(remote, hook, index))
  return registrations.events.length === 0 ? hooks : [...hooks, observerHook(remote, registrations.events)]
}

function remoteHook(remote: Remote, registered: RegisteredHook, index: number): Hook {
  const { callbacks, tools, timeMs } = registered
  const call = (callback: HookCallback, args: readonly unknown[], { signal }: HookContext): Promise<unknown> =>
    withRepairHint(
      remote.host.call({ extension: remote.id, target: { kind: "hook", key: index, callback }, args }, { signal }),
    )
  const has = (callback: HookCallback): boolean => callbacks.includes(callback)
  const concerns = (tool: string): boolean => tools === null || tools.includes(tool)
  const gate = async (callback: HookCallback, args: readonly unknown[], context: HookContext): Promise<GateAnswer> =>
    gateAnswer(remote, callback, async () => call(callback, args, context))
  // That it is off was reported once.
  const pipe = async <T>(callback: HookCallback, args: readonly unknown[], context: HookContext) =>
    remote.host.isOff(remote.id) ? undefined : (((await call(callback, args, context)) ?? undefined) as T | undefined)
  return {
    name: remote.name,
    timeMs,
    ...(has("beforeToolCall") && {
      beforeToolCall: async (one, context) =>
        concerns(one.tool) ? gate("beforeToolCall", [one], context) : ({ answer: "ok" } as const),
    }),
    ...(has("beforeSessionOp") && {
      beforeSessionOp: async (op, meta, context) => gate("beforeSessionOp", [op, meta], context),
    }),
    ...(has("beforeStop") && { beforeStop: async (stop, context) => gate("beforeStop", [stop], context) }),
    ...(has("onToolResult") && {
      onToolResult: async (one, result, context) => {
        const { content, details, isError } = result
        return concerns(one.tool) ? pipe("onToolResult", [one, { content, details, isError }], context) : undefined
      },
    }),
    ...(has("onContext") && {
      onContext: async (messages, context) => keepIdentity(messages, await pipe("onContext", [messages], context)),
    }),
    ...(has("onInput") && {
      onInput: async (text, images, context) =>
        (await pipe("onInput", [text, images], context)) ?? ({ answer: "passthrough" } as const),
    }),
    ...(has("onBeforeAgent") && {
      onBeforeAgent: async (prompt, system, context) => pipe("onBeforeAgent", [prompt, system], context),
    }),
  }
}

/** Only the author can fix an exception in a hook. */
async function withRepairHint<T>(called: Promise<T>): Promise<T> {
  try {
    return await called
  } catch (error) {
    throw withLocation(error, (message, place) => phrase`${message}. Mend it at ${place}; /reload loads it again.`)
  }
}

/** No answer means no objection. A gate that can no longer be called, because it hung, refuses every call. */
async function gateAnswer(
  { id, name, host }: Remote,
  callback: HookCallback,
  ask: () => Promise<unknown>,
): Promise<GateAnswer> {
  const passes = { answer: "ok" } as const
  if (callback !== "beforeToolCall" && host.isOff(id)) return passes
  try {
    return ((await ask()) ?? passes) as GateAnswer
  } catch (error) {
    if (!(error instanceof ExtensionError) || !error.exited) throw error
    if (callback !== "beforeToolCall") return passes
    return {
      answer: "block",
      reason: phrase`the gate "${name}" cannot be asked: ${clauseOf(messageOf(error.failure))}.`,
    }
  }
}

/** Unchanged messages keep their identity, which requests depend on. */
function keepIdentity(
  before: readonly Message[],
  after: readonly Message[] | undefined,
): readonly Message[] | undefined {
  if (after === undefined) return undefined
  const known = new Map(before.map((message) => [JSON.stringify(message), message]))
  return after.map((message) => known.get(JSON.stringify(message)) ?? message)
}

/** Receives only the subscribed events; its errors go to diagnostics only. */
function observerHook({ id, name, host }: Remote, events: readonly string[]): Hook {
  return {
    name,
    async watch(event: HookEvent, { signal }: HookContext) {
      if (!events.includes(event.event) || host.isOff(id)) return
      const { failure: _, ...rest } = event as HookEvent & { failure?: unknown }
      const call = { extension: id, target: { kind: "event", key: event.event }, args: [rest] } as const
      await withRepairHint(host.call(call, { signal, waitForThread: true }))
    },
  }
}

import {
  type ChangeBody,
  type Declarations,
  type EntryOf,
  type JsonSchema,
  type LeveledPolicy,
  type Tool,
  type ToolCall,
  type ToolResultMessage,
  checkArguments,
  toolCallsOf,
} from "@gong/spec"
import type { Branch } from "@gong/tape"
import { builtInDeclarations, createBuiltIns } from "@gong/tools"
import { createMemoryHost } from "@gong/tools/host/memory"
import type { ToolTraits } from "@gong/app/record/lines"
import type { BuiltPrompt } from "@gong/session/runs/prompt-state"
import type { BlockedOperations } from "./blocked.ts"

/** One call on the tape, with positions. */
export interface RecordedCall {
  readonly call: ToolCall
  readonly start: { readonly entry: EntryOf<"tool_start">; readonly position: number } | null
  /** Changes by the call itself. */
  readonly changes: readonly ChangeBody[]
  readonly result: { readonly message: ToolResultMessage; readonly position: number } | null
}

export type RecordedCalls = ReadonlyMap<string, RecordedCall>

/** The calls between two positions of a tape, by id. */
export function callsIn(all: Branch, from: number, to: number): RecordedCalls {
  const calls = new Map<string, RecordedCall>()
  const change = (id: string, more: (call: RecordedCall) => Partial<RecordedCall>): void => {
    const known = calls.get(id)
    if (known) calls.set(id, { ...known, ...more(known) })
  }
  for (let position = from; position <= to; position++) {
    const entry = all.entry(position)
    if (entry.type === "tool_start") change(entry.callId, () => ({ start: { entry, position } }))
    if (entry.type === "change" && entry.file === undefined)
      change(entry.callId, ({ changes }) => ({ changes: [...changes, entry] }))
    if (entry.type !== "message") continue
    const { message } = entry
    if (message.role === "tool") change(message.toolCallId, () => ({ result: { message, position } }))
    if (message.role === "assistant")
      for (const call of toolCallsOf(message)) calls.set(call.id, { call, start: null, changes: [], result: null })
  }
  return calls
}

/** The tools of a prompt. Calls have no effect and return their recorded results. */
export function replayTools(
  { tools }: BuiltPrompt,
  traits: readonly ToolTraits[],
  calls: RecordedCalls,
  blocked: BlockedOperations,
): readonly Tool[] {
  const known = createBuiltIns("/", { host: createMemoryHost({}) })
  return tools.map(({ name, description, parameters }): Tool => {
    const trait = traits.find((one) => one.name === name)
    const mapArguments = known.find((own) => own.name === name)?.mapArguments
    return {
      name,
      label: name,
      description,
      parameters: parameters as JsonSchema,
      promptSnippet: "",
      promptGuidelines: [],
      readOnly: trait?.readOnly === true,
      recordsChanges: trait?.recordsChanges === true,
      interruptible: trait?.interruptible === true,
      keepsTime: true,
      ...(mapArguments && { mapArguments }),
      title: () => name,
      async execute(callId, _args, { record }) {
        await blocked.block({ kind: "running", callId })
        const recorded = calls.get(callId)
        for (const { type: _, callId: __, ...change } of recorded?.changes ?? []) await record?.(change)
        if (!recorded?.result) throw new Error("the tape has no result of this call")
        const { content, details, isError, status, files } = recorded.result.message
        return {
          content,
          details: details as Readonly<Record<string, unknown>> | null,
          isError,
          status,
          ...(files && { files }),
        }
      },
    }
  })
}

/** The declarations of built-in tools, otherwise the recorded ones. */
export function replayDeclarations(traits: readonly ToolTraits[]): Declarations {
  return (tool) => builtInDeclarations(tool) ?? traits.find(({ name }) => name === tool) ?? null
}

/**
 * Allows calls that were started, refuses calls that were refused, with the same text, and asks about any other call, without an
 * answer: its run was aborted during the question. `decided` receives the ids.
 */
export function replayPolicy(
  calls: RecordedCalls,
  decided: Set<string>,
  tools: () => readonly Tool[],
  blocked: BlockedOperations,
): LeveledPolicy {
  return {
    level: "ask",
    setLevel: () => undefined,
    remember: async () => undefined,
    async decide({ tool, arguments: args }) {
      const found = await nextOf(calls, decided, tools(), tool, args)
      if (found === null) return { verdict: "ask", reason: "the tape has no decision" }
      const { call, start, result } = found
      decided.add(call.id)
      await blocked.block({ kind: "decision", callId: call.id })
      if (start !== null) return { verdict: "allow" }
      const toModel = result?.message.content.map((block) => (block.type === "text" ? block.text : "")).join("") ?? ""
      return { verdict: "deny", reason: toModel, toModel }
    },
  }
}

/** Policy does not know the id of a call, so this is the first undecided one with this name and these arguments. */
async function nextOf(
  calls: RecordedCalls,
  decided: ReadonlySet<string>,
  tools: readonly Tool[],
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<RecordedCall | null> {
  const wanted = JSON.stringify(args)
  for (const recorded of calls.values()) {
    const { call, start, result } = recorded
    const wasDecided = start !== null || result?.message.status === "refused"
    if (call.name !== name || decided.has(call.id) || !wasDecided) continue
    const own = start?.entry.arguments ?? (await argumentsOf(call, tools))
    if (JSON.stringify(own) === wanted) return recorded
  }
  return null
}

/** Mapped and validated, as the loop passes them to a tool. */
async function argumentsOf(call: ToolCall, tools: readonly Tool[]): Promise<unknown> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return call.arguments
  const checked = await checkArguments(tool.parameters, tool.mapArguments?.(call.arguments) ?? call.arguments)
  return checked.ok ? checked.value : call.arguments
}

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
import type { Holds } from "./holds.ts"

/** What the tape shows of one call, and where. */
export interface RecordedCall {
  readonly call: ToolCall
  readonly start: { readonly entry: EntryOf<"tool_start">; readonly place: number } | null
  /** What the call itself changed. */
  readonly changes: readonly ChangeBody[]
  readonly result: { readonly message: ToolResultMessage; readonly place: number } | null
}

export type RecordedCalls = ReadonlyMap<string, RecordedCall>

/** The calls between two places of a tape, by their ids. */
export function callsIn(all: Branch, from: number, to: number): RecordedCalls {
  const calls = new Map<string, RecordedCall>()
  const change = (id: string, more: (call: RecordedCall) => Partial<RecordedCall>): void => {
    const known = calls.get(id)
    if (known) calls.set(id, { ...known, ...more(known) })
  }
  for (let place = from; place <= to; place++) {
    const entry = all.entry(place)
    if (entry.type === "tool_start") change(entry.callId, () => ({ start: { entry, place } }))
    if (entry.type === "change" && entry.file === undefined)
      change(entry.callId, ({ changes }) => ({ changes: [...changes, entry] }))
    if (entry.type !== "message") continue
    const { message } = entry
    if (message.role === "tool") change(message.toolCallId, () => ({ result: { message, place } }))
    if (message.role === "assistant")
      for (const call of toolCallsOf(message)) calls.set(call.id, { call, start: null, changes: [], result: null })
  }
  return calls
}

/** The tools that a prompt names: each call gets the result that the tape has for it, and nothing is done. */
export function standInTools(
  { tools }: BuiltPrompt,
  traits: readonly ToolTraits[],
  calls: RecordedCalls,
  holds: Holds,
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
        await holds.hold({ kind: "running", callId })
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

/** What tools declared when the session was recorded; Gong's own declare it still. */
export function standInDeclarations(traits: readonly ToolTraits[]): Declarations {
  return (tool) => builtInDeclarations(tool) ?? traits.find(({ name }) => name === tool) ?? null
}

/**
 * Lets pass what the tape shows as started, refuses in the same words what it shows as refused, and asks, without anybody
 * to answer, about what was neither: the run was stopped while the question was open. `judged` gets their ids.
 */
export function standInPolicy(
  calls: RecordedCalls,
  judged: Set<string>,
  tools: () => readonly Tool[],
  holds: Holds,
): LeveledPolicy {
  return {
    level: "ask",
    setLevel: () => undefined,
    remember: async () => undefined,
    async decide({ tool, arguments: args }) {
      const found = await nextOf(calls, judged, tools(), tool, args)
      if (found === null) return { verdict: "ask", reason: "the tape does not say" }
      const { call, start, result } = found
      judged.add(call.id)
      await holds.hold({ kind: "judged", callId: call.id })
      if (start !== null) return { verdict: "allow" }
      const toModel = result?.message.content.map((block) => (block.type === "text" ? block.text : "")).join("") ?? ""
      return { verdict: "deny", reason: toModel, toModel }
    },
  }
}

/** Policy is not told which call it judges: the first one with this name and these arguments that was not judged yet. */
async function nextOf(
  calls: RecordedCalls,
  judged: ReadonlySet<string>,
  tools: readonly Tool[],
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<RecordedCall | null> {
  const wanted = JSON.stringify(args)
  for (const recorded of calls.values()) {
    const { call, start, result } = recorded
    const wasJudged = start !== null || result?.message.status === "refused"
    if (call.name !== name || judged.has(call.id) || !wasJudged) continue
    const own = start?.entry.arguments ?? (await argumentsOf(call, tools))
    if (JSON.stringify(own) === wanted) return recorded
  }
  return null
}

/** As the loop gives them to a tool. */
async function argumentsOf(call: ToolCall, tools: readonly Tool[]): Promise<unknown> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return call.arguments
  const checked = await checkArguments(tool.parameters, tool.mapArguments?.(call.arguments) ?? call.arguments)
  return checked.ok ? checked.value : call.arguments
}

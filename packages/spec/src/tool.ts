import type { JsonSchema } from "./schema.ts"
import type { Artifacts } from "./ports/artifacts.ts"
import type { Dialog, DialogOutcome } from "./dialog.ts"
import type { ToolDeclaration } from "./declaration.ts"
import type { ChangeBody, ModelCallBody } from "./entry.ts"
import type { Rendered, RenderContext, RenderedResult } from "./render.ts"
import type { FilesSeen } from "./seen.ts"
import type { PublishedStep } from "./step.ts"
import type { ToolResult } from "./tool-result.ts"

export interface ToolContext {
  readonly signal: AbortSignal
  /** Variables that policy wants for the command of this call, on top of all others. */
  readonly env?: Readonly<Record<string, string>>
  /** New output only. Shown while the tool runs, never stored. */
  onProgress(delta: string): void
  /** Puts a change on the tape before it is made; resolves when it is durable. Absent in library use. */
  readonly record?: (change: Omit<ChangeBody, "type" | "callId">) => Promise<void>
  readonly artifacts?: Artifacts
  /** Asks the person who is there, until the call is ended; never rejects. Absent where nobody is. */
  readonly dialog?: (asked: Dialog) => Promise<DialogOutcome>
  /** Puts on the tape what the tool itself has paid for at a model; it counts for the run. Rejects where the run was left. */
  readonly spent?: (call: Omit<ModelCallBody, "type">) => Promise<void>
  /** Shows a step of a session that works for this call. */
  readonly show?: (step: PublishedStep) => void
  /** Absent in library use, and where the session's write guard is off: then nothing is guarded. */
  readonly seen?: FilesSeen
}

/** What a model may do to the machine. A tool knows nothing of sessions, screens or models. */
export interface Tool extends ToolDeclaration {
  readonly name: string
  /** For people. */
  readonly label: string
  /** For the model. */
  readonly description: string
  readonly parameters: JsonSchema
  /** One line under "Available tools". */
  readonly promptSnippet: string
  readonly promptGuidelines: readonly string[]
  /** Changes nothing: may run beside other read-only calls, its start need not be synced. */
  readonly readOnly: boolean
  /** May be stopped half-way by a steering message. */
  readonly interruptible: boolean
  /** `true` when the tool ends itself in time; otherwise the loop ends it after its limit. */
  readonly keepsTime?: boolean
  /** Accepts other spellings of the arguments before they are validated. */
  readonly mapArguments?: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** One line for people, at most 120 characters. */
  title(args: Readonly<Record<string, unknown>>): string
  /** May throw: the loop turns it into an error result. */
  execute(callId: string, args: never, context: ToolContext): Promise<ToolResult>
}

/** The part of a tool that a model is told. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

export interface ToolRenderers {
  renderCall(args: Readonly<Record<string, unknown>>, context: RenderContext): Rendered
  renderResult(result: RenderedResult, context: RenderContext): Rendered
}

/** A tool with the way it is shown. */
export interface ToolDefinition extends Tool, ToolRenderers {}

import type { JsonSchema } from "../json/schema.ts"
import type { Artifacts } from "../ports/artifacts.ts"
import type { Dialog, DialogOutcome } from "./dialog.ts"
import type { ToolDeclaration } from "./declaration.ts"
import type { ChangeBody, ModelCallBody } from "../session/entry.ts"
import type { PreviewContext, PreviewOutcome } from "./preview.ts"
import type { Rendered, RenderContext, RenderedResult } from "./render.ts"
import type { FilesSeen } from "../model/seen.ts"
import type { PublishedStep } from "../session/step.ts"
import type { ToolResult } from "./tool-result.ts"

export interface ToolContext {
  readonly signal: AbortSignal
  /** Variables that policy requires for this call's command; they override all others. */
  readonly env?: Readonly<Record<string, string>>
  /** New output only. Shown while the tool runs, never stored. */
  onProgress(delta: string): void
  /** Records a change before it is made; resolves when it is durable. Absent in library use. */
  readonly record?: (change: Omit<ChangeBody, "type" | "callId">) => Promise<void>
  readonly artifacts?: Artifacts
  /** Asks the user, until the call ends; never rejects. Absent in a session without a user. */
  readonly dialog?: (asked: Dialog) => Promise<DialogOutcome>
  /** Records a model request that the tool itself paid for; it counts for the run. Rejects after the run was left. */
  readonly spent?: (call: Omit<ModelCallBody, "type">) => Promise<void>
  /** Shows a step of the subtask session of this call. */
  readonly show?: (step: PublishedStep) => void
  /** Absent in library use, and with the write guard off: then no file is guarded. */
  readonly seen?: FilesSeen
}

/** An operation that a model can call. A tool knows nothing of sessions, screens or models. */
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
  /** Changes nothing: may run in parallel with other read-only calls, and its start need not be synced. */
  readonly readOnly: boolean
  /** A steering message may stop it before it is done. */
  readonly interruptible: boolean
  /** `true` if the tool enforces its own time limit; otherwise the loop ends it after its limit. */
  readonly keepsTime?: boolean
  /** Its arguments are not validated here: their schema comes from a server, which validates them itself. */
  readonly foreignSchema?: boolean
  /** Accepts alternative argument spellings before validation. */
  readonly mapArguments?: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** What a call with valid arguments would do, for a question about it. Changes nothing. May throw: the question then has none. */
  readonly preview?: (args: never, context: PreviewContext) => Promise<PreviewOutcome>
  /** One line for people, at most 120 characters. */
  title(args: Readonly<Record<string, unknown>>): string
  /** May throw: the loop turns it into an error result. */
  execute(callId: string, args: never, context: ToolContext): Promise<ToolResult>
}

/** The part of a tool that is sent to a model. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

export interface ToolRenderers {
  renderCall(args: Readonly<Record<string, unknown>>, context: RenderContext): Rendered
  renderResult(result: RenderedResult, context: RenderContext): Rendered
}

/** A tool with its renderers. */
export interface ToolDefinition extends Tool, ToolRenderers {}

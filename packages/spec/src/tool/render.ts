import type { Phrase } from "../text/phrase.ts"
import type { ToolStatus, UserContent } from "../model/message.ts"
import type { ToolResult } from "./tool-result.ts"

/** Role of a span; its look is up to the frontend. */
export type SpanStyle = "plain" | "name" | "title" | "number" | "dim" | "added" | "removed" | "error"

export interface Span {
  readonly text: string
  readonly style: SpanStyle
  /** Present if the text is Gong's own; a frontend may translate it. */
  readonly phrase?: Phrase
}

/** One line, not wrapped; tool text is unchanged, without terminal escapes. */
export type RenderedLine = readonly Span[]

/** A tool's call or result as plain data, for terminals, pages and transcripts. */
export interface Rendered {
  readonly lines: readonly RenderedLine[]
  /** More is coming. */
  readonly streaming: boolean
}

export interface RenderContext {
  /** Show all lines, not only the first ones. */
  readonly expanded?: boolean
  /** Arguments or output are incomplete. */
  readonly isPartial?: boolean
  /** The previous rendering. It is returned if nothing changed, and each unchanged line is reused. */
  readonly lastComponent?: Rendered
  /** Arguments of the result's call. */
  readonly args?: Readonly<Record<string, unknown>>
  /** The key that expands. Default `ctrl+e`; null if nothing can be expanded. */
  readonly expandKey?: string | null
}

/** The rendered fields of a result, live or from the tape. */
export type RenderedResult = Pick<ToolResult, "content" | "details" | "isError">

/** Renders a finished call; null: only the standard lines. Bounded, never rejects. */
export type ShowCall = (call: ShownCall) => Promise<readonly RenderedLine[] | null>

/** A finished call, for display. */
export interface ShownCall {
  readonly id: string
  readonly tool: string
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
  readonly status: ToolStatus
  readonly content: readonly UserContent[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly durationMs: number
  /** Columns. */
  readonly width: number
}

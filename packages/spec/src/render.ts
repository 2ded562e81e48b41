import type { Phrase } from "./phrase.ts"
import type { ToolStatus, UserContent } from "./message.ts"
import type { ToolResult } from "./tool-result.ts"

/** What a stretch of text is; how that looks is the surface's affair. */
export type SpanStyle = "plain" | "name" | "title" | "number" | "dim" | "added" | "removed" | "error"

export interface Span {
  readonly text: string
  readonly style: SpanStyle
  /** Where the text is Gong's own: a surface may say it in its user's language. */
  readonly phrase?: Phrase
}

/** One line, not wrapped; texts of tools as they came, with nothing added for a terminal. */
export type RenderedLine = readonly Span[]

/** A tool's call or result as plain data: what a terminal, a page and a transcript show, each in its own way. */
export interface Rendered {
  readonly lines: readonly RenderedLine[]
  /** More of it is coming. */
  readonly streaming: boolean
}

export interface RenderContext {
  /** All lines are wanted, not only the first ones. */
  readonly expanded?: boolean
  /** Arguments or output are still coming. */
  readonly isPartial?: boolean
  /** What was shown before. It is given back when nothing changed, and each of its lines that did not change. */
  readonly lastComponent?: Rendered
  /** Arguments of the call whose result it is. */
  readonly args?: Readonly<Record<string, unknown>>
  /** The key that expands. Default `ctrl+e`; null where nothing can be expanded. */
  readonly expandKey?: string | null
}

/** What a result is shown by: live as it is returned, later as it stands on the tape. */
export type RenderedResult = Pick<ToolResult, "content" | "details" | "isError">

/** Makes lines of a call that has ended; null: nothing is to be said of it but what is always said. Bounded, never rejects. */
export type ShowCall = (call: ShownCall) => Promise<readonly RenderedLine[] | null>

/** A call that has ended, as it is shown to people. */
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

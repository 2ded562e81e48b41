import type { ToolDeclaration } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** A call that has begun, as the tape and events have it. */
export interface TitledCall {
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The title of a call for the user: translated where it is a text of its tool, otherwise as it is on the tape. */
export function titleText(t: Translate, declared: ToolDeclaration | null, { title, args }: TitledCall): string {
  const own = declared?.ownTitle?.(args) ?? null
  return own === null ? title : t(own)
}

import type { ToolDeclaration } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** A started call, as on the tape and in events. */
export interface TitledCall {
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The title of a call for the user: translated if it is a phrase of its tool, otherwise as on the tape. */
export function titleText(t: Translate, declared: ToolDeclaration | null, { title, args }: TitledCall): string {
  const own = declared?.ownTitle?.(args) ?? null
  return own === null ? title : t(own)
}

import type { Span } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** A span of a tool's renderer: its own text, or a phrase of Gong. */
export function spanText(t: Translate, { text, phrase }: Pick<Span, "text" | "phrase">): string {
  return phrase === undefined ? text : t(phrase)
}

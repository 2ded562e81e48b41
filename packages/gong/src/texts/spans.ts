import type { Span } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** What a tool's renderer says: its own text, or words of Gong's. */
export function spanText(t: Translate, { text, phrase }: Pick<Span, "text" | "phrase">): string {
  return phrase === undefined ? text : t(phrase)
}

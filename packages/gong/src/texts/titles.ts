import type { ToolDeclaration } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** The title of a call, which is English on the tape, for the user; one that its tool declares no form of is the model's. */
export function titleText(t: Translate, declared: ToolDeclaration | null, title: string): string {
  const number = /\d+$|^\d+/.exec(title)?.[0]
  const form = declared?.titles?.find((one) => number !== undefined && one.replace("{0}", number) === title)
  return form === undefined ? title : t(form, number)
}

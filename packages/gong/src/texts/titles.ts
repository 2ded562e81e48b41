import type { Translate } from "./translator.ts"

/** Titles that hold words of a tool's own; any other title is what the model gave. */
const forms: Readonly<Record<string, readonly string[]>> = {
  bash: ["job {0}", "end job {0}"],
  todo: ["{0} thing", "{0} things"],
}

/** The title of a call, which is English on the tape, for the user. */
export function titleText(t: Translate, tool: string, title: string): string {
  const number = /\d+$|^\d+/.exec(title)?.[0]
  const known = Object.hasOwn(forms, tool) ? forms[tool] : undefined
  const form = known?.find((one) => number !== undefined && one.replace("{0}", number) === title)
  return form === undefined ? title : t(form, number)
}

import { isRecord, maxJsonDepth, phrase, type Text, tooDeepAt, type Diagnostic, jsonProblem } from "@gong/spec"
import { colorNames, isColor } from "@gong/texts/colors"
import { type Role, roleNames } from "@gong/texts/style"
import type { RoleColors, Theme } from "./theme.ts"

export interface ReadTheme {
  /** Null: unusable. */
  readonly theme: Theme | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parses a theme: JSON, with comments and trailing commas. Invalid colours and unknown names are skipped and reported; the rest
 * counts.
 */
export async function readTheme(text: string, origin: Omit<Theme, "colors" | "light">): Promise<ReadTheme> {
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import("jsonc-parser")
  const errors: Parameters<typeof parseTree>[1] = []
  const tooDeepOffset = tooDeepAt(text)
  const root = tooDeepOffset === null ? parseTree(text, errors, { allowTrailingComma: true }) : undefined
  const diagnostics: Diagnostic[] = []
  const reportAt = (offset: number, what: Text): void => {
    const line = text.slice(0, offset).split("\n").length
    diagnostics.push({ type: "error", path: origin.location, line, text: what })
  }
  const report = (keys: readonly string[], what: Text): void => {
    const node = root && findNodeAtLocation(root, [...keys])
    reportAt(node?.parent?.offset ?? node?.offset ?? 0, what)
  }
  if (tooDeepOffset !== null) {
    reportAt(
      tooDeepOffset,
      phrase`this is nested more than ${maxJsonDepth} levels deep. Fix it there, or move the file away.`,
    )
    return { theme: null, diagnostics }
  }
  const [first] = errors
  if (first !== undefined) {
    const what = jsonProblem(printParseErrorCode(first.error))
    reportAt(first.offset, phrase`this is no JSON: ${what}. Fix it there, or move the file away.`)
    return { theme: null, diagnostics }
  }
  const value: unknown = root && getNodeValue(root)
  const { $schema: _, colors, light = {}, ...rest } = isRecord(value) ? value : {}
  if (!isRecord(colors)) {
    report(["colors"], phrase`a theme is an object, {"colors": {"match": "#ff8800"}}.`)
    return { theme: null, diagnostics }
  }
  for (const key of Object.keys(rest)) report([key], phrase`there is no "${key}" in a theme; it is left out.`)
  if (!isRecord(light)) report(["light"], phrase`the colours on a light background are an object, as "colors" is.`)
  const usable = (name: "colors" | "light", given: Readonly<Record<string, unknown>>): RoleColors =>
    usableColors(given, (key, what) => report([name, key], what))
  const theme = { ...origin, colors: usable("colors", colors), light: usable("light", isRecord(light) ? light : {}) }
  return { theme, diagnostics }
}

function usableColors(given: Readonly<Record<string, unknown>>, report: (key: string, what: Text) => void): RoleColors {
  const usable: Partial<Record<Role, string>> = {}
  for (const [key, color] of Object.entries(given)) {
    const role = roleNames.find((one) => one === key)
    if (role === undefined)
      report(key, phrase`there is no "${key}" to colour. A theme colours ${roleNames.join(", ")}.`)
    else if (typeof color === "string" && isColor(color)) usable[role] = color
    else
      report(key, phrase`${JSON.stringify(color)} is no colour. Write "#ff8800", or one of ${colorNames.join(", ")}.`)
  }
  return usable
}

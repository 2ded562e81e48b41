import { join } from "node:path"
import { keepFile } from "../home.ts"
import { ok, type Outcome } from "../usage.ts"
import { readText } from "./read.ts"

/** One value to set in a JSON file: the way to it, and what is to stand there. */
export type Edit = readonly [path: readonly string[], value: unknown]

/**
 * Sets values in a JSON file of the user's home (made when missing, 0600); comments and everything else in it stay.
 * Throws like Node when the home cannot be written to.
 */
export async function editFile(home: string, name: string, edits: readonly Edit[]): Promise<Outcome<null>> {
  const read = readText(join(home, name))
  if (!read.ok) return read
  const { applyEdits, modify } = await import("jsonc-parser")
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  let text = read.value ?? "{}\n"
  for (const [path, value] of edits) text = applyEdits(text, modify(text, [...path], value, { formattingOptions }))
  keepFile(home, name, text)
  return ok(null)
}

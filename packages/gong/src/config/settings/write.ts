import { join } from "node:path"
import { isRecord, phrase } from "@gong/spec"
import { keepFile, makeFolder } from "../home.ts"
import { locked } from "../lock.ts"
import { ok, usage, type Outcome } from "../usage.ts"
import { parseLenient, readText } from "./read.ts"

/** One value to set in a JSON file: the way to it, and what is to stand there; `undefined` takes it out. */
export type Edit = readonly [path: readonly (string | number)[], value: unknown]

/**
 * Sets values in a JSON file of the user's home (made when missing, 0600); comments and everything else in it stay. Several
 * processes at once lose nothing of one another: `edits` gets what stands there now, and its text (null: there is no file).
 * Gives the text that stands there then. A file that is no JSON is left as it is and the place said. Throws like Node when
 * the home cannot be written to.
 */
export async function editFile(
  home: string,
  name: string,
  edits: (now: unknown, text: string | null) => readonly Edit[],
): Promise<Outcome<string>> {
  const { applyEdits, modify, parse } = await import("jsonc-parser")
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  const readable = await whole(join(home, name))
  if (!readable.ok) return readable
  makeFolder(home)
  const done = locked(join(home, name), (): Outcome<string> => {
    const read = readText(join(home, name))
    if (!read.ok) return read
    let text = read.value ?? "{}\n"
    for (const [path, value] of edits(parse(text, [], { allowTrailingComma: true }), read.value)) {
      text = applyEdits(text, modify(text, [...path], value, { formattingOptions }))
    }
    keepFile(home, name, text)
    return ok(text)
  })
  return done.ok ? done.value : done
}

/** Whether the file can be read whole: an edit of half a file would settle what its writer has not finished. */
async function whole(path: string): Promise<Outcome<null>> {
  const read = readText(path)
  if (!read.ok || read.value === null) return read.ok ? ok(null) : read
  const parsed = await parseLenient(read.value, path)
  if (!parsed.ok) return parsed
  return isRecord(parsed.value)
    ? ok(null)
    : usage(phrase`${path}:1: this must be an object, {...}. Fix it or move it away.`)
}

import { realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isRecord, phrase } from "@gong/spec"
import { writePrivateFile, makeFolder } from "../home.ts"
import { locked } from "../lock.ts"
import { ok, usage, type Outcome } from "../usage.ts"
import { parseLenient, readText } from "./read.ts"

/** One value to set in a JSON file: its path and the value; `undefined` removes it. */
export type Edit = readonly [path: readonly (string | number)[], value: unknown]

/**
 * Sets values in a JSON file of the user's home (created if necessary, 0600); comments and all other content stay. Safe for
 * concurrent processes: `edits` receives the current value and its text (null: no file). Returns the new text. An invalid file
 * stays unchanged, and its error is located. Of a symbolic link the target is written; `replacesLink`: the link is replaced, for
 * files of a repository, whose links may lead anywhere. Throws like Node if the folder is not writable.
 */
export async function editFile(
  home: string,
  name: string,
  edits: (now: unknown, text: string | null) => readonly Edit[],
  { replacesLink = false }: { readonly replacesLink?: boolean } = {},
): Promise<Outcome<string>> {
  const { applyEdits, modify, parse } = await import("jsonc-parser")
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  const readable = await checkReadable(join(home, name))
  if (!readable.ok) return readable
  makeFolder(home)
  const done = locked(join(home, name), (): Outcome<string> => {
    const read = readText(join(home, name))
    if (!read.ok) return read
    let text = read.value ?? "{}\n"
    const valueOf = (json: string): unknown => parse(json, [], { allowTrailingComma: true })
    for (const [path, value] of edits(valueOf(text), read.value)) {
      // The editor throws if the object around a removed value is missing.
      if (value === undefined && valueAt(valueOf(text), path) === undefined) continue
      text = applyEdits(text, modify(text, [...path], value, { formattingOptions }))
      // Of equal keys the first is edited, and the last is read.
      if (JSON.stringify(valueAt(valueOf(text), path)) !== JSON.stringify(value))
        return usage(phrase`${join(home, name)} contains a part of ${path.join(".")} twice. Remove one of them.`)
    }
    const target = replacesLink ? join(home, name) : realTarget(join(home, name))
    writePrivateFile(dirname(target), basename(target), text)
    return ok(text)
  })
  return done.ok ? done.value : done
}

function valueAt(value: unknown, path: Edit[0]): unknown {
  return path.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], value)
}

/** Settings are often symbolic links into a repository of the user's. */
function realTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Whether the file is valid: editing an incomplete file would preserve a half-finished write. */
async function checkReadable(path: string): Promise<Outcome<null>> {
  const read = readText(path)
  if (!read.ok || read.value === null) return read.ok ? ok(null) : read
  const parsed = await parseLenient(read.value, path)
  if (!parsed.ok) return parsed
  return isRecord(parsed.value)
    ? ok(null)
    : usage(phrase`${path}:1: this must be an object, {...}. Fix it or move it away.`)
}

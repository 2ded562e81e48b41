import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isRecord, parseJson } from "@gong/spec"
import type { JsonObject } from "../candidate.ts"

/** Bytes of a conversation, which is read into memory. */
const maxBytes = 256 * 1024 * 1024
/** Files below one folder. */
const maxFiles = 20_000
const maxDepth = 6

/** Regular files below a folder whose name matches, sorted; links are not followed. */
export function filesBelow(folder: string, name: RegExp, depth = maxDepth): readonly string[] {
  const files: string[] = []
  const visit = (inside: string, left: number): void => {
    for (const entry of entriesIn(inside)) {
      const path = join(inside, entry.name)
      if (entry.isDirectory() && left > 0) visit(path, left - 1)
      else if (entry.isFile() && name.test(entry.name) && files.length < maxFiles) files.push(path)
    }
  }
  visit(folder, depth)
  return files
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** The text of a file; null if it cannot be read or is too large. */
export function textOf(path: string): string | null {
  try {
    return statSync(path).size > maxBytes ? null : readFileSync(path, "utf8")
  } catch {
    return null
  }
}

export function jsonOf(path: string): unknown {
  const text = textOf(path)
  return text === null ? undefined : parseJson(text)
}

/** The objects of a file with one per line; other lines are counted by `bad`. */
export function* linesOf(text: string, bad: () => void): Generator<JsonObject> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    if (line.trim() === "") continue
    const value = parseJson(line)
    if (isRecord(value)) yield value
    else bad()
  }
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

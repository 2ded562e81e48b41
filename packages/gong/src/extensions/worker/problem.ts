import { fileURLToPath } from "node:url"
import { maxProblem, type Problem } from "../protocol.ts"

/** An error of an extension as plain data, with the first place of its stack that is a file below `folder`. */
export function problemOf(error: unknown, folder: string | null): Problem {
  const { message, stack } = textsOf(error)
  const place = placesIn(stack).find(({ path }) => folder === null || isBelow(path, folder)) ?? null
  return {
    message: message.slice(0, maxProblem),
    stack: stack.slice(0, maxProblem),
    path: place?.path ?? null,
    line: place?.line ?? null,
  }
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)
}

export interface StackPlace {
  readonly path: string
  /** From 1. */
  readonly line: number
}

/** Files and lines that a stack names, the innermost first. */
export function placesIn(stack: string): readonly StackPlace[] {
  const found: StackPlace[] = []
  for (const match of stack.matchAll(/(file:\/\/\/[^\s()]+?|(?<=[\s(]|^)\/[^\s():]+):(\d+)(?::\d+)?/gm)) {
    const [, file = "", line = "1"] = match
    found.push({ path: file.startsWith("file:") ? fileURLToPath(file) : file, line: Number(line) })
  }
  return found
}

function textsOf(error: unknown): { readonly message: string; readonly stack: string } {
  try {
    if (!(error instanceof Error)) {
      const thrown = typeof error === "string" ? error : `it threw ${JSON.stringify(error) ?? String(error)}`
      return { message: thrown, stack: thrown }
    }
    const message = error.message === "" ? error.name : error.message
    return { message: String(message), stack: String(error.stack ?? message) }
  } catch {
    // Getters of what was thrown are the extension's as well.
    return { message: "it threw something that cannot be read", stack: "" }
  }
}

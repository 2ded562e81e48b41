import { fileURLToPath } from "node:url"
import { phrase, type Text } from "@gong/spec"
import { maxProblem, type Problem } from "../protocol.ts"
import { phraseOf } from "./own-error.ts"

/** An error of an extension as plain data, with the first stack location below `folder`. */
export function problemOf(error: unknown, folder: string | null): Problem {
  const { message, stack } = textsOf(error)
  const place = locationsIn(stack).find(({ path }) => folder === null || isBelow(path, folder)) ?? null
  return {
    message: typeof message === "string" ? message.slice(0, maxProblem) : message,
    stack: stack.slice(0, maxProblem),
    path: place?.path ?? null,
    line: place?.line ?? null,
    ...codesOf(error),
  }
}

/** As set by HTTP libraries and Node; errors of `fetch` have the code in their cause. */
function codesOf(error: unknown): Pick<Problem, "status" | "code"> {
  try {
    const { status, statusCode, code, cause } = Object(error) as Readonly<Record<string, unknown>>
    const http = [status, statusCode].find((one) => typeof one === "number")
    const inner: unknown = (Object(cause) as Readonly<Record<string, unknown>>)["code"]
    const fault = [code, inner].find((one) => typeof one === "string" && one.length <= maxCode)
    return { ...(typeof http === "number" && { status: http }), ...(typeof fault === "string" && { code: fault }) }
  } catch {
    return {}
  }
}

const maxCode = 100

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)
}

export interface StackLocation {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
}

/** Files and lines in a stack, innermost first. */
export function locationsIn(stack: string): readonly StackLocation[] {
  const found: StackLocation[] = []
  for (const match of stack.matchAll(/(file:\/\/\/[^\s()]+?|(?<=[\s(]|^)\/[^\s():]+):(\d+)(?::\d+)?/gm)) {
    const [, file = "", line = "1"] = match
    found.push({ path: file.startsWith("file:") ? fileURLToPath(file) : file, line: Number(line) })
  }
  return found
}

function textsOf(error: unknown): { readonly message: Text; readonly stack: string } {
  try {
    if (!(error instanceof Error)) {
      if (typeof error === "string") return { message: error, stack: error }
      const thrown = JSON.stringify(error) ?? String(error)
      return { message: phrase`it threw ${thrown.slice(0, maxProblem)}`, stack: `it threw ${thrown}` }
    }
    const message = String(error.message === "" ? error.name : error.message)
    return { message: phraseOf(error) ?? message, stack: String(error.stack ?? message) }
  } catch {
    // Getters of the thrown value belong to the extension and may throw too.
    return { message: phrase`it threw something that cannot be read`, stack: "" }
  }
}

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
    ...signsOf(error),
  }
}

/** As errors of HTTP libraries and of Node carry them; those of `fetch` hide the second in their cause. */
function signsOf(error: unknown): Pick<Problem, "status" | "code"> {
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

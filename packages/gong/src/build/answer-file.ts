import { accessSync, constants, statSync } from "node:fs"
import { dirname } from "node:path"
import { codeOf, ok, type Outcome, usage } from "../config/usage.ts"
import { say } from "../texts/say.ts"

/** Writes the answer to a file as well. */
export type SaveAnswer = (text: string) => Promise<void>

/** The file of `-o`, null without one. Whether it can be written to is asked before anything is sent, and paid for. */
export function answerFile(path: string | undefined): Outcome<SaveAnswer | null> {
  if (path === undefined) return ok(null)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return usage(say`-o ${path}: this is a folder. Name a file in it.`)
    accessSync(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    return usage(say`-o ${path}: cannot write there (${codeOf(error)}).`)
  }
  return ok(async (text) => {
    const { writeFile } = await import("node:fs/promises")
    await writeFile(path, text.endsWith("\n") || text === "" ? text : `${text}\n`)
  })
}

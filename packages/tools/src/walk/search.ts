import type { Host } from "@gong/spec"
import { invalidRegex, multilineText } from "../grep/invalid.ts"
import type { SearchEvent, Search, Searched } from "../grep/engine.ts"
import { join } from "../posix-path.ts"
import { codeOf, Refusal } from "../result.ts"
import { linesOf } from "./lines.ts"
import { createYielder, walkFiles } from "./walk.ts"

type Take = (event: SearchEvent) => boolean
type Fits = (line: string) => boolean

/** Searches without ripgrep. */
export async function searchByWalking(host: Host, wanted: Search, take: Take): Promise<Searched> {
  const matches = await lineTest(wanted)
  const file = wanted.file
  if (file !== null) {
    await searchFile(host, wanted, file, matches, take)
    return { any: true, trouble: "" }
  }
  let any = false
  let trouble = ""
  const unseen = await walkFiles(host, wanted, async (path) => {
    any = true
    if (wanted.globFilter?.matches(path) === false) return true
    try {
      return await searchFile(host, wanted, path, matches, take)
    } catch (thrown) {
      const code = codeOf(thrown)
      if (code === null) throw thrown
      trouble ||= `${path}: ${code}`
      return true
    }
  })
  return { any, trouble: trouble || unseen }
}

/** A regex engine with linear time, so no pattern can block the process. Its syntax is that of ripgrep. */
async function lineTest({ pattern, literal, ignoreCase }: Search): Promise<Fits> {
  const bare = literal ? pattern : pattern.replace(/\\[^n]|\[\^?\]?(?:\\.|[^\]\\])*\]/gsu, "")
  if (bare.includes("\n") || (!literal && bare.includes("\\n"))) throw new Refusal(multilineText)
  if (literal && !ignoreCase) return (line) => line.includes(pattern)
  const { RE2JS } = await import("re2js")
  try {
    const regex = RE2JS.compile(literal ? RE2JS.quote(pattern) : pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return (line) => regex.test(line)
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    throw new Refusal(invalidRegex(pattern, thrown.message))
  }
}

/** `false` if no more matches are needed. */
async function searchFile(host: Host, wanted: Search, path: string, matchesLine: Fits, take: Take): Promise<boolean> {
  const yieldTurn = createYielder(wanted.clock, wanted.signal)
  const wide = wanted.before + wanted.after > 0
  let number = 0
  let matches = 0
  for await (const part of linesOf(host, join(wanted.folder, path))) {
    await yieldTurn()
    const binary = part.binary
    // A match in a binary file is reported only if the file was named; otherwise binary files are skipped.
    if (binary && wanted.file === null && matches === 0) return true
    for (const text of part.lines) {
      number++
      const hit = matchesLine(text)
      if (hit) matches++
      if (hit && wanted.mode === "files_with_matches") return take({ path, count: 1 })
      if (wanted.mode === "content" && (hit || wide) && !binary && !take({ path, line: number, text, hit }))
        return false
    }
    if (binary && wanted.mode === "content" && matches > 0)
      return take({ path, remark: "binary file matches", instead: true })
  }
  return wanted.mode === "count" && matches > 0 ? take({ path, count: matches }) : true
}

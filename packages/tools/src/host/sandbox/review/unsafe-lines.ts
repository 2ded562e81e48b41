import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { moveAside } from "./aside.ts"

/** A line in the state of an unfinished rebase, cherry-pick or revert that would run a program when it continues. */
export interface UnsafeLine {
  readonly path: string
  /** The line, or the whole text of a file with one value. */
  readonly line: string
  /** Only this line must be removed. */
  readonly inList: boolean
}

/** Enough for ten thousand commits. A longer list counts as unsafe without being read. */
const LIST_MAX_BYTES = 4 * 1024 * 1024

/** Lines that git runs in a shell: `exec` or `x`, possibly indented. */
const program = /^[ \t]*(?:exec|x)(?:[ \t\r]|$)/

/**
 * Git's built-in strategies. Any other name is a program: `git-merge-NAME`, relative to the working folder if it
 * contains a slash.
 */
const strategies = "(?:ort|recursive|resolve|octopus|ours|subtree)"
const knownStrategy = new RegExp(`^${strategies}\\s*$`)
const knownOption = new RegExp(`^\\s*strategy = ${strategies}$`)

/** Everything in a git folder's unfinished operations that would run a program. */
export async function unsafeLines(host: Host, folder: string): Promise<readonly UnsafeLine[]> {
  const found: UnsafeLine[] = []
  for (const state of ["rebase-merge", "rebase-apply"]) {
    if ((await host.stat(join(folder, state))) === null) continue
    // Pushed one by one: spreading a million lines would overflow the stack.
    for (const line of await linesIn(host, join(folder, `${state}/git-rebase-todo`))) found.push(line)
    const strategy = join(folder, `${state}/strategy`)
    const name = await textOf(host, strategy)
    if (name !== null && !knownStrategy.test(name)) found.push({ path: strategy, line: name, inList: false })
  }
  const options = join(folder, "sequencer/opts")
  const text = await textOf(host, options)
  const named = text?.split("\n").filter((line) => /strategy(?!-option)/i.test(line)) ?? []
  const acting = named.filter((line) => !knownOption.test(line))
  return [...found, ...(acting.length === 0 ? [] : [{ path: options, line: acting.join("\n"), inList: false }])]
}

async function linesIn(host: Host, path: string): Promise<readonly UnsafeLine[]> {
  const text = await textOf(host, path)
  if (text === null) return []
  if (text.length > LIST_MAX_BYTES) return [{ path, line: "", inList: false }]
  const lines = text.split("\n").filter((line) => program.test(line))
  return lines.map((line) => ({ path, line, inList: true }))
}

/** Removes the lines, and moves files with a single value away. False if that fails. */
export async function removeLines(host: Host, path: string, acting: readonly UnsafeLine[]): Promise<boolean> {
  if (acting.some(({ inList }) => !inList)) return moveAside(path) !== null
  const gone = new Set(acting.map(({ line }) => line))
  try {
    const left = ((await textOf(host, path)) ?? "").split("\n").filter((line) => !gone.has(line))
    await host.replaceFile(path, Buffer.from(left.join("\n"), "latin1"))
    return true
  } catch {
    return false
  }
}

/** Decoded byte by byte; null if the file is missing or behind a link. */
async function textOf(host: Host, path: string): Promise<string | null> {
  const bytes = await host.readRange(path, 0, LIST_MAX_BYTES + 1, { real: true }).catch(() => null)
  return bytes === null ? null : Buffer.from(bytes).toString("latin1")
}

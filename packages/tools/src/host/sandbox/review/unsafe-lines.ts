import type { Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { moveAside } from "./aside.ts"

/** A place in the state of an unfinished rebase, cherry-pick or revert by which git would run a program when it goes on. */
export interface UnsafeLine {
  readonly path: string
  /** The line, or the whole text of a file that is one value. */
  readonly line: string
  /** Only the line is to go. */
  readonly inList: boolean
}

/** A rebase of ten thousand commits fits; what is longer is not looked through, and counts as acting. */
const LIST_MAX_BYTES = 4 * 1024 * 1024

/** Lines that git runs in a shell: `exec` or `x`, also indented. */
const program = /^[ \t]*(?:exec|x)(?:[ \t\r]|$)/

/** What git brings itself. Any other name is a program: `git-merge-NAME`, for a name with a slash from the working folder. */
const strategies = "(?:ort|recursive|resolve|octopus|ours|subtree)"
const knownStrategy = new RegExp(`^${strategies}\\s*$`)
const knownOption = new RegExp(`^\\s*strategy = ${strategies}$`)

/** What in a git folder's unfinished work would run a program. */
export async function unsafeLines(host: Host, folder: string): Promise<readonly UnsafeLine[]> {
  const found: UnsafeLine[] = []
  for (const state of ["rebase-merge", "rebase-apply"]) {
    if ((await host.stat(join(folder, state))) === null) continue
    // One by one: a list of a million lines would not fit on the stack.
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

/** Takes the lines out, and moves what is not a line aside. False where that cannot be done. */
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

/** Byte by byte; null where there is no such file, or only behind a link. */
async function textOf(host: Host, path: string): Promise<string | null> {
  const bytes = await host.readRange(path, 0, LIST_MAX_BYTES + 1, { real: true }).catch(() => null)
  return bytes === null ? null : Buffer.from(bytes).toString("latin1")
}

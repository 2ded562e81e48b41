import { phrase } from "@gong/spec"
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { ownFolder } from "../folders.ts"
import { codeOf, ok, usage, type Outcome } from "./usage.ts"

/** Where Gong keeps what is the user's: `GONG_HOME`, else `~/.gong`. Nothing is created. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>, userHome: string, cwd: string): string {
  const set = env["GONG_HOME"]
  if (set === undefined || set === "") return join(userHome, ownFolder)
  if (set === "~" || set.startsWith("~/")) return join(userHome, set.slice(1))
  return isAbsolute(set) ? set : resolve(cwd, set)
}

/** Creates the folder (0700) when it is missing and proves that it can be written to. Called when something is first kept there. */
export function prepareHome(folder: string): Outcome<string> {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return ok(folder)
  } catch (error) {
    return usage(
      phrase`cannot write to ${folder} (${codeOf(error)}). Set GONG_HOME to a folder you can write to, or use --no-session.`,
    )
  }
}

/** Keeps a file of the user's, 0600, whole or not at all, also after a power cut; throws like Node when the home cannot be written to. */
export function keepFile(home: string, name: string, text: string): void {
  makeFolder(home)
  const path = join(home, name)
  // A name of this process alone: two that write at once must not meet in one file.
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = openSync(temporary, "w", 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw ofFile(error, path)
  }
}

/** The same error, about the file that was to be written and not one that stands beside it for a moment. */
export function ofFile(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error
}

/**
 * Makes the folder, and those above it, for the user alone; throws like Node. Not Node's own recursive form: that one tries
 * for ever where the system refuses a name in a folder that is there, as /proc does.
 */
export function makeFolder(folder: string): void {
  try {
    makeOne(folder)
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    makeOne(folder)
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error
  }
}

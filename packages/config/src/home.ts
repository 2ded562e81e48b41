import { phrase, ownFolder } from "@gong/spec"
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
import { codeOf, ok, usage, type Outcome } from "./usage.ts"

/** The folder of the user's data: `GONG_HOME`, otherwise `~/.gong`. Creates nothing. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>, userHome: string, cwd: string): string {
  const set = env["GONG_HOME"]
  if (set === undefined || set === "") return join(userHome, ownFolder)
  if (set === "~" || set.startsWith("~/")) return join(userHome, set.slice(1))
  return isAbsolute(set) ? set : resolve(cwd, set)
}

/** Creates the folder (0700) if necessary and checks that it is writable; called before the first write. */
export function prepareHome(folder: string): Outcome<string> {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return ok(folder)
  } catch (error) {
    return usage(
      phrase`cannot write to ${folder} (${codeOf(error)}). Set GONG_HOME to a writable folder, or use --no-session.`,
    )
  }
}

/** Writes a file of the user, 0600, atomic and durable; throws like Node if the home is not writable. */
export function writePrivateFile(home: string, name: string, text: string): void {
  makeFolder(home)
  const path = join(home, name)
  // Unique per process, for concurrent writes.
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
    throw withPath(error, path)
  }
}

/** The same error with the path of the target instead of the temporary file. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error
}

/**
 * Creates the folder and its parents for the user alone; throws like Node. Replaces Node's recursive mkdir, which loops forever
 * if the system refuses a name in an existing folder, as in /proc.
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

import { accessSync, constants, mkdirSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { codeOf, ok, usage, type Outcome } from "./usage.ts"

/** Where Gong keeps what is the user's: `GONG_HOME`, else `~/.gong`. Nothing is created. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>, userHome: string, cwd: string): string {
  const set = env["GONG_HOME"]
  if (set === undefined || set === "") return join(userHome, ".gong")
  if (set === "~" || set.startsWith("~/")) return join(userHome, set.slice(1))
  return isAbsolute(set) ? set : resolve(cwd, set)
}

/** Creates the folder (0700) when it is missing and proves that it can be written to. Called when something is first kept there. */
export function prepareHome(folder: string): Outcome<string> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return ok(folder)
  } catch (error) {
    return usage(
      `cannot write to ${folder} (${codeOf(error)}). Set GONG_HOME to a folder you can write to, or use --no-session.`,
    )
  }
}

import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/**
 * Restricts a PATH to folders from which Gong itself starts programs such as git, ripgrep or a clipboard tool. Relative
 * folders depend on the working directory, and npx and npm prepend the project's `node_modules/.bin`.
 */
export function pathWithoutProject(path: string, project: string): string {
  const isOwn = (folder: string) => isAbsolute(folder) && folder !== project && !folder.startsWith(`${project}/`)
  return path.split(delimiter).filter(isOwn).join(delimiter)
}

/** Full path of a program in these folders, or null. */
export function findProgram(name: string, path: string): string | null {
  const places = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder || ".", name))
  return places.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

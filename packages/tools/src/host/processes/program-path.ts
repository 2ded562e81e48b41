import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/**
 * The folders of a PATH from which programs are started that nobody asked for by name: git, ripgrep, a clipboard. A relative
 * one is the project's wherever the user stands, and `node_modules/.bin` of the project is what npx and npm put in front.
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

import { constants, lstatSync, openSync, rmdirSync, unlinkSync } from "node:fs"
import { basename, dirname } from "node:path"
import { errorCode } from "@gong/spec"
import { staleError, openFolder } from "./folder.ts"

/**
 * Opens a file for reading by its real path, without blocking. A link on the path was created after the check:
 * `ESTALE`.
 */
export function openReal(path: string): number {
  const folder = openFolder(dirname(path))
  try {
    const file = openSync(folder.at(basename(path)), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    folder.check()
    return file
  } catch (error) {
    throw errorCode(error) === "ELOOP" ? staleError(path) : error
  } finally {
    folder.close()
  }
}

/** Removes a file, a link or an empty folder by its real path. */
export function removeReal(path: string): void {
  const folder = openFolder(dirname(path))
  try {
    const place = folder.at(basename(path))
    if (lstatSync(place).isDirectory()) rmdirSync(place)
    else unlinkSync(place)
  } finally {
    folder.close()
  }
}

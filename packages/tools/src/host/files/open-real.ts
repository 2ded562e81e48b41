import { constants, lstatSync, openSync, rmdirSync, unlinkSync } from "node:fs"
import { basename, dirname } from "node:path"
import { errorCode } from "@gong/spec"
import { staleError, openFolder } from "./folder.ts"

/** Opens a file by its real path to read it, without waiting. A link on the path was put there after it was judged: `ESTALE`. */
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

/** A file, a link, or a folder with nothing in it, by its real path. */
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

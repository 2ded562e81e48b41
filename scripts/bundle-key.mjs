import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { root } from "./node24.mjs"

/** The file of a bundle with the hash of its inputs. */
export const keyFile = "built-from"

/** A hash of all inputs of `npm run build`: the sources, the dependencies and the build itself. */
export function bundleKey(entry = "packages/gong/src/main.ts", checkout = root) {
  const packages = readdirSync(join(checkout, "packages")).map((name) => join("packages", name))
  const files = [
    ...packages.flatMap((folder) => filesBelow(checkout, join(folder, "src"))),
    ...packages.map((folder) => join(folder, "package.json")).filter((path) => existsSync(join(checkout, path))),
    "package-lock.json",
    "scripts/build.mjs",
  ]
  const hash = createHash("sha256").update(entry)
  for (const path of files.toSorted((a, b) => (a < b ? -1 : 1)))
    hash.update(`\0${path}\0`).update(readFileSync(join(checkout, path)))
  return hash.digest("hex")
}

/** Whether `folder` has the bundle of the current sources in `checkout`. */
export function isFresh(folder, checkout = root) {
  try {
    return readFileSync(join(folder, keyFile), "utf8") === bundleKey(undefined, checkout)
  } catch (error) {
    if (error.code === "ENOENT") return false
    throw error
  }
}

function filesBelow(checkout, folder) {
  if (!existsSync(join(checkout, folder))) return []
  return readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(checkout, path)).isFile())
}

import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))
const carried = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url))

/**
 * The Node that runs our sources: this one when it is new enough, else the one the repository carries (npm puts it
 * first in the PATH of its scripts, a bare shell does not). Null if neither exists. Plain JS: an old Node runs it.
 */
export function node24() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return process.execPath
  return existsSync(carried) ? carried : null
}

/** Like `node24`, with one line of output when it replaces the current Node; exit 2 if there is none. */
export function needNode24() {
  const node = node24()
  const mine = `Node ${process.versions.node}`
  if (node === null) {
    console.error(`This needs Node 24.15 or newer, and ${mine} was started; run npm ci, it brings one.`)
    process.exit(2)
  }
  if (node !== process.execPath) console.error(`(${mine} was started; running with the carried Node 24)`)
  return node
}

import { readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { root } from "./node24.mjs"
import { run } from "./run.mjs"

/** All test files, as paths from the repository's root. */
export function testFiles() {
  const rooms = readdirSync(join(root, "packages")).map((name) => join("packages", name, "test"))
  return [...rooms, join("testing", "test"), join("scripts", "test")].flatMap(filesIn)
}

/**
 * Runs test files: those that change their process each in one of its own, all others in one. `node` is the command line
 * that starts Node; `flags("shared")` and `flags("own")` are more flags for the one and the other, `how` is for `run`.
 * A test that waits for ever fails by name after two minutes; a process that does not end is ended after forty.
 * Gives the exit status.
 */
export async function runTests([program, ...args], files, flags, how = {}) {
  const own = files.filter((file) => file.endsWith(".proc.test.ts"))
  const shared = files.filter((file) => !file.endsWith(".proc.test.ts"))
  const start = (kind, more) => [...args, "--test", "--test-timeout=120000", ...flags(kind), ...more]
  const shares =
    shared.length === 0 ? 0 : await run(program, start("shared", ["--test-isolation=none", ...shared]), how)
  const owns = own.length === 0 ? 0 : await run(program, start("own", ["--test-concurrency=2", ...own]), how)
  return Math.max(shares, owns)
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  let names
  try {
    names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
  } catch (error) {
    if (error.code === "ENOENT") return []
    throw error
  }
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name).split(sep).join("/"))
    .sort()
}

import { mkdirSync, readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { needNode24, root } from "./node24.mjs"
import { run } from "./run.mjs"

/**
 * npm test [-- FILTER ... --NODE-FLAG ...]
 *
 * Files named *.proc.test.ts change their process or start the whole program: each gets a process of its own.
 * All others share one process, which is ten times faster. A FILTER is a part of a file's path.
 */
const filters = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"))

const node = needNode24()
const files = testFiles().filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
const own = files.filter((file) => file.endsWith(".proc.test.ts"))
const shared = files.filter((file) => !file.endsWith(".proc.test.ts"))
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(", ") || "packages/*/test, testing/test, scripts/test"}.`)
  process.exit(1)
}

// A test that waits for ever fails by name after two minutes; a process that does not end is ended after twenty.
const always = ["--test", "--test-timeout=120000", ...flags]
const shares =
  shared.length === 0 ? 0 : await run(node, [...always, ...reporters("shared"), "--test-isolation=none", ...shared])
const owns = own.length === 0 ? 0 : await run(node, [...always, ...reporters("own"), "--test-concurrency=2", ...own])
process.exitCode = Math.max(shares, owns)

/** A whole run also leaves what each test came to, for npm run coverage:scenarios. */
function reporters(name) {
  if (process.argv.length > 2) return []
  mkdirSync(join(root, "coverage"), { recursive: true })
  const kept = [
    "--test-reporter=./scripts/titles-reporter.mjs",
    `--test-reporter-destination=coverage/tests-${name}.jsonl`,
  ]
  return ["--test-reporter=spec", "--test-reporter-destination=stdout", ...kept]
}

function testFiles() {
  const rooms = readdirSync(join(root, "packages")).map((name) => join("packages", name, "test"))
  return [...rooms, join("testing", "test"), join("scripts", "test")].flatMap(filesIn)
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

import { mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { needNode24, root } from "./node24.mjs"
import { runTests, testFiles } from "./test-files.mjs"

/**
 * npm test [-- FILTER ... --NODE-FLAG ...]
 *
 * Files named *.proc.test.ts change their process or start the whole program: each gets a process of its own.
 * All others share a few, which is ten times faster. A FILTER is a part of a file's path.
 */
const results = join(root, "coverage", "tests")
const unfinished = join(root, "coverage", "unfinished")
const filters = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"))

const node = needNode24()
const files = testFiles().filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(", ") || "packages/*/test, testing/test, scripts/test"}.`)
  process.exit(1)
}

const isWhole = process.argv.length === 2
if (isWhole) emptyFolder(unfinished)
process.exitCode = await runTests([node], files, (name) => [...flags, ...(isWhole ? reporters(name) : [])])
if (isWhole) {
  rmSync(results, { recursive: true, force: true })
  renameSync(unfinished, results)
}

/** A whole run also stores the result of each test for npm run coverage:scenarios. */
function reporters(name) {
  return [
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./scripts/titles-reporter.mjs",
    `--test-reporter-destination=${join(unfinished, `${name}.jsonl`)}`,
  ]
}

function emptyFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

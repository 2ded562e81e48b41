import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { needNode24, root } from "./node24.mjs"
import { runTests, testFiles } from "./test-files.mjs"

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
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(", ") || "packages/*/test, testing/test, scripts/test"}.`)
  process.exit(1)
}

process.exitCode = await runTests([node], files, (kind) => [...flags, ...reporters(kind)])

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

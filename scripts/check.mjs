import { join } from "node:path"
import { needNode24, root } from "./node24.mjs"
import { run } from "./run.mjs"

/**
 * npm run check [-- --no-tests]: everything that must be green, the quick things first; stops at the first red.
 */
const node = needNode24()
const program = (path) => join(root, "node_modules", path)
const steps = [
  ["format", program("oxfmt/bin/oxfmt"), "--check"],
  ["lint", program("oxlint/bin/oxlint"), "--type-aware"],
  ["types", program("typescript/bin/tsc"), "-p", "tsconfig.json"],
  ["tests", join(root, "scripts/test.mjs")],
]

for (const [name, ...command] of steps) {
  if (name === "tests" && process.argv.includes("--no-tests")) continue
  const started = performance.now()
  const status = await run(node, command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? "ok " : "RED"}  ${name.padEnd(8)} ${seconds} s`)
  if (status !== 0) {
    process.exitCode = status
    break
  }
}

import { readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { isFresh } from "./bundle-key.mjs"
import { needNode24, root } from "./node24.mjs"
import { run } from "./run.mjs"

const bundle = join(root, "packages/gong/dist")

/** All test files, as paths from the repository's root; not those of installed packages. */
export function testFiles() {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name, "test"))
  return [...packages, join("testing", "test"), join("scripts", "test"), join("evals", "test")].flatMap(filesIn)
}

/** How many files share a process: it is slower the more they leave in its memory, in each collection and each spawn. */
const groupFiles = 40
/** Processes beside one another. */
const atOnce = 2
/**
 * Tests that start sandboxes run in one process, one after another, since a sandbox reads the sockets of the whole
 * machine and fails if one of another test disappears.
 */
const sandboxed = ["packages/tools/", "packages/gong/test/attacks/", "packages/extensions/test/hooks/"]

/**
 * Runs test files: those that change their process each in a process of its own, with the bundle as the program under test, all
 * others in a few. `node` is the command line that starts Node; `flags(name)` are more flags, `name` being `own` or `shared-1`
 * and so on; `how` is for `run`. A hanging test fails by name after two minutes; a hanging process is
 * ended after forty. Returns the exit status.
 */
export async function runTests([program, ...args], files, flags, how = {}) {
  const own = files.filter((file) => file.endsWith(".proc.test.ts"))
  const groups = inGroups(files.filter((file) => !file.endsWith(".proc.test.ts")))
  const start = (name, more) => [...args, "--test", "--test-timeout=120000", ...flags(name), ...more]
  const runs = groups.map((group, index) => {
    const command = start(`shared-${index + 1}`, ["--test-isolation=none", ...group])
    return () => run(program, command, { ...how, held: groups.length > 1 })
  })
  const status = await worstOf(runs)
  if (own.length === 0) return status
  const dist = process.env.GONG_DIST ?? "1"
  const isBuilt = dist !== "1" || isFresh(bundle)
  const built = isBuilt ? 0 : await run(needNode24(), [join(root, "scripts/build.mjs")], { held: true })
  if (built !== 0) return built
  const command = start("own", [`--test-concurrency=${atOnce}`, ...own])
  return Math.max(status, await run(program, command, { ...how, env: { GONG_DIST: dist, ...how.env } }))
}

/** First the tests that start sandboxes, which take as long as all others; neighbours, often of one weight, in different groups. */
function inGroups(files) {
  const isSandboxed = (file) => sandboxed.some((folder) => file.startsWith(folder))
  const others = files.filter((file) => !isSandboxed(file))
  const groups = Array.from({ length: Math.ceil(others.length / groupFiles) }, () => [])
  for (const [index, file] of others.entries()) groups[index % groups.length].push(file)
  return [files.filter(isSandboxed), ...groups].filter((group) => group.length > 0)
}

/** Runs them, some at once; the highest status. */
export async function worstOf(runs) {
  const waiting = [...runs]
  const statuses = [0]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) statuses.push(await next())
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return Math.max(...statuses)
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
    .filter((name) => name.endsWith(".test.ts") && !name.split(sep).includes("node_modules"))
    .map((name) => join(folder, name).split(sep).join("/"))
    .sort()
}

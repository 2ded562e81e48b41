// `npm run test:mcp [-- conformance | hostile | survivors | servers]`: what is tested with programs of others, or takes longer
// than unit tests. Installs the programs of others, with their versions pinned, where they are missing.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const peers = here("peers")
/** A server of PyPI; without Python or its network that test is skipped. */
const python = ["-m", "pip", "install", "--quiet", "--target", here("peers/python"), "mcp-server-time==2026.10.19"]

const parts: Readonly<Record<string, readonly string[]>> = {
  conformance: [here("conformance/main.ts")],
  hostile: ["--expose-gc", here("hostile/main.ts")],
  survivors: [here("survivors/main.ts")],
  servers: ["--test", "--test-timeout=120000", here("../../gong/test/program/mcp-peers.proc.test.ts")],
}

function run(program: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(program, args, { cwd, stdio: "inherit" }).status === 0
}

const [part, ...words] = process.argv.slice(2)
const wanted = part === undefined ? Object.keys(parts) : [part]
const unknown = wanted.find((name) => parts[name] === undefined)
if (unknown !== undefined) {
  process.stderr.write(`there is no part ${unknown}: ${Object.keys(parts).join(", ")}\n`)
  process.exit(2)
}
if (!existsSync(here("peers/node_modules")) && !run("npm", ["ci", "--ignore-scripts"], peers)) process.exit(1)
if (!existsSync(here("peers/python"))) run("python3", python, peers)
const failed = wanted.filter((name) => !run(process.execPath, [...(parts[name] ?? []), ...words], here("../../..")))
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`)
process.exitCode = failed.length === 0 ? 0 : 1

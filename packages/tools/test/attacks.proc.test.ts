import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { test, type TestContext } from "node:test"
import { attacks } from "@gong/testing/attacks"
import { createLocalHost } from "../src/host/local.ts"
import { createAllTools } from "../src/index.ts"
import { context, place, messages, type TestPlace } from "./workspace.ts"

// Runs in its own process: an endless file would block all other tests, and the peak memory is checked.

const skip = process.platform === "win32" ? "there are no pipes and devices with names" : false

/** Paths that never end when read. */
function endless(here: TestPlace): Readonly<Record<string, string>> {
  execFileSync("mkfifo", [here.at("pipe")])
  symlinkSync("pipe", here.at("link to a pipe"))
  symlinkSync("/dev/zero", here.at("link to a device"))
  const inside = ["pipe", "link to a pipe", "link to a device"]
  return {
    ...Object.fromEntries(inside.map((name) => [name, here.at(name)])),
    "/dev/zero": "/dev/zero",
    "/dev/urandom": "/dev/urandom",
  }
}

const names = ["pipe", "link to a pipe", "link to a device", "/dev/zero", "/dev/urandom"]

function toolsAt(cwd: string) {
  const tools = createAllTools(cwd, { host: createLocalHost({ cwd }), roots: "anywhere" })
  return async (name: string, args: object) => {
    const tool = Object.values(tools).find((one) => one.name === name) ?? assert.fail(name)
    return tool.execute("c", args as never, context({ signal: AbortSignal.timeout(20_000) }))
  }
}

/** The call of each tool that reads a file. */
const ways: Readonly<Record<string, (path: string) => object>> = {
  read: (path) => ({ path }),
  grep: (path) => ({ pattern: "x", path }),
  edit: (path) => ({ path, edits: [{ oldText: "a", newText: "b" }] }),
  write: (path) => ({ path, content: "x" }),
}

for (const [tool, args] of Object.entries(ways))
  attacks(
    `${tool} is not held by what never ends`,
    names,
    async (t: TestContext, guard) => {
      const here = place(t)
      const held: string[] = []
      for (const [name, path] of Object.entries(endless(here))) {
        if (guard === "off") {
          const { error } = spawnSync("head", ["-c", "9999999999", path], { stdio: "ignore", timeout: 300 })
          if ((error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT") held.push(name)
          continue
        }
        const result = await toolsAt(here.cwd)(tool, args(path))
        if (!/regular file|Not a file/.test(messages(result))) held.push(`${name}: ${messages(result)}`)
      }
      return held
    },
    { skip },
  )

/** Peak memory in bytes; the files below are gigabytes large. */
const most = 700 * 1024 * 1024

test("huge files, lines of 100 MB and folder loops are read with little memory", { skip }, async (t) => {
  const here = place(t)
  writeFileSync(here.at("sparse"), "")
  truncateSync(here.at("sparse"), 10e9)
  writeFileSync(here.at("line"), Buffer.concat([Buffer.alloc(100e6, 0x61), Buffer.from("needle\n")]))
  symlinkSync(".", here.at("loop"))
  symlinkSync("itself", here.at("itself"))
  const run = toolsAt(here.cwd)
  const calls: readonly (readonly [string, object])[] = [
    ["read", { path: "sparse" }],
    ["read", { path: "sparse", offset: 100_000_000 }],
    ["read", { path: "line" }],
    ["read", { path: "itself" }],
    ["read", { path: `${"loop/".repeat(300)}line` }],
    ["edit", { path: "sparse", edits: [{ oldText: "a", newText: "b" }] }],
    ["grep", { pattern: "needle", context: 5 }],
    ["grep", { pattern: "a*needle" }],
    ["find", { pattern: "**/line" }],
    ["ls", { path: "loop/loop/loop" }],
    ["bash", { command: "head -c 500000000 /dev/zero | tr '\\\\0' a; yes | head -c 300000000 >&2" }],
  ]
  for (const [tool, args] of calls) {
    const text = messages(await run(tool, args))
    assert.ok(text.length < 200_000, `${tool} ${JSON.stringify(args)} says ${text.length} characters`)
  }
  assert.ok(process.resourceUsage().maxRSS * 1024 < most, `${process.resourceUsage().maxRSS} kB`)
})

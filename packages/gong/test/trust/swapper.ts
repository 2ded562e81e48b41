import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import type { TestContext } from "node:test"

/** Puts each of two contents in a file's place in turn, as fast as it can, and a link to a file with the second. */
const swap = `
const { renameSync, symlinkSync, writeFileSync } = require("node:fs")
const [good, evil, outside, ...paths] = process.argv.slice(1)
writeFileSync(outside, evil, { mode: 0o755 })
const put = (path, text) => { writeFileSync(path + "~", text, { mode: 0o755 }); renameSync(path + "~", path) }
for (let round = 0; ; round++)
  for (const path of paths) {
    put(path, evil)
    put(path, good)
    if (round % 2) { symlinkSync(outside, path + "~"); renameSync(path + "~", path) }
    put(path, good)
    if (round === 0) console.log("swapping")
  }
`

export interface Swapped {
  readonly good: string
  readonly evil: string
  /** Where a file with the evil content lies. */
  readonly outside: string
  readonly paths: readonly string[]
}

/** Another process that swaps files until the test ends; resolves when it has begun. */
export async function startSwapping(t: TestContext, { good, evil, outside, paths }: Swapped): Promise<ChildProcess> {
  for (const path of paths) writeFileSync(path, good, { mode: 0o755 })
  const args = ["--input-type=commonjs", "-e", swap, good, evil, outside, ...paths]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  t.after(() => child.kill("SIGKILL"))
  await new Promise((resolve) => child.stdout.once("data", resolve))
  return child
}

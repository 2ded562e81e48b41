import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"

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

/** Does the work while another process swaps files. That one has ended before the files can be cleaned up. */
export async function whileSwapping<T>(
  { good, evil, outside, paths }: Swapped,
  work: () => T | Promise<T>,
): Promise<T> {
  for (const path of paths) writeFileSync(path, good, { mode: 0o755 })
  const args = ["--input-type=commonjs", "-e", swap, good, evil, outside, ...paths]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  try {
    await new Promise((resolve) => child.stdout.once("data", resolve))
    return await work()
  } finally {
    child.kill("SIGKILL")
    await ended
  }
}

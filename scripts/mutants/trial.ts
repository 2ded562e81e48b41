import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

export interface Trial {
  /** Test files relative to the root of the tree; those of one group share a process. */
  readonly groups: readonly (readonly string[])[]
  /** For each group. */
  readonly limitMs: number
  readonly env?: Readonly<Record<string, string>>
}

/** The end of a trial: the name of the first failed test, the time limit, or the end of all groups. */
export type Ended = { readonly caught: string } | { readonly caught: null }

const OUTPUT_MAX_CHARS = 4000

/**
 * Runs tests in a tree, in a pid namespace with a temporary folder of its own, so that a changed program can kill or leave
 * nothing outside. Stops at the first failure.
 */
export async function runTrial(tree: string, { groups, limitMs, env = {} }: Trial): Promise<Ended> {
  for (const files of groups) {
    // Not below the tree: files of tests would be in its repository and its package.
    const folder = mkdtempSync(join(tmpdir(), "gong-mutants-"))
    // Like the folder of the system: some tests run as another user.
    chmodSync(folder, 0o1777)
    try {
      // Nearly all loaded code is unchanged: parsed once for all trials. Coverage is reduced for it.
      const kept = "NODE_V8_COVERAGE" in env ? {} : { NODE_COMPILE_CACHE: join(tree, "..", "compiled") }
      const caught = await runGroup(tree, files, { limitMs, env: { ...env, ...kept, TMPDIR: folder } })
      if (caught !== null) return { caught }
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  return { caught: null }
}

interface GroupOptions {
  readonly limitMs: number
  readonly env: Readonly<Record<string, string>>
}

function runGroup(tree: string, files: readonly string[], { limitMs, env }: GroupOptions): Promise<string | null> {
  const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]
  const namespace = ["--pid", "--fork", "--mount-proc", "--kill-child", ...asRoot]
  const tests = ["--test", "--test-timeout=60000", "--test-isolation=none", "--test-force-exit"]
  const reporter = ["--test-reporter=./scripts/mutants/bail-reporter.mjs", "--test-reporter-destination=stdout"]
  // A shell as the first process reaps the others: a test may wait for the end of a process that is not its child.
  const reaping = ["sh", "-c", '"$@"; exit $?', "sh"]
  const child = spawn("unshare", [...namespace, ...reaping, process.execPath, ...tests, ...reporter, ...files], {
    cwd: tree,
    env: { ...process.env, PATH: `${join(tree, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => void (printed = (printed + bytes.toString()).slice(-OUTPUT_MAX_CHARS)))
  return new Promise((resolve, reject) => {
    const end = (): void => void child.kill("SIGKILL")
    process.once("exit", end)
    const timer = setTimeout(() => {
      end()
      resolve("the time limit")
    }, limitMs)
    child.on("error", reject)
    child.on("exit", (code) => {
      clearTimeout(timer)
      process.off("exit", end)
      resolve(code === 0 ? null : (printed.trim().split("\n").at(-1)?.slice(0, 200) ?? "no word"))
    })
  })
}

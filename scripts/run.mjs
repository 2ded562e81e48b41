import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { root } from "./node24.mjs"

/**
 * Runs a program in the repository's root, its output going straight through, or, with `held`, in one piece when it has
 * ended. Resolves with its exit status; 124 when it was ended after `limitMs`, 128 and up when a signal ended it. `uid` and
 * `gid` are whose it is to be.
 */
export function run(command, args, { limitMs = 2_400_000, env = {}, held = false, ...as } = {}) {
  const output = held ? openOutput() : null
  const stdio = output === null ? "inherit" : ["ignore", output.file, output.file]
  const child = spawn(command, args, { cwd: root, stdio, env: { ...cleanEnv(), ...env }, ...as })
  return new Promise((resolve) => {
    let late = false
    const end = (status) => {
      clearTimeout(timer)
      output?.print()
      resolve(status)
    }
    const timer = setTimeout(() => {
      late = true
      console.error(`\nended after ${limitMs / 1000} s: ${command} ${args.slice(0, 3).join(" ")} ...`)
      child.kill("SIGKILL")
    }, limitMs)
    child.on("error", (error) => {
      console.error(String(error))
      end(127)
    })
    child.on("exit", (code, signal) => end(late ? 124 : signal === null ? (code ?? 1) : 128))
  })
}

/** A file and not a pipe: remaining processes of a test would keep a pipe open, and it is read after the end of the program. */
function openOutput() {
  const folder = mkdtempSync(join(tmpdir(), "gong-output-"))
  const path = join(folder, "output")
  const file = openSync(path, "a")
  return {
    file,
    print() {
      closeSync(file)
      process.stdout.write(readFileSync(path))
      rmSync(folder, { recursive: true })
    },
  }
}

/** The carried programs come first, and a nested test run is not taken for a part of this one. */
function cleanEnv() {
  const env = { ...process.env, PATH: join(root, "node_modules/.bin") + delimiter + process.env.PATH }
  delete env.NODE_TEST_CONTEXT
  return env
}

import { spawn } from "node:child_process"
import { delimiter, join } from "node:path"
import { root } from "./node24.mjs"

/**
 * Runs a program in the repository's root, its output going straight through. Resolves with its exit status;
 * 124 when it was ended after `limitMs`, 128 and up when a signal ended it. `uid` and `gid` are whose it is to be.
 */
export function run(command, args, { limitMs = 2_400_000, env = {}, ...as } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", env: { ...cleanEnv(), ...env }, ...as })
  return new Promise((resolve) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      console.error(`\nended after ${limitMs / 1000} s: ${command} ${args.slice(0, 3).join(" ")} ...`)
      child.kill("SIGKILL")
    }, limitMs)
    child.on("error", (error) => {
      console.error(String(error))
      resolve(127)
    })
    child.on("exit", (code, signal) => {
      clearTimeout(timer)
      resolve(late ? 124 : signal === null ? (code ?? 1) : 128)
    })
  })
}

/** The carried programs come first, and a test run inside a test run is not taken for a part of it. */
function cleanEnv() {
  const env = { ...process.env, PATH: join(root, "node_modules/.bin") + delimiter + process.env.PATH }
  delete env.NODE_TEST_CONTEXT
  return env
}

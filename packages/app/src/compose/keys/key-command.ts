import { phrase } from "@gong/spec"
import { spawn } from "node:child_process"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { systemClock } from "../../ports.ts"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds for a password manager, which may ask the user first. */
const defaultTimeout = 60_000
/** Characters of the output; a key is far shorter. */
const maxOutput = 64 * 1024

/**
 * Runs an `apiKeyCommand`: a program with its arguments, without a shell. The first line of its output is the key. It may use
 * the terminal; stdin is closed, and its output is not shown. It runs in the user's home, so no file of the repository can
 * replace it.
 */
export function keyCommandRunner(
  t: Translate,
  { userHome, env }: Pick<Services, "userHome" | "env">,
  timeout = defaultTimeout,
): (command: readonly string[]) => Promise<Outcome<string>> {
  return ([program = "", ...words]) =>
    new Promise((resolve) => {
      const child = spawn(program, words, { cwd: userHome, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] })
      let out = ""
      let stderr = ""
      const settle = (outcome: Outcome<string>): void => {
        cancel()
        resolve(outcome)
      }
      const fail = (why: string): void => settle(usage(phrase`apiKeyCommand in auth.json: ${program} ${why}`))
      const cancel = systemClock.timer(timeout, () => {
        child.kill("SIGKILL")
        // Its own children may keep the pipes open.
        child.stdout.destroy()
        child.stderr.destroy()
        fail(t`did not end within ${timeout / 1000} s.`)
      })
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out = (out + text).slice(0, maxOutput)))
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(0, maxOutput)))
      child.once("error", (error: NodeJS.ErrnoException) => fail(t`cannot be run (${error.code}).`))
      child.once("close", (status, signal) => {
        const key = out.split("\n", 1)[0]?.trim() ?? ""
        if (status !== 0) return fail(t`failed (${signal ?? `exit ${status}`})${firstLine(stderr)}`)
        settle(key === "" ? usage(phrase`apiKeyCommand in auth.json: ${program} printed no key.`) : ok(key))
      })
    })
}

function firstLine(stderr: string): string {
  const line = stderr.trim().split("\n", 1)[0] ?? ""
  return line === "" ? "." : `: ${line.slice(0, 200)}`
}

import { phrase } from "@gong/spec"
import { spawn } from "node:child_process"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { systemClock } from "../../ports.ts"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds for a password manager, which may ask the person at the machine first. */
const patience = 60_000
/** Characters of what it prints; a key is far shorter. */
const maxPrinted = 64 * 1024

/**
 * Runs an `apiKeyCommand`: a program with its arguments, no shell. The first line that it prints is the key. It may use the
 * terminal to ask, its stdin is closed, and what it prints is shown nowhere. It runs in the user's home, so that nothing in
 * the repository can be taken for it.
 */
export function keyCommandRunner(
  t: Translate,
  { userHome, env }: Pick<Services, "userHome" | "env">,
  wait = patience,
): (command: readonly string[]) => Promise<Outcome<string>> {
  return ([program = "", ...words]) =>
    new Promise((resolve) => {
      const child = spawn(program, words, { cwd: userHome, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] })
      let out = ""
      let complaint = ""
      const settle = (outcome: Outcome<string>): void => {
        cancel()
        resolve(outcome)
      }
      const fail = (why: string): void => settle(usage(phrase`apiKeyCommand in auth.json: ${program} ${why}`))
      const cancel = systemClock.timer(wait, () => {
        child.kill("SIGKILL")
        // What it started may hold the pipes open for ever.
        child.stdout.destroy()
        child.stderr.destroy()
        fail(t`did not end within ${wait / 1000} s.`)
      })
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out = (out + text).slice(0, maxPrinted)))
      child.stderr
        .setEncoding("utf8")
        .on("data", (text: string) => (complaint = (complaint + text).slice(0, maxPrinted)))
      child.once("error", (error: NodeJS.ErrnoException) => fail(t`cannot be run (${error.code}).`))
      child.once("close", (status, signal) => {
        const key = out.split("\n", 1)[0]?.trim() ?? ""
        if (status !== 0) return fail(t`failed (${signal ?? `exit ${status}`})${said(complaint)}`)
        settle(key === "" ? usage(phrase`apiKeyCommand in auth.json: ${program} printed no key.`) : ok(key))
      })
    })
}

function said(complaint: string): string {
  const line = complaint.trim().split("\n", 1)[0] ?? ""
  return line === "" ? "." : `: ${line.slice(0, 200)}`
}

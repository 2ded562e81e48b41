import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { launcher, openStage, type Stage } from "./harness.ts"

/** Why a test in a terminal cannot be made here; false when it can. */
export const skip = hasScript() ? false : "there is no util-linux script(1) to make a terminal with"

export interface Terminal {
  /** All that the terminal got. */
  readonly text: string
  /** Waits for a text after the last awaited one. */
  until(part: string): Promise<void>
  type(keys: string): void
  /** The window is closed: the terminal is gone at once, whatever runs in it. */
  close(): void
  readonly ended: Promise<number | null>
}

/**
 * Gong in its own terminal; a dumb one, so that only text is expected, wide, so that few lines are broken. `shell`: the commands of the shell in it, with
 * Gong's command line as `"$@"`.
 */
export function openTerminal(
  t: TestContext,
  stage: Stage,
  args: readonly string[],
  shell = 'stty cols 160; exec "$@"',
): Terminal {
  const words = [process.execPath, launcher, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const child = spawn("script", ["-qefc", `set -- ${words.join(" ")}; ${shell}`, "/dev/null"], {
    cwd: stage.repo,
    env: { ...stage.env, TERM: "dumb", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  })
  let missing = ""
  t.after(() => {
    if (missing !== "") t.diagnostic(`waited for ${JSON.stringify(missing)}, saw ${JSON.stringify(text)}`)
    // Asked like this, script(1) also ends its child.
    child.kill()
  })
  let text = ""
  let from = 0
  let check = (): void => undefined
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece
    check()
  })
  child.stdin.on("error", () => undefined)
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return {
    get text() {
      return text
    },
    until: (part) =>
      new Promise((resolve, reject) => {
        missing = part
        check = () => {
          const at = text.indexOf(part, from)
          if (at < 0) return
          from = at + part.length
          missing = ""
          resolve()
        }
        check()
        ended.then(() => reject(new Error(`ended without ${JSON.stringify(part)}:\n${text}`)), reject)
      }),
    type: (keys) => void child.stdin.write(keys),
    close: () => void child.kill("SIGKILL"),
    ended,
  }
}

interface Conversing {
  readonly columns: number
  readonly language?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Colour of added lines. */
  readonly theme?: string
}

/** A conversation in a terminal that understands control sequences. */
export async function converse(
  t: TestContext,
  { columns, language = "en", args = [], env = {}, theme }: Conversing,
): Promise<{ stage: Stage; terminal: Terminal }> {
  const opened = await openStage(t)
  const stage = { ...opened, env: { ...opened.env, GONG_LANG: language, ...env } }
  if (theme !== undefined && env["COLORTERM"] !== undefined)
    stage.write({
      [join(stage.gongHome, "themes", "mine.json")]: JSON.stringify({ colors: { added: theme } }),
      [join(stage.gongHome, "settings.json")]: JSON.stringify({ theme: "mine" }),
    })
  const terminal = openTerminal(t, stage, ["--plain", ...args], `stty cols ${columns}; TERM=xterm exec "$@"`)
  return { stage, terminal }
}

/** Types a line and waits for its output, one text after the other. */
export async function say(terminal: Terminal, line: string, ...answers: readonly string[]): Promise<void> {
  terminal.type(`${line}\r`)
  for (const answer of answers) await terminal.until(answer)
}

/** Ctrl+D at the prompt; it must end well. */
export async function leave(terminal: Terminal): Promise<void> {
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
}

function hasScript(): boolean {
  return spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false
}

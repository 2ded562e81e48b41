import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { type Emulator, openEmulator } from "@gong/testing/emulator"
import { openStage, type Stage } from "./harness.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

export interface Shown {
  readonly stage: Stage
  readonly terminal: Terminal
  /** What the terminal shows now. */
  screen(): Promise<Emulator>
  /** Waits for a text on the screen, and resolves with its rows. */
  shows(text: string | RegExp): Promise<readonly string[]>
  /** Waits until the screen has been idle for a moment. */
  rests(): Promise<void>
  resize(columns: number, rows: number): Promise<void>
}

export interface ScreenOptions {
  readonly columns?: number
  readonly rows?: number
  readonly language?: string
  readonly args?: readonly string[]
  /** The shell around Gong's command line. */
  readonly shell?: string
  /** What is waited for; default: the input. */
  readonly ready?: RegExp
  /** Changes the stage before the start. */
  readonly prepare?: (stage: Stage) => Stage
}

/** Starts a conversation on the screen of an emulated terminal; waits for the input. */
export async function converse(t: TestContext, options: ScreenOptions = {}): Promise<Shown> {
  const {
    columns = 80,
    rows = 24,
    language = "en",
    args = [],
    shell = 'exec "$@"',
    prepare = (same) => same,
    ready = /^> $/m,
  } = options
  const opened = await openStage(t, { otherwise: { text: "Hello." } })
  const stage = prepare({ ...opened, env: { ...opened.env, GONG_LANG: language } })
  const modes = `tty > ${stage.root}/tty; stty cols ${columns} rows ${rows}; export TERM=xterm-256color; ${shell}`
  const terminal = openTerminal(t, stage, ["--set", "terminal.view=screen", ...args], modes)
  const emulator = openEmulator(columns, rows)
  let read = 0
  const screen = async (): Promise<Emulator> => {
    const bytes = terminal.text.slice(read)
    read = terminal.text.length
    await emulator.write(bytes)
    return emulator
  }
  const shown: Shown = {
    stage,
    terminal,
    screen,
    async shows(text) {
      for (let left = 400; left > 0; left--) {
        const found = (await screen()).rows().map((row) => row.text)
        const all = found.join("\n")
        if (typeof text === "string" ? all.includes(text) : text.test(all)) return found
        await sleep(25)
      }
      throw new Error(
        `the screen never showed ${String(text)}:\n${emulator
          .rows()
          .map((row) => row.text)
          .join("\n")}`,
      )
    },
    async rests() {
      for (let before = -1; before !== terminal.text.length; await sleep(120)) before = terminal.text.length
      await screen()
    },
    async resize(wide, high) {
      execFileSync("stty", [
        "-F",
        readFileSync(join(stage.root, "tty"), "utf8").trim(),
        "cols",
        `${wide}`,
        "rows",
        `${high}`,
      ])
      // What was drawn before is shown at the old size; for 50 ms nothing is drawn.
      await sleep(20)
      await screen()
      emulator.resize(wide, high)
    },
  }
  await shown.shows(ready)
  return shown
}

export async function leave({ terminal }: Shown): Promise<void> {
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
}

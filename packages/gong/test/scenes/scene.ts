import { setTimeout as sleep } from "node:timers/promises"
import type { TestContext } from "node:test"
import type { Emulator } from "@gong/testing/emulator"
import type { ScriptedTurn } from "@gong/testing/model-server"
import { converse, type ScreenOptions, type Shown } from "../program/screen.ts"

/** A moment of a conversation that is compared with a stored picture of the screen. */
export interface Scene {
  readonly name: string
  /** It follows on the screen of the scene before; otherwise that is cleared. */
  readonly follows?: true
  /** Brings the screen there. */
  play(show: Driver): Promise<void>
  /** Leads back to the empty input. */
  back?(show: Driver): Promise<void>
}

/** Scenes that are played one after the other in one conversation. */
export interface SceneGroup extends Pick<ScreenOptions, "args" | "shell" | "ready" | "prepare"> {
  readonly scenes: readonly Scene[]
  /** It has no input at its end. */
  readonly isLeft?: true
}

/** What scenes can do. */
export interface Driver extends Pick<Shown, "stage" | "rests" | "resize"> {
  type(keys: string): void
  /** Waits for a text on the screen, which must not be a translated one. */
  shows(text: string | RegExp): Promise<void>
  /** Sends a message to a model that answers with these turns. */
  say(text: string, ...turns: readonly ScriptedTurn[]): void
  /** The same, and waits for the end of the run. */
  run(text: string, ...turns: readonly ScriptedTurn[]): Promise<void>
}

export const keys = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  left: "\u001b[D",
  altEnter: "\u001b\r",
  altUp: "\u001b[1;3A",
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96),
  paste: (text: string) => `\u001b[200~${text}\u001b[201~`,
}

/** Milliseconds in which the same keys answer a question for sure. */
export const SETTLED_MS = 450

export interface Picture {
  readonly name: string
  readonly text: string
}

/** Milliseconds until a picture must be the stored one, and without output after which a new one is taken. */
const PICTURE_MS = 5_000
const QUIET_MS = 500
/** Milliseconds in which a conversation ends. */
const ENDING_MS = 20_000

/** Plays a group of scenes, and takes a picture of each scene. `stored`: earlier ones, which are waited for. */
export async function playScenes(
  t: TestContext,
  { scenes, isLeft, ...options }: SceneGroup,
  size: Pick<ScreenOptions, "columns" | "language">,
  stored: ReadonlyMap<string, string>,
): Promise<readonly Picture[]> {
  const shown = await converse(t, { ...size, ...options, rows: 30 })
  const show = showOf(shown)
  const pictures: Picture[] = []
  for (const [at, scene] of scenes.entries()) {
    if (at > 0 && scene.follows !== true) await cleared(shown)
    await scene.play(show)
    pictures.push({ name: scene.name, text: await takePicture(shown, stored.get(scene.name)) })
    await scene.back?.(show)
  }
  if (isLeft !== true) {
    await shown.rests()
    shown.terminal.type(keys.ctrl("d"))
    const ended = await Promise.race([shown.terminal.ended, sleep(ENDING_MS, "open")])
    if (ended === "open") throw new Error(`the conversation did not end: ${pictureOf(await shown.screen())}`)
  }
  return pictures
}

async function takePicture({ screen, terminal }: Shown, stored: string | undefined): Promise<string> {
  if (stored === undefined)
    for (let before = -1; before !== terminal.text.length; await sleep(QUIET_MS)) before = terminal.text.length
  let picture = pictureOf(await screen())
  for (let waited = 0; stored !== undefined && picture !== stored && waited < PICTURE_MS; waited += 25) {
    await sleep(25)
    picture = pictureOf(await screen())
  }
  return picture
}

function showOf(shown: Shown): Driver {
  const { stage, rests, resize, terminal } = shown
  const say = (text: string, ...turns: readonly ScriptedTurn[]): void => {
    stage.server.begin(turns)
    terminal.type(`${text}\r`)
  }
  return {
    stage,
    rests,
    resize,
    type: (typed) => terminal.type(typed),
    shows: async (text) => void (await shown.shows(text)),
    say,
    async run(text, ...turns) {
      say(text, ...turns)
      for (let left = 400; left > 0 && stage.server.left > 0; left--) await sleep(25)
    },
  }
}

/** An empty screen with the input at its top. */
async function cleared({ screen, terminal, rests }: Shown): Promise<void> {
  await rests()
  const emulator = await screen()
  emulator.terminal.clear()
  terminal.type(keys.ctrl("l"))
  await rests()
}

/** The rows of the screen, below each its styles if there are any, and where the cursor is. */
function pictureOf({ terminal }: Emulator): string {
  const buffer = terminal.buffer.active
  const rows: string[] = []
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y)
    const cells = Array.from({ length: terminal.cols }, (_, x) => line?.getCell(x))
    rows.push(`|${line?.translateToString(true) ?? ""}`)
    const styles = cells.map((cell) => (cell === undefined || cell.getWidth() === 0 ? "" : styleOf(cell))).join("")
    if (styles.trim() !== "") rows.push(` ${styles.trimEnd()}`)
  }
  const last = rows.findLastIndex((row) => row !== "|")
  const kind = buffer.type === "alternate" ? "alternate screen, " : ""
  return [...rows.slice(0, last + 1), `(${kind}cursor ${buffer.cursorY}, ${buffer.cursorX})`].map(stable).join("\n")
}

type Cell = NonNullable<
  ReturnType<NonNullable<ReturnType<Emulator["terminal"]["buffer"]["active"]["getLine"]>>["getCell"]>
>

/** A letter for a colour of the palette, upper case when bold; else one for the look. */
function styleOf(cell: Cell): string {
  const color = cell.isFgDefault() ? "" : cell.isFgPalette() ? (palette[cell.getFgColor()] ?? "x") : "#"
  if (color !== "") return cell.isBold() ? color.toUpperCase() : color
  if (cell.isBold()) return "B"
  if (cell.isDim()) return "d"
  if (cell.isItalic()) return "i"
  if (cell.isUnderline()) return "u"
  if (cell.isStrikethrough()) return "s"
  return cell.isInverse() ? "v" : " "
}

const palette = ["k", "r", "g", "y", "l", "m", "c", "w"]

/** Without what differs from run to run, of the same length where that matters. */
function stable(text: string): string {
  return text
    .replaceAll(/gong-program-\w{6}/g, "gong-program-XXXXXX")
    .replaceAll(/127\.0\.0\.1:\d{5}/g, "127.0.0.1:55555")
    .replaceAll(/\b\d+(?:\.\d)? (s|秒)/g, "N $1")
    .replaceAll(/(?<=^\|.*)\b[0-9a-f]{8}\b/g, "0123abcd")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-01-01 00:00")
}

import assert from "node:assert/strict"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { test, type TestContext } from "node:test"
import type { Input } from "@gong/screen/keys"
import { manualClock } from "@gong/testing/sim/clock"
import { createStyle } from "@gong/texts/style"
import { editExternally } from "../../src/terminal/external-editor.ts"
import { modesOff, terminalModes } from "../../src/terminal/modes.ts"
import { openTty, type Tty } from "../../src/terminal/tty.ts"
import { themeStyle } from "../../src/terminal/theme-style.ts"
import type { Cli } from "../../src/cli.ts"

const CSI = "\u001b["

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gong-terminal-"))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test("the title is remembered once, and restored with the screen and the modes", () => {
  let bytes = ""
  const modes = terminalModes((text) => void (bytes += text))
  assert.equal(modes.on, `${CSI}?2004h${CSI}?1004h${CSI}>4;2m${CSI}>1u`)
  assert.equal(modesOff, `${CSI}<u${CSI}>4;0m${CSI}?1004l${CSI}?2004l${CSI}?2026l${CSI}?25h${CSI}0m`)
  assert.equal(modes.off(), modesOff)
  modes.setTitle("one")
  modes.setTitle("two")
  assert.equal(bytes, `${CSI}22;0t\u001b]0;one\u0007\u001b]0;two\u0007`)
  assert.equal(modes.off(), `${CSI}23;0t${modesOff}`)
  assert.equal(modes.off(), modesOff, "it is restored once")
  bytes = ""
  modes.showAlternate(true)
  assert.equal(modes.off(), `${CSI}?1049l${modesOff}`)
  assert.equal(modes.off(), `${CSI}?1049l${modesOff}`, "it is still shown")
  modes.showAlternate(false)
  assert.equal(bytes, `${CSI}?1049h${CSI}H${CSI}?1049l`)
  assert.equal(modes.off(), modesOff)
})

/** A terminal of streams; restored modes go to the standard output of the process, so it is never restored here. */
function openDevice(t: TestContext) {
  const clock = manualClock(0)
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => void raw.push(isRaw) })
  const output = Object.assign(new PassThrough(), { columns: 0, rows: 0 })
  const raw: boolean[] = []
  const inputs: Input[] = []
  let resized = 0
  let written = ""
  output.setEncoding("utf8").on("data", (text: string) => void (written += text))
  const exits: (() => void)[] = []
  const tty: Tty = openTty(
    {
      clock,
      path: "",
      openStdin: () => input,
      openStdout: () => output,
      onExit: (callback) => (exits.push(callback), () => void exits.splice(0)),
      stopProcess: () => undefined,
    },
    { input: (one) => void inputs.push(one), resized: () => void resized++, continued: () => undefined },
    folderOf(t),
  )
  return {
    clock,
    input,
    output,
    tty,
    raw,
    exits,
    resized: () => resized,
    written: () => written,
    inputs: () => inputs.splice(0),
  }
}

const names = (inputs: readonly Input[]) => inputs.map((one) => (one.kind === "key" ? one.key.name : one.kind))
const turn = () => new Promise(setImmediate)

test("an opened terminal is in raw mode with its modes set, and reports its size, 80 x 24 if it tells none", async (t) => {
  const { tty, output, raw, exits, resized, written } = openDevice(t)
  await turn()
  assert.deepEqual([raw, written(), exits.length], [[true], `${CSI}?2004h${CSI}?1004h${CSI}>4;2m${CSI}>1u`, 1])
  assert.deepEqual(tty.size, { columns: 80, rows: 24 })
  Object.assign(output, { columns: 100, rows: 30 })
  assert.deepEqual(tty.size, { columns: 100, rows: 30 })
  output.emit("resize")
  assert.equal(resized(), 1)
  tty.write("text")
  tty.setTitle("title")
  tty.showAlternate(true)
  await turn()
  assert.ok(written().endsWith(`text${CSI}22;0t\u001b]0;title\u0007${CSI}?1049h${CSI}H`))
  assert.equal(tty.unsent, output.writableLength)
})

test("Esc is a key after 50 ms, unless more of its sequence comes", async (t) => {
  const { clock, input, inputs } = openDevice(t)
  const type = async (text: string) => {
    input.write(text)
    await turn()
  }
  await type("\u001b")
  await clock.advance(49)
  assert.deepEqual(inputs(), [])
  await clock.advance(1)
  assert.deepEqual(names(inputs()), ["escape"])
  await type("\u001b")
  await clock.advance(49)
  await type("[A")
  await clock.advance(100)
  assert.deepEqual(names(inputs()), ["up"])
})

test("a line feed typed before the start is Enter, later it is Ctrl+J", async (t) => {
  const first = async (ms: number) => {
    const { clock, input, inputs } = openDevice(t)
    await clock.advance(ms)
    input.write("a\n")
    await turn()
    input.write("\n")
    await turn()
    return names(inputs())
  }
  assert.deepEqual(await first(999), ["a", "enter", "j"])
  assert.deepEqual(await first(1_000), ["a", "j", "j"])
})

test("a text is edited by the named program, or stays if that fails", async (t) => {
  const folder = folderOf(t)
  const script = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name)
    writeFileSync(path, lines.join("\n"))
    return `sh ${path}`
  }
  const seen = join(folder, "seen")
  const copies = script("copies", [
    `cat "$1" > ${seen}`,
    `printf '%s\\n' "$1" > ${seen}.path`,
    `printf 'new\\n\\n' > "$1"`,
  ])
  assert.equal(await editExternally("old", { VISUAL: copies, EDITOR: "false" }), "new\n")
  assert.equal(readFileSync(seen, "utf8"), "old\n")
  const path = readFileSync(`${seen}.path`, "utf8").trim()
  assert.match(path, /message\.md$/)
  assert.equal(existsSync(path), false, "the file is removed")
  await editExternally("", { EDITOR: copies })
  assert.equal(readFileSync(seen, "utf8"), "")
  assert.equal(await editExternally("old", { VISUAL: " ", EDITOR: "true" }), "old")
  assert.equal(await editExternally("old", { VISUAL: "false", EDITOR: "true" }), null)
  assert.equal(await editExternally("old", { VISUAL: join(folder, "none") }), null)
  assert.deepEqual(readdirSync(folder).toSorted(), ["copies", "seen", "seen.path"])
})

test("the style follows the background that the terminal reports: light above the middle", () => {
  const style = createStyle({ terminal: true, env: {} })
  const themed = (env: Readonly<Record<string, string>> = {}) =>
    themeStyle({ env, style } as unknown as Cli, {} as never)
  const answers = (theme: ReturnType<typeof themed>, ...texts: readonly string[]) =>
    texts.map((text) => theme.reply(`\u001b]11;${text}\u001b\\`))
  assert.equal(themed().style, style)
  assert.deepEqual(answers(themed(), "rgb:0000/0000/0000", "rgb:ffff/ffff/ffff", "rgb:ff/ff/ff", "rgb:0/0/0"), [
    false,
    true,
    false,
    true,
  ])
  assert.deepEqual(answers(themed(), "rgba:ffff/ffff/ffff/ffff"), [true])
  assert.deepEqual(answers(themed(), "RGB:FFFF/FFFF/FFFF"), [true])
  assert.deepEqual(answers(themed(), "rgb:8000/8000/8000"), [true], "just above the middle")
  assert.deepEqual(answers(themed(), "rgb:7fff/7fff/7fff"), [false])
  assert.deepEqual(answers(themed(), "rgb:0000/ffff/0000"), [true], "green is bright")
  assert.deepEqual(answers(themed(), "rgb:ffff/0000/ffff"), [false], "red and blue are not")
  assert.deepEqual(answers(themed(), "hsl:1/2/3", ""), [false, false])
  assert.equal(themed().reply("x\u001b]11;rgb:ffff/ffff/ffff"), false)
  assert.deepEqual(answers(themed({ COLORFGBG: "0;15" }), "rgb:ffff/ffff/ffff", "rgb:0/0/0"), [false, true])
})

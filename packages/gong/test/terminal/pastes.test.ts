import assert from "node:assert/strict"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { withoutPastes } from "../../src/terminal/bracketed-paste.ts"
import { rawMark, repairTerminal } from "../../src/terminal/raw-mark.ts"

const [from, to] = ["\u001B[200~", "\u001B[201~"]
const turn = () => new Promise(setImmediate)

/** Keys and pastes of an input, with a clock that a test moves. */
function reading() {
  const clock = manualClock(0)
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => void raw.push(mode) })
  const pastes: string[] = []
  const keys = withoutPastes(input, clock, (text) => void pastes.push(text))
  let typed = ""
  keys.on("data", (piece: Buffer) => void (typed += piece.toString()))
  return {
    clock,
    raw,
    keys: keys as NodeJS.ReadStream,
    pastes,
    typed: () => typed,
    async write(text: string) {
      input.write(text)
      await turn()
    },
    async end() {
      input.end()
      await turn()
    },
  }
}

test("the beginning of a mark is a key after 20 ms, unless the rest of the mark comes", async () => {
  const { clock, write, typed, pastes } = reading()
  await write("a\u001B")
  assert.equal(typed(), "a")
  await clock.advance(19)
  assert.equal(typed(), "a")
  await clock.advance(1)
  await turn()
  assert.equal(typed(), "a\u001B")
  await write("\u001B[2")
  await clock.advance(19)
  await write("00~x")
  await write(to)
  await clock.advance(5_000)
  assert.deepEqual([typed(), pastes, clock.waiting], ["a\u001B", ["x"], 0])
})

test("a paste without an end ends a second after its last byte, with what is there", async () => {
  const { clock, write, typed, pastes } = reading()
  await write(`${from}one`)
  await clock.advance(999)
  await write(" two\u001B[2")
  await clock.advance(999)
  assert.deepEqual(pastes, [])
  await clock.advance(1)
  assert.deepEqual(pastes, ["one two\u001B[2"])
  await write("key")
  assert.equal(typed(), "key")
})

test("the end of the input ends a paste, and gives back the beginning of a mark", async () => {
  const open = reading()
  await open.write(`${from}half`)
  await open.end()
  assert.deepEqual([open.pastes, open.clock.waiting], [["half"], 0])
  const key = reading()
  await key.write("\u001B[20")
  await key.end()
  assert.deepEqual([key.typed(), key.pastes], ["\u001B[20", []])
})

test("8 MB of a paste are kept; several pastes in one piece are several texts", async () => {
  const { write, pastes, typed } = reading()
  await write(`${from}${"x".repeat(8 * 1024 * 1024 + 1)}${to}`)
  assert.deepEqual(
    pastes.map(({ length }) => length),
    [8 * 1024 * 1024],
  )
  await write(`a${from}1\r\n2\r3${to}b${from}${to}c`)
  assert.deepEqual([pastes.slice(1), typed()], [["1\n2\n3", ""], "abc"])
})

test("the keys are a terminal whose raw mode is that of the input", () => {
  const { keys, raw } = reading()
  assert.equal(keys.isTTY, true)
  keys.setRawMode(true)
  keys.setRawMode(false)
  assert.deepEqual(raw, [true, false])
})

test(
  "a terminal is marked while it is in raw mode, and repaired once when that process is gone",
  { skip: !existsSync("/proc/self/fd/0") },
  (t) => {
    const root = mkdtempSync(join(tmpdir(), "gong-marks-"))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const folder = join(root, "terminals")
    assert.equal(repairTerminal(folder), false, "there is no mark")
    const mark = rawMark(folder)
    mark.remove()
    mark.set()
    const [name = ""] = readdirSync(folder)
    assert.ok(!name.includes("/") && !name.startsWith("dev"), name)
    assert.equal(readFileSync(join(folder, name), "utf8"), `${process.pid}`)
    assert.equal(repairTerminal(folder), false, "this process is alive")
    mark.remove()
    assert.deepEqual(readdirSync(folder), [])
    writeFileSync(join(folder, name), "999999999")
    assert.equal(repairTerminal(folder), true)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(repairTerminal(folder), false)
    const file = join(root, "file")
    writeFileSync(file, "")
    rawMark(file).set()
    assert.equal(readFileSync(file, "utf8"), "", "a folder that cannot be made is no error")
  },
)

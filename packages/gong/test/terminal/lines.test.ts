import assert from "node:assert/strict"
import { PassThrough } from "node:stream"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { systemClock } from "@gong/app/ports"
import { withoutPastes } from "../../src/terminal/bracketed-paste.ts"
import { lineReader } from "../../src/terminal/lines.ts"

const [from, to] = ["\u001B[200~", "\u001B[201~"]

/** A terminal of 80 columns: keys in, everything drawn out. */
function open({ marksPastes = true } = {}) {
  const keys = new PassThrough()
  const screen = Object.assign(new PassThrough(), { columns: 80 })
  let drawn = ""
  screen.setEncoding("utf8").on("data", (piece: string) => void (drawn += piece))
  const queued: string[] = []
  const lines = lineReader(keys, screen, { clock: systemClock, marksPastes })
  lines.onQueued((line) => void queued.push(line))
  return {
    lines,
    queued,
    drawn: () => drawn,
    /** Types and lets readline read it. */
    async type(...pieces: readonly string[]) {
      for (const piece of pieces) {
        keys.write(piece)
        await sleep(1)
      }
    },
  }
}

test("a paste of several lines is one line of input, and sends nothing by itself", async () => {
  const { lines, type, drawn } = open()
  let answer: string | null | undefined
  const asked = lines.question("> ").then((line) => (answer = line))
  await type("see ", `${from}one\r\ntwo\rthree\n${to}`, " now")
  assert.equal(answer, undefined)
  await type("\r")
  await asked
  assert.equal(answer, "see one\ntwo\nthree now")
  assert.ok(drawn().startsWith("\u001B[?2004h"))
  lines.close()
  await sleep(1)
  assert.ok(drawn().includes("\u001B[?2004l"))
})

test("a paste above ten lines is shown as a marker, several with their numbers, and all are sent whole", async () => {
  const { lines, type, drawn } = open()
  const long = Array.from({ length: 11 }, (_, at) => `line ${at} $& $1`).join("\n")
  const asked = lines.question("> ")
  await type("a ", `${from}${long}${to}`, " b ", `${from}${long}\nlast\n${to}`, "\r")
  assert.equal(await asked, `a ${long} b ${long}\nlast`)
  assert.ok(drawn().includes("[11 pasted lines]") && drawn().includes("[12 pasted lines #2]"))
  assert.ok(!drawn().includes("line 3"))
  const next = lines.question("> ")
  await type("[11 pasted lines]\r")
  assert.equal(await next, "[11 pasted lines]", "a marker that was typed is text")
  lines.close()
})

test("a question is not answered by a paste; a secret is not shown", async () => {
  const { lines, type, drawn } = open()
  const asked = lines.question("Sure? ", { fresh: true })
  await type(`${from}y\n${to}`)
  await type("\u007F", "n\r")
  assert.equal(await asked, "n")
  const secret = lines.question("Key: ", { secret: true })
  await type(`${from}sk-secret\n${to}`, "\r")
  assert.equal(await secret, "sk-secret")
  assert.ok(!drawn().includes("sk-secret"))
  lines.close()
})

test("between questions nothing is echoed: lines are queued and reported, an unsent one is shown at the next question", async () => {
  const { lines, type, queued, drawn } = open()
  await type("first\r", "sec")
  assert.deepEqual(queued, ["first"])
  assert.ok(!drawn().includes("first") && !drawn().includes("sec"))
  const asked = lines.question("Sure? ", { fresh: true })
  await type("y\r")
  assert.equal(await asked, "y", "what was typed before is no answer")
  assert.equal(await lines.question("> "), "first")
  const next = lines.question("> ")
  await type("ond\r")
  assert.equal(await next, "second")
  assert.ok(drawn().includes("> sec"))
  lines.close()
})

test("markers of pastes are found at every split, and text beside them is unchanged", async () => {
  const whole = Buffer.from(`ab${from}päste\n${to}cd\u001B[D${from}${to}ef\u001B[200x`)
  for (let at = 1; at < whole.length; at++) {
    const input = new PassThrough()
    const pastes: string[] = []
    const keys = withoutPastes(input, systemClock, (text) => void pastes.push(text))
    let typed = ""
    keys.on("data", (piece: Buffer) => void (typed += piece.toString()))
    input.write(whole.subarray(0, at))
    input.end(whole.subarray(at))
    await new Promise((resolve) => keys.once("end", resolve))
    assert.deepEqual([typed, pastes], ["abcd\u001B[Def\u001B[200x", ["päste\n", ""]], String(at))
  }
})

test("Esc alone is a key after a moment; a paste without an end ends after a second", async () => {
  const input = new PassThrough()
  const pastes: string[] = []
  const keys = withoutPastes(input, systemClock, (text) => void pastes.push(text))
  let typed = ""
  keys.on("data", (piece: Buffer) => void (typed += piece.toString()))
  input.write("\u001B")
  await sleep(60)
  assert.equal(typed, "\u001B")
  input.write(`${from}half`)
  await sleep(1_200)
  assert.deepEqual([typed, pastes], ["\u001B", ["half"]])
  input.end()
})

test("a dumb terminal is not asked to mark pastes", async () => {
  const { lines, type, drawn } = open({ marksPastes: false })
  const asked = lines.question("> ")
  await type("a\r")
  assert.deepEqual([await asked, drawn().includes("\u001B[?2004h")], ["a", false])
  lines.close()
})

test("Ctrl+C, Esc and Ctrl+D leave a question, and nothing else happens", async () => {
  for (const key of ["\u0003", "\u001B", "\u0004"]) {
    const { lines, type } = open()
    const heard: string[] = []
    lines.onInterrupt(() => void heard.push("interrupt"))
    lines.onEscape(() => void heard.push("escape"))
    for (const secret of [false, true]) {
      const asked = lines.question("Name: ", { secret })
      await type(...(key === "\u0004" ? [] : ["half"]), key)
      assert.equal(await asked, null)
    }
    const next = lines.question("> ", { main: true })
    await type("still here\r")
    assert.equal(await next, "still here", "what was typed in the question is gone")
    assert.deepEqual(heard, [])
    lines.close()
  }
})

test("at the prompt of a conversation Ctrl+C and Esc are reported, and Ctrl+D ends the input", async () => {
  const { lines, type } = open()
  const heard: string[] = []
  lines.onInterrupt(() => void heard.push("interrupt"))
  lines.onEscape(() => void heard.push("escape"))
  const asked = lines.question("> ", { main: true })
  await type("\u0003", "\u001B")
  await sleep(120)
  assert.deepEqual(heard, ["interrupt", "escape"])
  await type("\u0004")
  assert.equal(await asked, null)
  assert.equal(await lines.question("> ", { main: true }), null)
})

test("a question of a run is not left by Ctrl+C, which is reported, but ends with its signal", async () => {
  const { lines, type } = open()
  const stop = new AbortController()
  lines.onInterrupt(() => stop.abort())
  const asked = lines.question("Run it? ", { signal: stop.signal, fresh: true })
  await type("\u0003")
  assert.equal(await asked, null)
  lines.close()
})

test("a line that is put back is the next one", async () => {
  const { lines, type } = open()
  await type("later\r")
  lines.requeue("/model")
  assert.deepEqual([await lines.question("> "), await lines.question("> ")], ["/model", "later"])
  lines.close()
})

import { phrase, type Clock } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import { promptOf, readStdin, stdinKind, type StdinKind } from "../../src/command-line/stdin.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Timers that the test triggers. */
function manualClock() {
  const waiting = new Map<() => void, number>()
  const clock: Clock = {
    now: () => 0,
    sleep: async () => undefined,
    timer: (ms, callback) => {
      waiting.set(callback, ms)
      return () => waiting.delete(callback)
    },
  }
  const ring = (): readonly number[] => {
    const times = [...waiting.values()]
    for (const callback of waiting.keys()) {
      waiting.delete(callback)
      callback()
    }
    return times
  }
  return { clock, ring, waiting }
}

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield bytes(part)
}

async function* silence(): AsyncGenerator<Uint8Array> {
  yield await new Promise<never>(() => undefined)
}

async function read(kind: StdinKind, hasMessage: boolean, open: () => AsyncIterable<Uint8Array>) {
  return readStdin({ kind, hasMessage, open, clock: manualClock().clock })
}

const noSpill = async (): Promise<string> => assert.fail("nothing to spill")

test("terminals and devices are not opened", async () => {
  for (const kind of ["terminal", "none"] as const) {
    assert.deepEqual(await read(kind, true, () => assert.fail("opened")), { bytes: null, cut: false, notes: [] })
  }
})

test("the kind of stdin follows from its stat", () => {
  const stat = (is: "isFile" | "isFIFO" | "isSocket" | "other") => ({
    isFile: () => is === "isFile",
    isFIFO: () => is === "isFIFO",
    isSocket: () => is === "isSocket",
  })
  assert.equal(stdinKind(stat("other"), true), "terminal")
  assert.equal(stdinKind(stat("isFile"), false), "file")
  assert.equal(stdinKind(stat("isFIFO"), false), "pipe")
  assert.equal(stdinKind(stat("isSocket"), false), "pipe")
  assert.equal(stdinKind(stat("other"), false), "none")
})

test("a file or pipe is read to its end", async () => {
  const stdin = await read("pipe", true, () => chunks("a", "b", "c"))
  assert.deepEqual(stdin.bytes, bytes("abc"))
  assert.deepEqual((await read("file", false, () => chunks())).bytes, new Uint8Array())
})

test("with a message a silent pipe is ignored after 3 s", async () => {
  const { clock, ring, waiting } = manualClock()
  const stdin = readStdin({ kind: "pipe", hasMessage: true, open: silence, clock })
  assert.deepEqual(ring(), [3000])
  assert.deepEqual(await stdin, {
    bytes: null,
    cut: false,
    notes: [phrase`gong: nothing on stdin for 3 s; going on without it (use </dev/null)`],
  })
  assert.equal(waiting.size, 0)
})

test("after the first data, or without a message, there is no time limit", async () => {
  const { clock, waiting } = manualClock()
  const query = { kind: "pipe", open: () => chunks("x"), clock } as const
  assert.deepEqual((await readStdin({ ...query, hasMessage: true })).bytes, bytes("x"))
  assert.equal(waiting.size, 0, "the timer is taken back")
  let timers = 0
  const counting: Clock = { ...clock, timer: () => (timers++, () => undefined) }
  await readStdin({ ...query, hasMessage: false, clock: counting })
  assert.equal(timers, 0)
})

test("64 MB are kept, the rest is reported as dropped", async () => {
  const block = new Uint8Array(40 * 1024 * 1024)
  let closed = false
  const stdin = await read("file", false, async function* () {
    try {
      for (;;) yield block
    } finally {
      closed = true
    }
  })
  assert.deepEqual([stdin.bytes?.length, stdin.cut, closed], [64 * 1024 * 1024, true, true])
  assert.deepEqual(stdin.notes, [phrase`gong: stdin is longer than 64 MB; the rest is left out`])
})

test("a stream error is reported to the caller", async () => {
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.reject(new Error("EIO"))
  }
  await assert.rejects(read("pipe", true, broken), /EIO/)
})

test("the prompt is the message, stdin, or both", async () => {
  const stdin = (text: string | null) => ({ bytes: text === null ? null : bytes(text), cut: false, notes: [] })
  assert.deepEqual(await promptOf("fix it", stdin(null), noSpill), { ok: true, value: "fix it" })
  assert.deepEqual(await promptOf(null, stdin("fix it\n"), noSpill), { ok: true, value: "fix it" })
  assert.deepEqual(await promptOf("why?", stdin("log\n"), noSpill), {
    ok: true,
    value: "why?\n\n<stdin>\nlog\n</stdin>",
  })
  assert.deepEqual(await promptOf("why?", stdin(" \n"), noSpill), { ok: true, value: "why?" })
  for (const [message, text] of [
    [null, null],
    [null, " \n"],
    ["  ", null],
  ] as const) {
    const none = await promptOf(message, stdin(text), noSpill)
    assert.ok(!none.ok)
    assert.deepEqual(none.error.lines, ['gong: no prompt. Try: gong -p "what does this repository do?"'])
  }
})

test("50 KB of stdin go to the model, cut between characters, the rest as a file", async () => {
  const long = `a${"工".repeat(20_000)}`
  const spilled: number[] = []
  const prompt = await promptOf("sum up", { bytes: bytes(long), cut: false, notes: [] }, async (whole) => {
    spilled.push(whole.length)
    return "artifact:stdin.txt"
  })
  assert.ok(prompt.ok)
  assert.deepEqual(spilled, [60_001])
  assert.ok(!prompt.value.includes("\uFFFD"))
  assert.match(prompt.value, /^sum up\n\n<stdin>\na工+\n<\/stdin>\n\[60001 bytes in all; .*artifact:stdin\.txt\]$/)
})

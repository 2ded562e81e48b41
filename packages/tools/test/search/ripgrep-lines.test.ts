import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, ExecResult } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { createMemoryHost } from "../../src/host/memory.ts"
import { LINE_MAX_BYTES, type RipgrepRun, runRipgrep } from "../../src/search/ripgrep.ts"

type Exec = (command: string | readonly string[], options: ExecOptions) => Promise<ExecResult>

/** Runs a ripgrep that the test plays; the lines that were received. */
async function played(exec: Exec, more: Partial<RipgrepRun> = {}) {
  const lines: string[] = []
  const host = createMemoryHost({ exec })
  const run: RipgrepRun = {
    args: ["--files"],
    cwd: "/work",
    signal: new AbortController().signal,
    clock: manualClock(),
    onLine(line, whole) {
      lines.push(whole ? line : `${line.slice(0, 3)}... of ${line.length}`)
      return true
    },
    ...more,
  }
  return { ended: await runRipgrep(host, { rgPath: "/rg" }, run), lines }
}

/** A run that prints these chunks. */
const printing =
  (chunks: readonly (string | Uint8Array)[], end: Partial<ExecResult> = {}): Exec =>
  async (_, { onData }) => {
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk)
      onData(bytes, "stdout")
      // The caller may use its buffer again.
      bytes.fill(0)
    }
    return { code: 0, signal: null, ...end } as ExecResult
  }

test("ripgrep gets its arguments, without a configuration and colours, in the folder", async () => {
  const calls: unknown[] = []
  await played(async (command, { cwd, own }) => {
    calls.push([command, cwd, own])
    return { code: 0, signal: null }
  })
  assert.deepEqual(calls, [[["/rg", "--no-config", "--color=never", "--files"], "/work", true]])
})

test("lines are the same wherever the chunks are cut, with or without a final separator", async () => {
  const text = "a\u00e9\n\nbb\nccc\nlast"
  const bytes = Buffer.from(text)
  for (const size of [1, 2, 3, 5, 100])
    for (const end of ["", "\n"]) {
      const all = Buffer.concat([bytes, Buffer.from(end)])
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, (at + 1) * size),
      )
      const { ended, lines } = await played(printing(chunks))
      assert.deepEqual(lines, ["a\u00e9", "", "bb", "ccc", "last"], `${size} ${JSON.stringify(end)}`)
      assert.deepEqual(ended, { code: 0, stderr: "" })
    }
  assert.deepEqual((await played(printing([]))).lines, [])
  assert.deepEqual((await played(printing(["a\nb\0c\nd\0"]), { separator: "\0" })).lines, ["a\nb", "c\nd"])
})

test("only lines with a text are passed on, wherever they are", async () => {
  for (const chunks of [
    ["xa\nb\nxc\nd\nx"],
    ["x", "a\nb\n", "xc\nd\n", "x"],
    ["xa\nb\nxc\nd\nx\n"],
    ["xa\nb\n", "xc\nd\nx"],
  ])
    assert.deepEqual((await played(printing(chunks), { holding: "x" })).lines, ["xa", "xc", "x"])
  assert.deepEqual((await played(printing(["a x b x\nc\n\nx\n"]), { holding: "x" })).lines, ["a x b x", "x"])
})

test("false ends the search: no more lines are passed on, and the program is ended", async () => {
  for (const holding of ["", "l"]) {
    const lines: string[] = []
    let aborted = false
    const { ended } = await played(
      async (_, { onData, signal }) => {
        onData(Buffer.from("l1\nl2\nl3\n"), "stdout")
        onData(Buffer.from("l4\nl5"), "stdout")
        aborted = signal.aborted
        return { code: null, signal: "SIGKILL" }
      },
      {
        holding,
        onLine(line) {
          lines.push(line)
          return lines.length < 2
        },
      },
    )
    assert.deepEqual([lines, aborted, ended], [["l1", "l2"], true, { code: null, stderr: "" }])
  }
})

test("of a line of more than 16 MB the beginning is passed on, as one that is cut", async () => {
  const half = "x".repeat(LINE_MAX_BYTES / 2)
  assert.equal(LINE_MAX_BYTES, 16_777_216)
  assert.deepEqual(
    (await played(printing([half, `${half}\nb\n`]))).lines.map((line) => line.length),
    [LINE_MAX_BYTES, 1],
  )
  assert.deepEqual((await played(printing([half, half, "y", "\nb\n"]))).lines, [`xxx... of ${LINE_MAX_BYTES}`, "b"])
})

test("the exit code and the beginning of the errors are the end of the run", async () => {
  const { ended } = await played(async (_, { onData }) => {
    onData(Buffer.from("e".repeat(4_095)), "stderr")
    onData(Buffer.from("12"), "stderr")
    onData(Buffer.from("34"), "stderr")
    return { code: 2, signal: null }
  })
  assert.deepEqual(ended, { code: 2, stderr: `${"e".repeat(4_095)}12` })
})

test("a ripgrep that cannot be started is none; any other failure rejects", async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  for (const code of ["ENOENT", "EACCES", "ENOEXEC"]) assert.equal((await played(failing(code))).ended, null)
  await assert.rejects(played(failing("EMFILE")), { code: "EMFILE" })
  assert.equal((await played(printing([], { code: 127 }))).ended, null)
  assert.deepEqual((await played(printing([], { code: 126 }))).ended, { code: 126, stderr: "" })
  const host = createMemoryHost()
  const run = { args: [], cwd: "/", signal: new AbortController().signal, clock: manualClock(), onLine: () => true }
  assert.equal(await runRipgrep(host, {}, run), null)
})

test("an abort ends the program and rejects", async () => {
  const stop = new AbortController()
  const running = played(
    (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({ code: null, signal: "SIGKILL" }))),
    { signal: stop.signal },
  )
  stop.abort()
  await assert.rejects(running, { message: "Operation aborted" })
  let aborted = false
  const before = played(
    async (_, { signal }) => {
      aborted = signal.aborted
      return { code: null, signal: "SIGKILL" }
    },
    { signal: AbortSignal.abort() },
  )
  await assert.rejects(before, { message: "Operation aborted" })
  assert.equal(aborted, true)
})

test("a ripgrep that is silent for 120 s is ended; each output begins the time again", async () => {
  const clock = manualClock()
  const running = played(
    async (_, { signal, onData }) => {
      const { promise, resolve } = Promise.withResolvers<ExecResult>()
      signal.addEventListener("abort", () => resolve({ code: null, signal: "SIGKILL" }))
      await clock.advance(119_999)
      onData(Buffer.from("a\n"), "stdout")
      await clock.advance(119_999)
      onData(Buffer.from("e"), "stderr")
      await clock.advance(119_999)
      assert.equal(signal.aborted, false)
      await clock.advance(1)
      assert.equal(signal.aborted, true)
      return promise
    },
    { clock },
  )
  assert.deepEqual(await running, {
    ended: { code: 2, stderr: "nothing was found or said for 120 s, and it was ended" },
    lines: ["a"],
  })
  assert.equal(clock.waiting, 0)
})

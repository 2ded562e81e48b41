import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { createMemoryHost } from "../../src/host/memory.ts"
import { runRipgrep } from "../../src/search/ripgrep.ts"

test("ripgrep is ended after two minutes of silence, and its earlier results count", async () => {
  const clock = manualClock()
  let say = (_: string): void => undefined
  const host = createMemoryHost({
    now: clock.now,
    exec: (_, { signal, onData }) =>
      new Promise((resolve) => {
        say = (text) => onData(Buffer.from(text), "stdout")
        signal.addEventListener("abort", () => resolve({ code: null, signal: "SIGKILL" }))
      }),
  })
  const lines: string[] = []
  const run = runRipgrep(
    host,
    { rgPath: "/rg" },
    {
      args: [],
      cwd: "/",
      clock,
      signal: new AbortController().signal,
      onLine: (line) => lines.push(line) > 0,
    },
  )
  await Promise.resolve()
  await clock.advance(119_000)
  say("one\n")
  await clock.advance(119_000)
  say("two\n")
  await clock.advance(121_000)
  assert.deepEqual(await run, { code: 2, stderr: "nothing was found or said for 120 s, and it was ended" })
  assert.deepEqual(lines, ["one", "two"])
})

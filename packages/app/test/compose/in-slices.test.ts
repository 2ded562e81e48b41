import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "@gong/tools/host/memory"
import { inSlices } from "../../src/compose/tools/in-slices.ts"

/** Does nothing for so many milliseconds, as a call of the system that blocks. */
function block(ms: number): void {
  for (const end = Date.now() + ms; Date.now() < end;);
}

test("the event loop runs between stats and reads of many files", async () => {
  const memory = createMemoryHost({ cwd: "/w" })
  const calls: string[] = []
  const host = inSlices({
    ...memory,
    async stat(path) {
      calls.push(path)
      block(3)
      return null
    },
    async readRange(path) {
      calls.push(path)
      block(3)
      return new Uint8Array()
    },
  })
  for (const call of [host.stat, (path: string) => host.readRange(path, 0)] as const) {
    calls.length = 0
    let turns = 0
    const count = (): void => {
      turns += 1
      if (turns < 100) setImmediate(count)
    }
    setImmediate(count)
    const paths = Array.from({ length: 20 }, (_, n) => `/w/${n}`)
    await Promise.all(paths.map((path) => call(path)))
    assert.deepEqual(calls, paths)
    assert.ok(turns >= 3, `${turns} turns`)
  }
})

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { Clock } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { statusLine } from "../../src/terminal/status-line.ts"
import type { Cli } from "../../src/cli.ts"

/** A command line whose timers a test calls; `waiting` has their milliseconds. */
function place(t: TestContext) {
  const waiting = new Map<() => void, number>()
  const clock: Clock = {
    now: () => 0,
    sleep: async () => undefined,
    timer: (ms, callback) => {
      waiting.set(callback, ms)
      return () => waiting.delete(callback)
    },
  }
  const cwd = folder(t)
  const cli = { cwd, env: { PATH: process.env["PATH"] }, clock } as unknown as Cli
  return { cli, cwd, waiting }
}

test("the first line that the command prints is the status row; the facts are its input, as JSON", async (t) => {
  const { cli, cwd, waiting } = place(t)
  assert.equal(await statusLine(cli, "cat", { a: 1 }), '{"a":1}')
  assert.equal(await statusLine(cli, "printf 'one\ntwo\n'", {}), "one")
  assert.equal(await statusLine(cli, "pwd -P", {}), cwd)
  assert.equal(await statusLine(cli, "echo no >&2", {}), "")
  assert.equal(await statusLine(cli, "true", {}), "")
  assert.equal(waiting.size, 0, "the timer is taken back")
})

test("a command that fails has no row, and one that is too slow is ended after 0.3 s", async (t) => {
  const { cli, waiting } = place(t)
  assert.equal(await statusLine(cli, "echo x; exit 1", {}), null)
  assert.equal(await statusLine(cli, "no-such-command-at-all", {}), null)
  const slow = statusLine(cli, "sleep 60", {})
  assert.deepEqual([...waiting.values()], [300])
  for (const callback of waiting.keys()) callback()
  assert.equal(await slow, null)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, ExecResult } from "@gong/spec"
import { createMemoryHost } from "@gong/tools/host/memory"
import { runCommand } from "../../src/hooks/run-command.ts"

/** A command with this output, and how it ended. */
function ran(out: readonly Uint8Array[], end: Partial<ExecResult> = {}, err: readonly Uint8Array[] = []) {
  const exec = async (_: unknown, { onData }: ExecOptions): Promise<ExecResult> => {
    for (const bytes of out) onData(bytes, "stdout")
    for (const bytes of err) onData(bytes, "stderr")
    return { code: 0, signal: null, ...end } as ExecResult
  }
  const host = createMemoryHost({ now: () => 0, exec })
  const signal = end.code === null && end.signal === null ? AbortSignal.abort() : new AbortController().signal
  return runCommand(host, { command: "check", cwd: "/w", env: {}, input: {}, signal, job: "j" })
}

const bytes = (text: string) => new TextEncoder().encode(text)
const most = 256 * 1024

test("256 KiB of output are read, in any chunks; one more byte is a failure of the hook", async () => {
  const half = new Uint8Array(most / 2).fill(120)
  assert.equal((await ran([half, half])).stdout.length, most)
  await assert.rejects(ran([half, half, bytes("x")]), /262145 bytes of output; at most 262144 are read/)
  assert.equal((await ran([], { code: 1 }, [half, half, bytes("more")])).stderr.length, most, "of errors the beginning")
})

test("a character across two chunks stays whole; blanks around errors are trimmed, those of the output stay", async () => {
  const [first, second] = [bytes("é").subarray(0, 1), bytes("é").subarray(1)]
  const { code, stdout, stderr } = await ran([first, second, bytes("\n")], { code: 2 }, [bytes(" no\n")])
  assert.deepEqual([code, stdout, stderr], [2, "é\n", "no"])
})

test("a killed command is a failure of the hook, with the signal", async () => {
  await assert.rejects(ran([], { code: null, signal: "SIGKILL" }), /^Error: ended by SIGKILL$/)
  await assert.rejects(ran([], { code: null, signal: null }), /^Error: stopped$/)
})

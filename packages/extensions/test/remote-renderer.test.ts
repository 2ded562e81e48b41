import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { englishOf, type Phrase } from "@gong/spec"
import type { ExtensionHost } from "../src/host/host.ts"
import { remoteRenderer } from "../src/remote/remote-renderer.ts"

const call = {
  id: "c1",
  tool: "bash",
  title: "ls",
  args: { command: "ls" },
  status: "ok",
  content: [],
  details: null,
  durationMs: 3,
  width: 80,
} as const

function open(answer: () => unknown) {
  const clock = manualClock()
  const printed: Phrase[] = []
  let asked = 0
  const host = {
    call: async () => {
      asked += 1
      return answer()
    },
    isOff: () => false,
  } as Partial<ExtensionHost> as ExtensionHost
  const show = remoteRenderer({ id: 0, name: "view", host }, "bash", {
    clock,
    notify: (line) => void printed.push(line),
  })
  return { clock, printed, show: () => show(call), asked: () => asked }
}

test("text, lines and styled lines are shown; no result means Gong's own line; excess is cut", async () => {
  const plain = (text: string) => ({ text, style: "plain" })
  assert.deepEqual(await open(() => "a\nb").show(), [[plain("a")], [plain("b")]])
  const dressed = [
    { text: "a", style: "added" },
    { text: "b\nc", style: "blink" },
  ]
  assert.deepEqual(await open(() => [dressed]).show(), [[{ text: "a", style: "added" }, plain("b c")]])
  for (const nothing of [null, undefined]) assert.equal(await open(() => nothing).show(), null)
  const much = await open(() => Array.from({ length: 500 }, () => "x".repeat(5_000))).show()
  assert.deepEqual([much?.length, much?.[0]?.[0]?.text.length], [100, 1_000])
})

test("a renderer that throws, times out or returns garbage is replaced by Gong's line, and turned off after three failures", async () => {
  for (const [answer, why] of [
    [() => Promise.reject(new Error("no luck.")), "no luck"],
    [() => 7, "it gives text, or a list of lines"],
    [() => [[{ style: "dim" }]], "it gives text, or a list of lines"],
    [() => new Promise(() => undefined), "it gave no lines in 250 ms"],
  ] as const) {
    const { show, printed, asked, clock } = open(answer)
    for (let round = 0; round < 5; round++) {
      const shown = show()
      await clock.advance(250)
      assert.equal(await shown, null)
    }
    assert.deepEqual(
      [asked(), printed.map(englishOf)],
      [3, [`view: the renderer of bash is not asked again: ${why}. Mend it, then /reload.`]],
    )
  }
})

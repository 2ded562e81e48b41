import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { failure, phrase } from "@gong/spec"
import type { PromptController } from "@gong/app/controller/api"
import { openSession } from "@gong/app/compose/open-session"
import { systemClock } from "@gong/app/ports"
import { scriptedProvider } from "@gong/llm/scripted"
import { servicesOf } from "../services.ts"
import { print } from "../../src/modes/print.ts"
import type { Language } from "@gong/texts/language"
import { translator } from "@gong/texts/translator"

/** Runs prompts in a session with a frontend in this language, and returns its output. */
async function printIn(t: TestContext, language: Language) {
  const written: string[] = []
  const streams = {
    t: await translator(language),
    out: (text: string) => void written.push(text),
    err: (text: string) => void written.push(text),
    outIsTerminal: false,
    errIsTerminal: true,
    outputClosed: false,
  }
  const script = [
    { text: "one" },
    {
      failure: failure("overloaded", phrase`${"host"} sent an empty reply`, {
        retryable: false,
        hint: phrase`gong login ${"host"} takes one.`,
      }),
    },
    { text: "two" },
  ]
  const services = servicesOf(t)
  const opened = await openSession({}, services, { provider: scriptedProvider(script, { clock: systemClock }) })
  assert.ok(opened.ok)
  t.after(() => opened.value.close())
  const { session } = opened.value
  const controller: PromptController = {
    current: { session },
    prompt: (input) => session.prompt(input.text, input),
  }
  const run = async (text: string) => {
    written.length = 0
    await print(controller, streams, {
      input: { text, images: [], seen: [] },
      output: "text",
      quiet: false,
      clock: { ...systemClock, now: () => 0 },
      resume: "gong -c",
      render: null,
      save: null,
      exitOf: () => 0,
    })
    return written.join("")
  }
  return run
}

const summary = {
  en: "0.0 s · 0 tool calls · $0.00 · gong -c to continue\n",
  "zh-CN": "0.0 s · 0 次工具调用 · $0.00 · gong -c 可以继续\n",
}
const failed = {
  en: "gong: host sent an empty reply. gong login host takes one.\n",
  "zh-CN": "gong: host 发来空的回复。gong login host 可保存一个。\n",
}

test("two sessions in one process print English and Chinese side by side", async (t) => {
  const [en, zh] = await Promise.all([printIn(t, "en"), printIn(t, "zh-CN")])
  assert.equal(await en("go"), `one\n${summary.en}`)
  assert.equal(await zh("go"), `one\n${summary["zh-CN"]}`)
  // Concurrent requests are answered in each session's language, in any order.
  assert.deepEqual(await Promise.all([zh("again"), en("again")]), [
    failed["zh-CN"] + summary["zh-CN"],
    failed.en + summary.en,
  ])
  assert.equal(await zh("more"), `two\n${summary["zh-CN"]}`)
  assert.equal(await en("more"), `two\n${summary.en}`)
})

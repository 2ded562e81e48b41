import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, phrase } from "@gong/spec"
import type { PromptController } from "../../src/controller/api.ts"
import { print } from "../../src/modes/print.ts"
import type { Language } from "../../src/texts/language.ts"
import { translator } from "../../src/texts/translator.ts"
import { place, start } from "../session/world.ts"

/** A session with a frontend in this language, and what it showed. */
async function reader(language: Language) {
  const where = place()
  const said: string[] = []
  const surface = {
    t: await translator(language),
    out: (text: string) => void said.push(text),
    err: (text: string) => void said.push(text),
    outIsTerminal: false,
    errIsTerminal: true,
    readerGone: false,
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
  const { session } = await start(where, { script })
  const controller: PromptController = {
    current: { session },
    prompt: (input) => session.prompt(input.text, input),
  }
  const ask = async (text: string) => {
    said.length = 0
    await print(controller, surface, {
      input: { text, images: [], seen: [] },
      output: "text",
      quiet: false,
      now: () => 0,
      goOn: "gong -c",
      show: null,
      save: null,
      exitOf: () => 0,
    })
    return said.join("")
  }
  return ask
}

const closing = {
  en: "0.0 s · 0 tool calls · $0.00 · gong -c goes on\n",
  "zh-CN": "0.0 s · 0 次工具调用 · $0.00 · gong -c 可以继续\n",
}
const failed = {
  en: "gong: host sent an empty reply. gong login host takes one.\n",
  "zh-CN": "gong: host 发来空的回复。gong login host 可保存一个。\n",
}

test("two sessions in one process, one in English and one in Chinese, turn by turn", async () => {
  const [en, zh] = await Promise.all([reader("en"), reader("zh-CN")])
  assert.equal(await en("go"), `one\n${closing.en}`)
  assert.equal(await zh("go"), `one\n${closing["zh-CN"]}`)
  // Concurrent requests are answered in each session's language, in any order.
  assert.deepEqual(await Promise.all([zh("again"), en("again")]), [
    failed["zh-CN"] + closing["zh-CN"],
    failed.en + closing.en,
  ])
  assert.equal(await zh("more"), `two\n${closing["zh-CN"]}`)
  assert.equal(await en("more"), `two\n${closing.en}`)
})

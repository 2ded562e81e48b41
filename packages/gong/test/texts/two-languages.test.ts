import assert from "node:assert/strict"
import { test } from "node:test"
import { failure } from "@gong/spec"
import { print } from "../../src/modes/print.ts"
import { type Language, translator } from "../../src/texts/translator.ts"
import { place, start } from "../session/world.ts"

/** A session of its own with a reader of this language, and what the reader saw. */
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
    { failure: failure("bad-request", "The limit of this run was reached: turns.") },
    { text: "two" },
  ]
  const { session } = await start(where, { script })
  const ask = async (text: string) => {
    said.length = 0
    await print(session, surface, {
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
  en: "gong: The limit of this run was reached: turns.\n",
  "zh-CN": "gong: 到了本次运行的上限：turns。\n",
}

test("two sessions in one process, one with an English and one with a Chinese reader, turn by turn", async () => {
  const [en, zh] = await Promise.all([reader("en"), reader("zh-CN")])
  assert.equal(await en("go"), `one\n${closing.en}`)
  assert.equal(await zh("go"), `one\n${closing["zh-CN"]}`)
  // Both at once, the one that asked later is answered first or last: each in its own language.
  assert.deepEqual(await Promise.all([zh("again"), en("again")]), [
    failed["zh-CN"] + closing["zh-CN"],
    failed.en + closing.en,
  ])
  assert.equal(await zh("more"), `two\n${closing["zh-CN"]}`)
  assert.equal(await en("more"), `two\n${closing.en}`)
})

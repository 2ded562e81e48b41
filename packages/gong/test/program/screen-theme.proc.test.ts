import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { converse, leave, type Shown } from "./screen.ts"
import { skip } from "./terminal.ts"

const QUERY = "\u001b]11;?\u001b\\"
const theme = '{ "colors": { "muted": "red" }, "light": { "muted": "blue" } }'

/** The colour of the palette of the first cell of the row that begins with this text. */
async function colorOf(shown: Shown, text: string): Promise<number | null> {
  const { active } = (await shown.screen()).terminal.buffer
  for (let row = active.length - 1; row >= 0; row--) {
    const line = active.getLine(row)
    if (line?.translateToString(true).startsWith(text) === true) return line.getCell(0)?.getFgColor() ?? null
  }
  return null
}

test(
  "[RES-5] a theme with colours for a light background asks the terminal for its own, and follows the answer",
  { skip },
  async (t) => {
    const shown = await converse(t, {
      args: ["--set", "theme=both"],
      prepare(stage) {
        stage.write({ [join(stage.gongHome, "themes/both.json")]: theme })
        return stage
      },
    })
    await shown.terminal.until(QUERY)
    await shown.rests()
    assert.equal(await colorOf(shown, "custom/mock ·"), 1)
    for (const [answer, color] of [
      ["rgb:ffff/ffff/e0e0", 4],
      ["rgb:1e/1e/2e", 1],
      ["rgba:f/f/f/f", 4],
    ] as const) {
      shown.terminal.type(`\u001b]11;${answer}\u001b\\`)
      await shown.rests()
      assert.equal(await colorOf(shown, "custom/mock ·"), color, answer)
    }
    await leave(shown)
  },
)

test("the terminal is asked nothing where the background makes no difference", { skip }, async (t) => {
  const shown = await converse(t)
  await shown.rests()
  assert.ok(!shown.terminal.text.includes(QUERY))
  await leave(shown)
})

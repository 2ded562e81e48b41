import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { talk, open } from "./talk.ts"

test("/theme lists the themes, selects one permanently, and goes back to the colours of the terminal", async (t) => {
  const program = await open(t)
  program.write({
    [`${program.gongHome}/themes/night.json`]: '{ "colors": { "muted": "gray" } }',
    [`${program.gongHome}/themes/day.json`]: '{ "colors": { "muted": "blue" } }',
  })
  const start = "custom/mock from GONG_API_KEY · auto · sandbox: off · session s1"
  assert.deepEqual(
    await talk(program, ["/theme", "3", "/theme nigt", "/theme", "", "/theme default"], "--permission", "auto"),
    [
      "> /theme",
      "Which colours?",
      "  1  default (in use)",
      "  2  day",
      "  3  night",
      "1-3, Enter for none > 3",
      start,
      "theme is night in $GONG/settings.json.",
      "> /theme nigt",
      "There is no theme nigt. Did you mean night? docs/settings.md shows how to write one.",
      "> /theme",
      "Which colours?",
      "  1  default",
      "  2  day",
      "  3  night (in use)",
      "1-3, Enter for none > ",
      "Nothing has changed.",
      "> /theme default",
      start,
      "theme is not set in $GONG/settings.json.",
      "> ",
    ],
  )
  assert.doesNotMatch(readFileSync(`${program.gongHome}/settings.json`, "utf8"), /theme/)
})

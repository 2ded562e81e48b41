import assert from "node:assert/strict"
import { test } from "node:test"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

/** A PNG of 60 x 40 pixels in one colour. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAADwAAAAoAQMAAACYdQu8AAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAABlBMVEX/pQD////52iT3AAAAAWJLR0QB/wIt3gAAAAd0SU1FB+oLHA8iHK77FiAAAAANSURBVBjTY2AYBfQAAAFoAAHZthW0AAAAJXRFWHRkYXRlOmNyZWF0ZQAyMDI2LTExLTI4VDE1OjM0OjI4KzAwOjAwCiRV4AAAACV0RVh0ZGF0ZTptb2RpZnkAMjAyNi0xMS0yOFQxNTozNDoyOCswMDowMHt57VwAAAAASUVORK5CYII="

const answers = [{ calls: [{ name: "read", args: { path: "logo.png" } }] }, { text: "A square." }]

test(
  "the image of a result is drawn where the terminal can, and its size shown where it cannot",
  { skip },
  async (t) => {
    for (const term of ["xterm-kitty", "xterm-256color"]) {
      const shown = await converse(t, {
        shell: `export TERM=${term}; exec "$@"`,
        prepare(stage) {
          stage.write({ "logo.png": Buffer.from(png, "base64") })
          return stage
        },
      })
      shown.stage.server.begin(answers)
      shown.terminal.type("what is it?\r")
      const rows = await shown.shows("A square.")
      const from = rows.findIndex((row) => row.startsWith("  read logo.png"))
      const isDrawn = shown.terminal.text.includes(`\u001b_Ga=T,f=100,q=2,C=1,c=6,r=2,m=0;${png}\u001b\\`)
      assert.equal(isDrawn, term === "xterm-kitty")
      const below = rows.slice(from + 1, rows.indexOf("A square.")).map((row) => row.trimEnd())
      assert.deepEqual(below, isDrawn ? ["", "", ""] : ["    [image 60x40]", ""])
      await leave(shown)
    }
  },
)

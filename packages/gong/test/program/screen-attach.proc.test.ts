import assert from "node:assert/strict"
import { test } from "node:test"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

const command = "until [ -e go ]; do sleep 0.05; done; echo went"

test(
  "attach shows the session of another gong on the screen, read-only, with its calls in progress",
  { skip },
  async (t) => {
    const shown = await converse(t, { args: ["--yolo", "--sandbox", "off"] })
    shown.stage.server.begin([
      { text: "I **wait**.", calls: [{ name: "bash", args: { command } }] },
      { text: "It went." },
    ])
    shown.terminal.type("wait for it\r")
    await shown.shows(/bash until/)
    const [id = ""] = shown.stage.sessions()
    const watched = await converse(t, {
      args: ["attach", id],
      prepare: () => shown.stage,
      ready: /watching, read-only · Esc leaves/,
    })
    const rows = await watched.shows(/ {2}bash until .* \d s\n.*working \d/)
    const text = rows.join("\n")
    assert.match(text, /^Watching session .*by pid \d+/m)
    assert.match(text, /^> wait for it\n\nI wait\.$/m)
    // Nothing can be typed.
    watched.terminal.type("hello\r")
    shown.stage.write({ go: "" })
    await watched.shows(/ {2}bash until .*\n(.*\n)* {4,}went\n\nIt went\.\n\nwatching/)
    await shown.shows("It went.")
    assert.equal(shown.stage.server.requests.length, 2)
    assert.ok(!(await watched.screen()).rows().some((row) => row.text.includes("hello")))
    watched.terminal.type("q")
    assert.equal(await watched.terminal.ended, 0)
    await leave(shown)
  },
)

test("attach says on the terminal that the other gong has exited", { skip }, async (t) => {
  const shown = await converse(t)
  shown.terminal.type("hi\r")
  await shown.shows("Hello.")
  const [id = ""] = shown.stage.sessions()
  const watched = await converse(t, { args: ["attach", id], prepare: () => shown.stage, ready: /watching/ })
  await leave(shown)
  assert.equal(await watched.terminal.ended, 0)
  const rows = await watched.shows(/gong: the gong with session .* has exited\./)
  assert.ok(!rows.some((row) => row.includes("watching")))
  const { modes } = (await watched.screen()).terminal
  assert.equal(modes.bracketedPasteMode, false)
})

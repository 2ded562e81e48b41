import { english } from "@gong/texts/translator"
import assert from "node:assert/strict"
import { test } from "node:test"
import { toClipboard } from "../../src/commands/clipboard.ts"
import type { Cli } from "../../src/cli.ts"

/** A terminal far away, where no program of this machine reaches the clipboard. */
function remote(env: Readonly<Record<string, string>>, outIsTerminal = true) {
  const written: string[] = []
  const cli = {
    env: { SSH_CONNECTION: "10.0.0.1 50000 10.0.0.2 22", DISPLAY: ":0", ...env },
    platform: "linux",
    t: english,
    outIsTerminal,
    styled: (text: string) => void written.push(text),
  } satisfies Partial<Cli>
  return { cli: cli as Partial<Cli> as Cli, written }
}

test("over ssh the text is copied through the terminal (OSC 52)", async () => {
  const { cli, written } = remote({ TERM: "xterm-256color" })
  const copied = await toClipboard(cli, "工\u001b]0;evil\u0007")
  assert.deepEqual(copied, { ok: true, value: "Copied through the terminal." })
  const [text = ""] = written
  const [begin, end] = ["\u001b]52;c;", "\u0007"]
  assert.deepEqual([written.length, text.startsWith(begin), text.endsWith(end)], [1, true, true])
  const packed = text.slice(begin.length, -end.length)
  assert.ok(/^[A-Za-z0-9+/=]+$/.test(packed), "nothing in it can end the sequence")
  assert.equal(Buffer.from(packed, "base64").toString(), "工\u001b]0;evil\u0007")
})

test("a dumb terminal, a pipe and a text that is too long are errors, without a sequence", async () => {
  for (const [given, text] of [
    [remote({ TERM: "dumb" }), "x"],
    [remote({}), "x"],
    [remote({ TERM: "xterm" }, false), "x"],
    [remote({ TERM: "xterm" }), "x".repeat(60_000)],
  ] as const) {
    const copied = await toClipboard(given.cli, text)
    assert.ok(!copied.ok)
    assert.match(copied.error.lines.join("\n"), /\/export writes/)
    assert.deepEqual(given.written, [])
  }
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { type Input, keyDecoder } from "../../src/keys/keys.ts"

/** `ctrl+alt+x`, as docs write keys. */
function written(input: Input): string {
  if (input.kind !== "key")
    return input.kind === "focus" ? `focus ${input.on}` : `${input.kind} ${JSON.stringify(input.text)}`
  const { name, ctrl, alt, shift } = input.key
  return [...(ctrl ? ["ctrl"] : []), ...(alt ? ["alt"] : []), ...(shift ? ["shift"] : []), name].join("+")
}

function decoded(pieces: readonly string[]): readonly string[] {
  const decoder = keyDecoder()
  return [...pieces.flatMap((piece) => decoder.feed(piece)), ...decoder.flush()].map(written)
}

/** Sequences by the terminals that send them. */
const corpus: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "xterm, VTE, Alacritty, Windows Terminal": [
    ["\u001b[A", "up"],
    ["\u001bOA", "up"],
    ["\u001b[1;5C", "ctrl+right"],
    ["\u001b[1;3D", "alt+left"],
    ["\u001b[1;2H", "shift+home"],
    ["\u001b[3~", "delete"],
    ["\u001b[3;5~", "ctrl+delete"],
    ["\u001b[5~", "pageup"],
    ["\u001bOP", "f1"],
    ["\u001b[15~", "f5"],
    ["\u001b[24;2~", "shift+f12"],
    ["\u001b[Z", "shift+tab"],
    ["\u001bb", "alt+b"],
    ["\u001bB", "alt+shift+b"],
    ["\u001b\u007f", "alt+backspace"],
    ["\u001b\r", "alt+enter"],
    ["\r", "enter"],
    ["\n", "ctrl+j"],
    ["\t", "tab"],
    ["\u007f", "backspace"],
    ["\u0003", "ctrl+c"],
    ["\u001f", "ctrl+_"],
    ["\u0000", "ctrl+space"],
    ["\u001d", "ctrl+]"],
  ],
  "xterm with modifyOtherKeys": [
    ["\u001b[27;2;13~", "shift+enter"],
    ["\u001b[27;5;45~", "ctrl+-"],
    ["\u001b[27;6;80~", "ctrl+shift+p"],
  ],
  "kitty, foot, WezTerm, Ghostty": [
    ["\u001b[13;2u", "shift+enter"],
    ["\u001b[27u", "escape"],
    ["\u001b[97;5u", "ctrl+a"],
    ["\u001b[97:65;6u", "ctrl+shift+a"],
    ["\u001b[99;5:1u", "ctrl+c"],
    ["\u001b[127;3u", "alt+backspace"],
    ["\u001b[57419u", "up"],
    ["\u001b[1;1:1A", "up"],
    ["\u001b[20013u", "中"],
  ],
  rxvt: [
    ["\u001b[a", "shift+up"],
    ["\u001bOc", "ctrl+right"],
    ["\u001b[7~", "home"],
    ["\u001b[8~", "end"],
    ["\u001b[3^", "ctrl+delete"],
    ["\u001b\u001b[A", "alt+up"],
  ],
  "Linux console, screen, tmux": [
    ["\u001b[[A", "f1"],
    ["\u001b[1~", "home"],
    ["\u001b[4~", "end"],
  ],
  focus: [
    ["\u001b[I", "focus true"],
    ["\u001b[O", "focus false"],
  ],
  "answers of a terminal": [
    ["\u001b[?62;22c", 'reply "\\u001b[?62;22c"'],
    ["\u001b[?2026;2$y", 'reply "\\u001b[?2026;2$y"'],
    ["\u001b[24;80R", 'reply "\\u001b[24;80R"'],
    ["\u001b]11;rgb:0000/0000/0000\u001b\\", 'reply "\\u001b]11;rgb:0000/0000/0000\\u001b\\\\"'],
    ["\u001bP>|kitty(0.32)\u001b\\", 'reply "\\u001bP>|kitty(0.32)\\u001b\\\\"'],
    ["\u001b[?0u", 'reply "\\u001b[?0u"'],
  ],
  "text and pastes": [
    ["héllo", 'text "héllo"'],
    ["😀", "😀"],
    ["中文", 'text "中文"'],
    ["\u001b[200~a\r\nb\u001b[Ac\u001b[201~", 'paste "a\\nb[Ac"'],
    ["\u001b[200~\u001b[201~", 'paste ""'],
  ],
}

for (const [terminal, cases] of Object.entries(corpus))
  test(`keys of ${terminal}, whole and split at every byte`, () => {
    for (const [bytes, expected] of cases) {
      assert.deepEqual(decoded([bytes]), [expected], JSON.stringify(bytes))
      // Typed text that arrives in pieces is several keys.
      if (expected.startsWith("text")) continue
      for (let at = 1; at < bytes.length; at++)
        assert.deepEqual(decoded([bytes.slice(0, at), bytes.slice(at)]), [expected])
      assert.deepEqual(decoded(bytes.split("")), [expected])
    }
  })

test("the releases of keys, unknown sequences and private use keys are no input", () => {
  for (const bytes of ["\u001b[97;1:3u", "\u001b[57441u", "\u001b[99z", "\u001b[1;1:3A", "\u001bOz", "\u001b[<0;1;1"])
    assert.deepEqual(decoded([bytes]), [], JSON.stringify(bytes))
})

test("a lone Esc is a key after a pause, and Esc before other keys is its own", () => {
  const decoder = keyDecoder()
  assert.deepEqual(decoder.feed("\u001b"), [])
  assert.equal(decoder.isPending, true)
  assert.deepEqual(decoder.flush().map(written), ["escape"])
  assert.equal(decoder.isPending, false)
  assert.deepEqual(decoder.feed("x").map(written), ["x"])
  assert.deepEqual(decoded(["\u001b\u001b"]), ["escape", "escape"])
  assert.deepEqual(decoded(["\u001b\u001bx"]), ["escape", "alt+x"])
  assert.deepEqual(decoded(["\u001b["]), ["alt+["])
})

test("a paste that contains the beginning of its own end mark, in pieces of every size", () => {
  const text = `${"line\n".repeat(3)}\u001b[20`
  const bytes = `\u001b[200~${text}\u001b[201~x`
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    )
    assert.deepEqual(decoded(pieces), [`paste ${JSON.stringify(text.replace("\u001b", ""))}`, "x"])
  }
})

test("keys around a paste stay in order", () => {
  assert.deepEqual(decoded(["a\u001b[200~b\u001b[201~\r"]), ["a", 'paste "b"', "enter"])
})

test("the beginning of a sequence that none can have is left out, and what follows is typed", () => {
  assert.deepEqual(decoded(["\u001b[1é"]), ['text "1é"'])
  assert.deepEqual(decoded(["\u001b[", "\u0001"]), ["ctrl+a"])
  assert.deepEqual(decoded(["\u001b[中"]), ["中"])
})

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

test("a sequence above 4,096 characters is none, and what comes behind it is read again", () => {
  const string = (length: number) => `\u001b]${"x".repeat(length - 2)}`
  const decoder = keyDecoder()
  assert.deepEqual(decoder.feed(string(4_096)), [])
  assert.equal(decoder.isPending, true)
  assert.deepEqual(decoder.feed("y"), [])
  assert.equal(decoder.isPending, false)
  assert.deepEqual(decoder.feed("a").map(written), ["a"])
  const csi = (length: number) => `\u001b[${"1".repeat(length - 2)}`
  const params = keyDecoder()
  assert.deepEqual(params.feed(csi(4_096)), [])
  assert.equal(params.isPending, true)
  assert.equal(params.feed("1").map(written).join().startsWith("text"), true, "its parameters are text")
})

test("a paste is kept up to 16 MB, in any pieces, and its rest is dropped up to its end", () => {
  const decoder = keyDecoder()
  const piece = "x".repeat(8_388_608)
  decoder.feed("\u001b[200~")
  for (let count = 0; count < 3; count++) decoder.feed(piece)
  assert.equal(decoder.isPending, false, "a paste ends by its mark alone")
  assert.deepEqual(decoder.flush(), [])
  const [paste, next] = decoder.feed("\u001b[201~a")
  assert.equal(paste?.kind === "paste" && paste.text.length, 16_777_216)
  assert.equal(next && written(next), "a")
  assert.deepEqual(decoder.feed("\u001b[200~again\u001b[201~").map(written), ['paste "again"'])
})

test("a pause ends what is incomplete: several Esc, Alt with a character, Shift with a key of rxvt; other rests are dropped", () => {
  for (const [bytes, keys] of [
    ["\u001b", ["escape"]],
    ["\u001b\u001b", ["escape", "escape"]],
    ["\u001bO", ["alt+shift+o"]],
    ["\u001b[", ["alt+["]],
    ["\u001b]", ["alt+]"]],
    ["\u001bP", ["alt+shift+p"]],
    ["\u001b[3$", ["shift+delete"]],
    ["\u001b[99$", []],
    ["\u001b[1;", []],
    ["\u001b\u001b[", []],
    ["\u001b]11", []],
    ["\ud83d", []],
  ] as const) {
    const decoder = keyDecoder()
    assert.deepEqual(decoder.feed(bytes), [], JSON.stringify(bytes))
    assert.equal(decoder.isPending, true, JSON.stringify(bytes))
    assert.deepEqual(decoder.flush().map(written), keys, JSON.stringify(bytes))
    assert.equal(decoder.isPending, false)
    assert.deepEqual(decoder.flush(), [])
    assert.deepEqual(decoder.feed("a").map(written), ["a"])
  }
})

test("keys by their bytes, sequences and modifiers", () => {
  for (const [bytes, keys] of [
    ["\u0001", ["ctrl+a"]],
    ["\u001a", ["ctrl+z"]],
    ["\u001c", ["ctrl+\\"]],
    ["\u001e", ["ctrl+^"]],
    ["\b", ["backspace"]],
    ["ab\u0003c", ['text "ab"', "ctrl+c", "c"]],
    ["a\u007f", ["a", "backspace"]],
    ["\u001b\u0001", ["ctrl+alt+a"]],
    ["\u001b\u0000", ["ctrl+alt+space"]],
    ["\u001b中", ["alt+中"]],
    ["\u001b😀", ["alt+😀"]],
    ["\u001bÄ", ["alt+shift+ä"]],
    ["\u001bOM", ["shift+enter"]],
    ["\u001bOa", ["ctrl+up"]],
    ["\u001bOd", ["ctrl+left"]],
    ["\u001bOH", ["home"]],
    ["\u001bOF", ["end"]],
    ["\u001bOE", ["begin"]],
    ["\u001b\u001bOA", ["alt+up"]],
    ["\u001b\u001b[3~", ["alt+delete"]],
    ["\u001b\u001b\u001b[A", ["escape", "alt+up"]],
    ["\u001b\u001b[I", ["escape", "focus true"]],
    ["\u001b[d", ["shift+left"]],
    ["\u001b[[E", ["f5"]],
    ["\u001b[P", ["delete"]],
    ["\u001b[1;2P", ["shift+f1"]],
    ["\u001b[1;5R", ["ctrl+f3"]],
    ["\u001b[R", ["f3"]],
    ["\u001b[2;5R", ['reply "\\u001b[2;5R"']],
    ["\u001b[0n", ['reply "\\u001b[0n"']],
    ["\u001b[4;1;1t", ['reply "\\u001b[4;1;1t"']],
    ["\u001b[1c", ['reply "\\u001b[1c"']],
    ["\u001b[>1c", ['reply "\\u001b[>1c"']],
    ["\u001b[=1c", ['reply "\\u001b[=1c"']],
    ["\u001b_G1;OK\u001b\\", ['reply "\\u001b_G1;OK\\u001b\\\\"']],
    ["\u001b^a\u0007b", ['reply "\\u001b^a\\u0007"', "b"]],
    ["\u001bXa\u0007", ['reply "\\u001bXa\\u0007"']],
    ["\u001b[1I", []],
    ["\u001b[1O", []],
    ["\u001b[2@", ["ctrl+shift+insert"]],
    ["\u001b[2^", ["ctrl+insert"]],
    ["\u001b[2$x", []],
    ["\u001b[99~", []],
    ["\u001b[1;1A", ["up"]],
    ["\u001b[1;2A", ["shift+up"]],
    ["\u001b[1;4A", ["alt+shift+up"]],
    ["\u001b[1;8A", ["ctrl+alt+shift+up"]],
    ["\u001b[1;33A", ["alt+up"]],
    ["\u001b[1;9A", ["up"]],
    ["\u001b[1;0A", ["up"]],
    ["\u001b[1;5:2A", ["ctrl+up"]],
    ["\u001b[1;5:3A", []],
    ["\u001b[13u", ["enter"]],
    ["\u001b[9;2u", ["shift+tab"]],
    ["\u001b[32u", [" "]],
    ["\u001b[32;2u", [" "]],
    ["\u001b[32;5u", ["ctrl+space"]],
    ["\u001b[32;3u", ["alt+space"]],
    ["\u001b[97u", ["a"]],
    ["\u001b[97;2u", ["A"]],
    ["\u001b[97;3u", ["alt+a"]],
    ["\u001b[65;5u", ["ctrl+shift+a"]],
    ["\u001b[33;6u", ["ctrl+!"]],
    ["\u001b[63;2u", ["?"]],
    ["\u001b[45;6u", ["ctrl+shift+-"]],
    ["\u001b[0u", []],
    ["\u001b[1114111u", ["\u{10ffff}"]],
    ["\u001b[1114112u", []],
    ["\u001b[57343;5u", ["ctrl+\udfff"]],
    ["\u001b[57344u", []],
    ["\u001b[63743u", []],
    ["\u001b[63744u", ["\uf900"]],
    ["\u001b[57414u", ["enter"]],
    ["\u001b[27;5;9~", ["ctrl+tab"]],
    ["\u001b[97;5:3u", []],
  ] as const)
    assert.deepEqual(decoded([bytes]), keys, JSON.stringify(bytes))
})

test("a character in two pieces is one key, and text before it is not held back", () => {
  assert.deepEqual(decoded(["\ud83d", "\ude00"]), ["😀"])
  assert.deepEqual(decoded(["ab\ud83d", "\ude00"]), ['text "ab"', "😀"])
  assert.deepEqual(decoded(["a\ud83d\r"]).length, 2)
})

test("pasted text keeps tabs and line breaks, and no other control character", () => {
  const text = "a\tb\rc\r\nd\ne\u0000\u0008\u000b\u001f\u007f\u0080f"
  assert.deepEqual(decoded([`\u001b[200~${text}\u001b[201~`]), [`paste ${JSON.stringify("a\tb\nc\nd\ne\u0080f")}`])
})

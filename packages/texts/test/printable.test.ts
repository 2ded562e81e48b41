import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { printable, printableLine } from "../src/printable.ts"
import { createStyle } from "../src/style.ts"

const payloads: Readonly<Record<string, string>> = {
  "clipboard write (OSC 52)": "\x1b]52;c;ZXZpbA==\x07",
  "clipboard read (OSC 52)": "\x1b]52;c;?\x1b\\",
  "title (OSC 0)": "\x1b]0;owned\x07",
  "title (OSC 2)": "\x1b]2;owned\x1b\\",
  "title, unterminated": "\x1b]2;owned",
  "link with another address (OSC 8)": "\x1b]8;;http://evil.example\x07good\x1b]8;;\x07",
  "working folder (OSC 7)": "\x1b]7;file:///etc\x07",
  "notification (OSC 9)": "\x1b]9;hi\x07",
  "notification (OSC 777)": "\x1b]777;notify;a;b\x07",
  "file transfer (OSC 1337)": "\x1b]1337;File=name=YQ==:AA==\x07",
  "palette (OSC 4)": "\x1b]4;1;rgb:00/00/00\x07",
  "device control (DCS)": '\x1bP$q"p\x1b\\',
  "kitty graphics (APC)": "\x1b_Gf=24;AAAA\x1b\\",
  "privacy message (PM)": "\x1b^x\x1b\\",
  "start of string (SOS)": "\x1bXx\x1b\\",
  "full reset": "\x1bc",
  "cursor report (CSI 6n)": "\x1b[6n",
  "status report (CSI 5n)": "\x1b[5n",
  "device attributes (CSI c)": "\x1b[c",
  "alternate screen": "\x1b[?1049h",
  "hide the cursor": "\x1b[?25l",
  "mouse reports": "\x1b[?1003h",
  "bracketed paste off": "\x1b[?2004l",
  "clear the screen": "\x1b[2J",
  "cursor up": "\x1b[10A",
  "scroll region": "\x1b[1;2r",
  "colours that hide": "\x1b[30;40mrm -rf\x1b[0m",
  "insert mode": "\x1b[4h",
  "character set shift": "\x0e\x0f\x1b(0",
  "overprint with CR": "rm -rf /\rls      ",
  "overprint with BS": "rm\b\bls",
  "vertical tab, form feed": "a\vb\fc",
  bell: "\x07",
  "NUL and DEL": "a\0b\x7fc",
  "8-bit CSI": "\u009b2J",
  "8-bit OSC": "\u009d52;c;ZXZpbA==\u009c",
  "8-bit DCS, NEL, IND": "\u0090q\u0085\u0084",
  "bidi override": "user\u202etxt.exe\u202c",
  "bidi isolates": "a\u2066b\u2069\u2067c\u2069",
  "bidi marks": "\u200e\u200f\u061c",
  "zero width": "g\u200bo\u200cn\u200dg\u2060\ufeff",
  "invisible fillers": "\u3164\u115f\u1160\uffa0\u034f\u00ad",
  "tag characters": "\u{e0001}\u{e0041}\u{e007f}",
  "variation selectors of the supplement": "a\u{e0100}",
  "line and paragraph separators": "a\u2028b\u2029c",
  "joiners of hieroglyphs": "\u{13430}\u{1343f}",
  "halves of pairs": "\ud83d x \ude00",
  noncharacters: "\ufffe\uffff",
}

/** Whether text is safe for a terminal, checked by other means than the sink's. */
function harmless(text: string): boolean {
  return Array.from(text).every((character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === "\n" || character === "\t") return true
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false
    // Format characters with a visible shape: the number signs of Arabic, Syriac and Kaithi.
    if (/[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(character)) return true
    return /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Co}\p{Cn}]/u.test(character) && !(code >= 0xe0000 && code < 0xe1000)
  })
}

test(`${Object.keys(payloads).length} escape payloads reach the terminal only as visible text`, () => {
  for (const [name, payload] of Object.entries(payloads)) {
    const safe = printable(`before ${payload} after`)
    assert.ok(harmless(safe), `${name}: ${JSON.stringify(safe)}`)
    assert.ok(safe.startsWith("before ") && safe.endsWith(" after"), name)
    assert.notEqual(safe, `before ${payload} after`, `${name} is shown as it was`)
  }
})

test("a payload split anywhere over two writes stays harmless", () => {
  for (const [name, payload] of Object.entries(payloads)) {
    for (let cut = 0; cut <= payload.length; cut++) {
      assert.ok(harmless(printable(payload.slice(0, cut)) + printable(payload.slice(cut))), `${name} cut at ${cut}`)
    }
  }
})

test("any text is harmless afterwards, and sanitizing is idempotent", () => {
  const nasty = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...Object.values(payloads), "\r\n", "\ud800"))
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 5 }), (parts) => {
      const safe = printable(parts.join(""))
      const rest = safe.replaceAll(/(?<=\p{Extended_Pictographic})\u200d/gu, "")
      assert.ok(safe === printable(safe) && (harmless(rest) || /[\u200c\u200d]/.test(rest)), JSON.stringify(safe))
    }),
    { numRuns: 100 },
  )
})

test("ordinary text is returned unchanged, as the same string", () => {
  for (const text of [
    "plain\n\ttext",
    "工 会话，步骤。",
    "ñ é ü ß Ω я",
    "e\u0301 combining",
    "👍🏽 ❤️ 🇩🇪",
    "── │ └ … ● ✓",
    "עברית العربية",
    "\u00a0\u3000 wide blanks",
  ]) {
    assert.equal(printable(text), text)
  }
  for (const text of ["👩‍💻 family 👨‍👩‍👧", "🏳️‍🌈 flag", "می‌خواهم", "क्‍ष"]) {
    assert.equal(printable(text), text, "joiners that writing needs")
  }
})

test("control characters are shown as pictures, others as their code, CR LF as a newline", () => {
  assert.equal(printable("a\x1b[31mb\x7f\r\nc\rd"), "a␛[31mb␡\nc␍d")
  assert.equal(printable("x\u202ey\u{e0041}\ud800"), "x<U+202E>y<U+E0041>\ufffd")
  assert.equal(printableLine("a\nb\t\tc\x1b"), "a b c␛")
})

test("style sanitizes text before styling, and styles only for a terminal", () => {
  const style = createStyle({ terminal: true, env: {} })
  assert.equal(style.removed("a\x1b[0m"), "\x1b[31ma␛[0m\x1b[39m")
  assert.equal(style.muted(""), "")
  assert.equal(style.text("a\x1b"), "a␛")
  for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    assert.equal(createStyle({ terminal: true, env }).strong("a\x1b"), "a␛")
  }
  assert.equal(createStyle({ terminal: true, env: { NO_COLOR: "" } }).strong("a"), "\x1b[1ma\x1b[22m")
  assert.equal(
    createStyle({ terminal: false, env: {} }).removed("a\x1b"),
    "a\x1b",
    "into a pipe bytes stay as they are",
  )
})

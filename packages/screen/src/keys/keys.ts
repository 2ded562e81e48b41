import { controlNames, kittyNames, letters, numbers, padLetters } from "./key-names.ts"

/** A key with its modifiers; shift only where the terminal reports it beside a key that has no other character. */
export interface Key {
  /** `enter`, `up`, `f5`, or the character: `a`, `/`, `中`. */
  readonly name: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

export type Input =
  | { readonly kind: "key"; readonly key: Key }
  /** Text of several characters: typed by an input method, or by a terminal that does not mark pastes. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "focus"; readonly on: boolean }
  /** An answer of the terminal to a query, the whole sequence. */
  | { readonly kind: "reply"; readonly text: string }

export interface KeyDecoder {
  /** Takes input in pieces of any size. */
  feed(text: string): readonly Input[]
  /** No more input came for a while: an incomplete sequence is what it looks like, a lone Esc. */
  flush(): readonly Input[]
  /** Whether `flush` has something to do. */
  readonly isPending: boolean
}

const pasteStart = "\u001b[200~"
const pasteEnd = "\u001b[201~"
/** A sequence that is longer is none. */
const SEQUENCE_MAX = 4_096
const PASTE_MAX = 16_777_216

/**
 * Keys of terminals: legacy sequences, modifyOtherKeys of xterm and the keyboard protocol of kitty. Unknown sequences are left
 * out, so that none is typed into the input.
 */
export function keyDecoder(): KeyDecoder {
  let pending = ""
  /** The paste that is being received, in pieces. */
  let paste: string[] | null = null
  let pasted = 0

  function takePaste(text: string): string {
    const end = text.indexOf(pasteEnd)
    // The end mark may be cut.
    const whole = end >= 0 ? end : text.length - partialEnd(text)
    const piece = text.slice(0, whole)
    if (pasted < PASTE_MAX) paste?.push(piece)
    pasted += piece.length
    return text.slice(end >= 0 ? end : whole)
  }

  function feed(text: string): readonly Input[] {
    const found: Input[] = []
    let left = pending + text
    pending = ""
    while (left !== "") {
      if (paste !== null) {
        left = takePaste(left)
        if (!left.startsWith(pasteEnd)) break
        found.push({ kind: "paste", text: pastedText(paste.join("")) })
        paste = null
        left = left.slice(pasteEnd.length)
        continue
      }
      if (left.startsWith(pasteStart)) {
        paste = []
        pasted = 0
        left = left.slice(pasteStart.length)
        continue
      }
      const next = nextInput(left)
      if (next === null) break
      if (next.input !== null) found.push(next.input)
      left = left.slice(next.length)
    }
    pending = left
    return found
  }

  return {
    feed,
    flush() {
      const text = pending
      pending = ""
      if (text === "" || paste !== null) return []
      // rxvt: shift with a numbered key ends with an intermediate byte.
      // oxlint-disable-next-line no-control-regex
      const shifted = /^\u001b\[(\d+)\$$/.exec(text)?.[1]
      if (shifted !== undefined) return [withModifiers(numbers[shifted], "2")].filter((one) => one !== null)
      if (text.replaceAll("\u001b", "") === "") return Array.from(text, () => key("escape"))
      const [, second] = text
      // Esc and another key, typed quickly.
      if (text.length === 2 && second !== undefined)
        return [key(second.toLowerCase(), { alt: true, shift: second !== second.toLowerCase() })]
      return []
    },
    get isPending() {
      return pending !== "" && paste === null
    },
  }
}

/** Line breaks of other systems become `\n`; other control characters but tabs are left out. */
function pastedText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
}

function partialEnd(text: string): number {
  for (let length = pasteEnd.length - 1; length > 0; length--)
    if (text.endsWith(pasteEnd.slice(0, length))) return length
  return 0
}

interface Next {
  /** Null: nothing that anyone wants to know. */
  readonly input: Input | null
  readonly length: number
}

/** Null: incomplete. */
function nextInput(text: string): Next | null {
  const code = text.charCodeAt(0)
  if (code === 0x1b) return sequence(text)
  if (code < 0x20 || code === 0x7f) return { input: control(code), length: 1 }
  const end = text.search(controls)
  const plain = end < 0 ? text : text.slice(0, end)
  // A character may still be incomplete: its second half is in the next piece.
  const last = plain.charCodeAt(plain.length - 1)
  if (last >= 0xd800 && last <= 0xdbff && end < 0) return plain.length === 1 ? null : typed(plain.slice(0, -1))
  return typed(plain)
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/

function typed(text: string): Next {
  const [first = ""] = text
  if (text.length === first.length) return { input: key(text), length: text.length }
  return { input: { kind: "text", text }, length: text.length }
}

function key(name: string, modifiers: Partial<Omit<Key, "name">> = {}): Input & { readonly kind: "key" } {
  return { kind: "key", key: { name, ctrl: false, alt: false, shift: false, ...modifiers } }
}

function control(code: number): Input {
  const name = controlNames[code]
  // Ctrl+H and Backspace cannot be told apart everywhere; Ctrl+J is a key of its own, since Enter sends a carriage return.
  if (name !== undefined) return key(name)
  if (code === 0) return key("space", { ctrl: true })
  return key(String.fromCharCode(code + (code < 0x1b ? 0x60 : 0x40)), { ctrl: true })
}

function sequence(text: string): Next | null {
  if (text.length === 1) return null
  const second = text.charAt(1)
  if (second === "[") return csi(text)
  if (second === "O") return ss3(text)
  if (second === "]" || second === "P" || second === "_" || second === "^" || second === "X") return string(text)
  if (second === "\u001b") {
    // Alt with the sequence of a key; otherwise the first Esc is a key of its own.
    if (text.length === 2) return null
    const rest = /^[[O]/.test(text.slice(2)) ? sequence(text.slice(1)) : undefined
    if (rest === null) return null
    if (rest?.input?.kind !== "key") return { input: key("escape"), length: 1 }
    return { input: { kind: "key", key: { ...rest.input.key, alt: true } }, length: rest.length + 1 }
  }
  const [char = ""] = text.slice(1)
  const code = char.charCodeAt(0)
  const input =
    code < 0x20 || code === 0x7f ? control(code) : key(char.toLowerCase(), { shift: char !== char.toLowerCase() })
  return {
    input: input.kind === "key" ? { kind: "key", key: { ...input.key, alt: true } } : input,
    length: 1 + char.length,
  }
}

/** An operating system command or another string, up to its end mark: an answer of the terminal. */
function string(text: string): Next | null {
  // oxlint-disable-next-line no-control-regex
  const end = /\u0007|\u001b\\/.exec(text.slice(2))
  if (end === null) return text.length > SEQUENCE_MAX ? { input: null, length: text.length } : null
  const length = 2 + end.index + end[0].length
  return { input: { kind: "reply", text: text.slice(0, length) }, length }
}

function ss3(text: string): Next | null {
  if (text.length === 2) return null
  const letter = text.charAt(2)
  // konsole: the keypad is not in its own mode, so this is not its Enter.
  if (letter === "M") return { input: key("enter", { shift: true }), length: 3 }
  const name = letters[letter] ?? padLetters[letter]
  const isControl = /[a-d]/.test(letter)
  return { input: name === undefined ? null : key(name, { ctrl: isControl }), length: 3 }
}

// Parameters, intermediates, and the final byte (ECMA-48).
// oxlint-disable-next-line no-control-regex
const whole = /^\u001b\[(\[[A-E]|[0-?]*[ -/]*(?!\[)[@-~])/

function csi(text: string): Next | null {
  const found = whole.exec(text)
  if (found === null) {
    // A byte that cannot belong to a sequence ends it.
    // oxlint-disable-next-line no-control-regex
    const isPartial = /^\u001b\[[0-?]*[ -/]*\[?$/.test(text) && text.length <= SEQUENCE_MAX
    return isPartial ? null : { input: null, length: 2 }
  }
  const [all, body = ""] = found
  const final = body.at(-1) ?? ""
  const params = body.slice(0, -1)
  // The console of Linux sends F1 to F5 as CSI [ A.
  if (body.startsWith("[")) return { input: key(`f${final.charCodeAt(0) - 0x40}`), length: all.length }
  return { input: inputOf(params, final, all), length: all.length }
}

function inputOf(params: string, final: string, all: string): Input | null {
  if (/^[?>=<]/.test(params)) return { kind: "reply", text: all }
  if (final === "I" && params === "") return { kind: "focus", on: true }
  if (final === "O" && params === "") return { kind: "focus", on: false }
  const [first = "", second = "", third = ""] = params.split(";")
  if (final === "u") return kitty(first, second)
  if (final === "~" && first === "27") return kitty(third, second)
  if (final === "~") return withModifiers(numbers[first], second)
  if (final === "Z") return key("tab", { shift: true })
  // A position of the cursor looks like F3 with modifiers; the row of a caret is never 1.
  if (final === "R" && first !== "1" && first !== "") return { kind: "reply", text: all }
  if (final === "n" || final === "t" || final === "c" || final === "y") return { kind: "reply", text: all }
  const rxvt = /^[a-d]$/.test(final) ? padLetters[final] : undefined
  if (rxvt !== undefined) return key(rxvt, { shift: true })
  // rxvt marks modifiers of numbered keys by the final character.
  if (final === "$" || final === "^" || final === "@")
    return withModifiers(numbers[first], { $: "2", "^": "5", "@": "6" }[final])
  // st; F1 of others is SS3 P.
  if (final === "P" && params === "") return key("delete")
  return withModifiers(letters[final], second)
}

function withModifiers(name: string | undefined, modifiers: string): Input | null {
  if (name === undefined) return null
  const mask = modifierMask(modifiers)
  return mask === null ? null : key(name, mask)
}

/** Null: the release of a key. `1:3`: modifiers, kind of event. */
function modifierMask(text: string): Omit<Key, "name"> | null {
  const [mask = "", event = "1"] = text.split(":")
  if (event === "3") return null
  const bits = Math.max(0, (Number(mask) || 1) - 1)
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0 || (bits & 32) !== 0, ctrl: (bits & 4) !== 0 }
}

const shiftedSymbols = '~!@#$%^&*()_+{}|:"<>?'

/** `code`: the code point, perhaps with alternatives behind a colon. */
function kitty(code: string, modifiers: string): Input | null {
  const point = Number(code.split(":", 1)[0])
  const mask = modifierMask(modifiers)
  if (mask === null || !(point > 0 && point <= 0x10_ffff)) return null
  const name = kittyNames[point]
  if (name === "space" && !mask.ctrl && !mask.alt) return key(" ")
  if (name !== undefined) return key(name, mask)
  // Functional keys have code points in the private use area.
  if (point >= 0xe000 && point <= 0xf8ff) return null
  const char = String.fromCodePoint(point)
  if (mask.shift && !mask.ctrl && !mask.alt) return key(char.toUpperCase())
  // xterm and mlterm report the character that shift gives, with shift.
  if (shiftedSymbols.includes(char)) return key(char, { ...mask, shift: false })
  return key(char.toLowerCase(), { ...mask, shift: mask.shift || char !== char.toLowerCase() })
}

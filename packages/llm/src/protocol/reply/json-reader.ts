import { maxJsonDepth } from "@gong/spec"

type Container = Record<string, unknown> | unknown[]

/** The expected next token. */
type Want = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma" | "end" | "error"

/** The token being read; `null` between tokens. */
type Token = "text" | "key" | "word" | null

/**
 * `closed`: one complete value. `complete`: brackets are open, but the last token completes a value. `open`: inside a string
 * or number, or before a value.
 */
export type ReaderState = "empty" | "open" | "complete" | "closed" | "error"

/**
 * Incremental JSON parser whose value grows in place. It tolerates common errors of models without guessing. A class, since its
 * nine variables form one state machine.
 */
export class JsonReader {
  /** Undefined before the first value. */
  value: unknown
  /** Whether the input contained tolerated errors. */
  tolerated = false
  #stack: Container[] = []
  #want: Want = "value"
  #token: Token = null
  #text = ""
  /** A partial escape sequence from earlier input, including its backslash. */
  #escape = ""
  #key = ""
  /** Whether the token being read is already the last element of the open array. */
  #placed = false

  feed(piece: string): void {
    for (let i = 0; i < piece.length && this.#want !== "error";) {
      if (this.#token === null) i = this.#between(piece, i)
      else if (this.#token === "word") i = this.#inWord(piece, i)
      else i = this.#inText(piece, i)
    }
    // A partial string or number is visible before it ends.
    if (this.#token === "text") this.#put(this.#text)
    else if (this.#token === "word") this.#putWord(false)
  }

  state(): ReaderState {
    const want = this.#want
    if (want === "error") return "error"
    const inside = this.#stack.length > 0
    if (this.#token === "word" && !inside) return this.#putWord(true) ? "closed" : "open"
    if (this.#token !== null) return "open"
    if (want === "value" && !inside) return "empty"
    if (want === "end") return "closed"
    return want === "comma" || want === "key-or-end" || want === "value-or-end" ? "complete" : "open"
  }

  #between(piece: string, i: number): number {
    const c = piece[i] as string
    const want = this.#want
    if (c === " " || c === "\n" || c === "\r" || c === "\t") return i + 1
    const wantsValue = want === "value" || want === "value-or-end"
    const wantsKey = want === "key" || want === "key-or-end"
    if (c === '"' && (wantsValue || wantsKey)) this.#beginToken(wantsKey ? "key" : "text")
    else if ((c === "{" || c === "[") && wantsValue && this.#stack.length < maxJsonDepth)
      this.#enter(c === "{" ? {} : [])
    else if ((c === "}" || c === "]") && this.#mayClose(c)) this.#leave()
    else if (c === ":" && want === "colon") this.#want = "value"
    else if (c === "," && want === "comma") this.#want = Array.isArray(this.#stack.at(-1)) ? "value" : "key"
    else if (wantsValue && wordStart.test(c)) {
      this.#beginToken("word")
      return i
    } else this.#want = "error"
    return i + 1
  }

  #beginToken(token: Token): void {
    this.#token = token
    this.#text = ""
    this.#placed = false
  }

  #mayClose(c: string): boolean {
    const top = this.#stack.at(-1)
    const want = this.#want
    if (top === undefined || Array.isArray(top) !== (c === "]")) return false
    if (want === "comma" || want === "key-or-end" || want === "value-or-end") return true
    const trailingComma = want === "key" || (want === "value" && Array.isArray(top))
    if (trailingComma) this.tolerated = true
    return trailingComma
  }

  /** An array element is added at its beginning and then grows, so nothing is added twice. */
  #enter(container: Container): void {
    this.#placed = false
    this.#put(container)
    this.#stack.push(container)
    this.#want = Array.isArray(container) ? "value-or-end" : "key-or-end"
  }

  #leave(): void {
    this.#stack.pop()
    this.#want = this.#stack.length === 0 ? "end" : "comma"
  }

  #put(value: unknown): void {
    const top = this.#stack.at(-1)
    if (top === undefined) this.value = value
    else if (!Array.isArray(top)) setKey(top, this.#key, value)
    else if (this.#placed) top[top.length - 1] = value
    else top.push(value)
    this.#placed = true
  }

  #inText(piece: string, from: number): number {
    if (this.#escape !== "") return this.#inEscape(piece, from)
    let i = from
    for (; i < piece.length; i++) {
      const c = piece.charCodeAt(i)
      if (c === quote || c === backslash) break
      if (c < 0x20) this.tolerated = true
    }
    this.#text += piece.slice(from, i)
    if (i === piece.length) return i
    if (piece.charCodeAt(i) === backslash) this.#escape = "\\"
    else this.#endText()
    return i + 1
  }

  #endText(): void {
    if (this.#token === "key") {
      this.#key = this.#text
      this.#token = null
      this.#want = "colon"
      return
    }
    this.#put(this.#text)
    this.#endValue()
  }

  #endValue(): void {
    this.#token = null
    this.#want = this.#stack.length === 0 ? "end" : "comma"
  }

  #inEscape(piece: string, i: number): number {
    const escape = this.#escape + (piece[i] as string)
    const plain = escapes[escape]
    this.#escape = ""
    if (plain !== undefined) this.#text += plain
    else if (!unicodeStart.test(escape)) this.#want = "error"
    else if (escape.length < 6) this.#escape = escape
    else this.#text += String.fromCharCode(Number.parseInt(escape.slice(2), 16))
    return i + 1
  }

  #inWord(piece: string, from: number): number {
    let i = from
    while (i < piece.length && wordPart.test(piece[i] as string)) i++
    this.#text += piece.slice(from, i)
    if (i === piece.length) return i
    if (this.#putWord(true)) this.#endValue()
    else this.#want = "error"
    return i
  }

  /** A number or literal; of a partial one the valid beginning. */
  #putWord(ended: boolean): boolean {
    const text = this.#text
    const value = text in literals ? literals[text] : numberOf(ended ? text : text.replace(/[-+.eE]+$/, ""))
    if (value === undefined) return false
    this.#put(value)
    return true
  }
}

const quote = 0x22
const backslash = 0x5c
const wordStart = /[-0-9tfn]/
const wordPart = /[-+.0-9a-zA-Z]/
const unicodeStart = /^\\u[0-9a-fA-F]{0,4}$/
const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/
const literals: Readonly<Record<string, unknown>> = Object.assign(Object.create(null), {
  true: true,
  false: false,
  null: null,
})
const escapes: Readonly<Record<string, string>> = {
  '\\"': '"',
  "\\\\": "\\",
  "\\/": "/",
  "\\b": "\b",
  "\\f": "\f",
  "\\n": "\n",
  "\\r": "\r",
  "\\t": "\t",
}

function numberOf(text: string): number | undefined {
  return numberForm.test(text) ? Number(text) : undefined
}

/** A key named `__proto__` becomes an ordinary key, as in JSON.parse. */
function setKey(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

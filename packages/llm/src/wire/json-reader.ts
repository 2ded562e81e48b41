/** Reads JSON that comes in pieces into one value that grows in place. Tolerates what models get wrong without guessing. */
export interface JsonReader {
  feed(piece: string): void
  /** Undefined until the first value begins. */
  value(): unknown
  /**
   * `closed`: one whole value. `complete`: brackets are open, but the last thing read is a whole value. `open`: inside
   * a string or number, or where a value must follow.
   */
  state(): "empty" | "open" | "complete" | "closed" | "error"
  /** Whether something was read that JSON does not allow. */
  tolerated(): boolean
}

type Container = Record<string, unknown> | unknown[]

/** What may come next. */
type Want = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma" | "end" | "error"

/** Inside which token we are; `null` between tokens. */
type Token = "text" | "key" | "word" | null

export function createReader(): JsonReader {
  const stack: Container[] = []
  let root: unknown
  let want: Want = "value"
  let token: Token = null
  let text = ""
  /** An escape that began in an earlier piece, from its backslash on. */
  let escape = ""
  let key = ""
  let began = false
  let tolerated = false

  function feed(piece: string): void {
    for (let i = 0; i < piece.length && want !== "error";) {
      if (token === null) i = between(piece, i)
      else if (token === "word") i = inWord(piece, i)
      else i = inText(piece, i)
    }
    // What a string or number holds so far is visible before it ends.
    if (token === "text") put(text)
    else if (token === "word") putWord(false)
  }

  function between(piece: string, i: number): number {
    const c = piece[i] as string
    if (c === " " || c === "\n" || c === "\r" || c === "\t") return i + 1
    began = true
    const wantsValue = want === "value" || want === "value-or-end"
    const wantsKey = want === "key" || want === "key-or-end"
    if (c === '"' && (wantsValue || wantsKey)) {
      token = wantsKey ? "key" : "text"
      text = ""
    } else if ((c === "{" || c === "[") && wantsValue) enter(c === "{" ? {} : [])
    else if ((c === "}" || c === "]") && mayClose(c)) leave()
    else if (c === ":" && want === "colon") want = "value"
    else if (c === "," && want === "comma") want = Array.isArray(stack.at(-1)) ? "value" : "key"
    else if (wantsValue && wordStart.test(c)) {
      token = "word"
      text = ""
      return i
    } else want = "error"
    return i + 1
  }

  function mayClose(c: string): boolean {
    const top = stack.at(-1)
    if (top === undefined || Array.isArray(top) !== (c === "]")) return false
    if (want === "comma" || want === "key-or-end" || want === "value-or-end") return true
    const trailingComma = want === "key" || (want === "value" && Array.isArray(top))
    if (trailingComma) tolerated = true
    return trailingComma
  }

  function enter(container: Container): void {
    // An array's element is added where it begins and then grows; nothing is added twice.
    begin(container)
    stack.push(container)
    want = Array.isArray(container) ? "value-or-end" : "key-or-end"
  }

  function leave(): void {
    stack.pop()
    want = stack.length === 0 ? "end" : "comma"
  }

  /** Set while the last element of the open array is the token being read. */
  let placed = false

  function begin(value: unknown): void {
    placed = false
    put(value)
    placed = false
  }

  function put(value: unknown): void {
    const top = stack.at(-1)
    if (top === undefined) root = value
    else if (!Array.isArray(top)) setKey(top, key, value)
    else if (placed) top[top.length - 1] = value
    else top.push(value)
    placed = true
  }

  function endToken(): void {
    token = null
    placed = false
    want = stack.length === 0 ? "end" : "comma"
  }

  function inText(piece: string, from: number): number {
    if (escape !== "") return inEscape(piece, from)
    let i = from
    while (i < piece.length) {
      const c = piece.charCodeAt(i)
      if (c === quote || c === backslash) break
      if (c < 0x20) tolerated = true
      i++
    }
    text += piece.slice(from, i)
    if (i === piece.length) return i
    if (piece.charCodeAt(i) === backslash) {
      escape = "\\"
      return i + 1
    }
    if (token === "key") {
      key = text
      token = null
      want = "colon"
    } else {
      put(text)
      endToken()
    }
    return i + 1
  }

  function inEscape(piece: string, i: number): number {
    escape += piece[i]
    const plain = escapes[escape]
    if (plain !== undefined) text += plain
    else if (!unicodeStart.test(escape)) want = "error"
    else if (escape.length < 6) return i + 1
    else text += String.fromCharCode(Number.parseInt(escape.slice(2), 16))
    escape = ""
    return i + 1
  }

  function inWord(piece: string, from: number): number {
    let i = from
    while (i < piece.length && wordPart.test(piece[i] as string)) i++
    text += piece.slice(from, i)
    if (i < piece.length) {
      if (putWord(true)) endToken()
      else want = "error"
    }
    return i
  }

  /** A number or literal; an unfinished one is shown as far as it makes sense. */
  function putWord(ended: boolean): boolean {
    const value = text in literals ? literals[text] : numberOf(ended ? text : text.replace(/[-+.eE]+$/, ""))
    if (value === undefined) return false
    put(value)
    return true
  }

  function state(): ReturnType<JsonReader["state"]> {
    if (want === "error") return "error"
    if (!began) return "empty"
    if (token === "word" && stack.length === 0) return putWord(true) ? "closed" : "open"
    if (token !== null) return "open"
    if (want === "end") return "closed"
    return want === "comma" || want === "key-or-end" || want === "value-or-end" ? "complete" : "open"
  }

  return { feed, value: () => root, state, tolerated: () => tolerated }
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

/** A key named `__proto__` becomes a key, as in JSON.parse, and never a prototype. */
function setKey(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

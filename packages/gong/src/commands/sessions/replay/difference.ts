import { isRecord, maxWrappedDepth, parseJson, type Text } from "@gong/spec"
import { hiddenByte } from "@gong/app/record/lines"

/** The first difference of two values. */
export interface Difference {
  /** `messages[3].content[0].text`; empty for the values themselves. */
  readonly path: string
  readonly recorded: Text
  readonly replayed: Text
}

/** Characters shown before and after the first difference. */
const contextLength = 60

/** The first difference in the order of the recorded value; null for none. */
export function firstDifference(recorded: unknown, replayed: unknown, path = ""): Difference | null {
  if (Object.is(recorded, replayed)) return null
  if (typeof recorded === "string" && typeof replayed === "string") return textDifference(recorded, replayed, path)
  if (Array.isArray(recorded) && Array.isArray(replayed)) {
    const count = Math.max(recorded.length, replayed.length)
    for (let at = 0; at < count; at++) {
      const found = firstDifference(recorded[at], replayed[at], `${path}[${at}]`)
      if (found) return found
    }
    return null
  }
  if (isRecord(recorded) && isRecord(replayed)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const found = firstDifference(recorded[key], replayed[key], path === "" ? key : `${path}.${key}`)
      if (found) return found
    }
    return null
  }
  return { path, recorded: shown(recorded), replayed: shown(replayed) }
}

function textDifference(recorded: string, replayed: string, path: string): Difference | null {
  let at = 0
  while (at < recorded.length && at < replayed.length && recorded[at] === replayed[at]) at += 1
  const from = Math.max(0, at - contextLength)
  const cut = (text: string): string => {
    const part = text.slice(from, at + contextLength)
    return `${from > 0 ? "..." : ""}${part}${at + contextLength < text.length ? "..." : ""}`
  }
  return { path, recorded: JSON.stringify(cut(recorded)), replayed: JSON.stringify(cut(replayed)) }
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length <= 2 * contextLength ? text : `${text.slice(0, 2 * contextLength)}...`
}

/** The first difference of two bodies; null if they are equal byte by byte. Redacted bytes of the recording match any byte. */
export function bodyDifference(recorded: Uint8Array, replayed: Uint8Array): Difference | null {
  if (sameBytes(recorded, replayed)) return null
  const texts = [recorded, replayed].map((bytes) => Buffer.from(bytes).toString().replaceAll(hidden, "*")) as [
    string,
    string,
  ]
  const values = texts.map((text) => parseJson(text, maxWrappedDepth))
  const found = values.includes(undefined) ? null : firstDifference(values[0], values[1])
  // Equal JSON in another form is a difference too.
  return found ?? textDifference(texts[0], texts[1], "")
}

const hidden = String.fromCharCode(hiddenByte)

function sameBytes(recorded: Uint8Array, replayed: Uint8Array): boolean {
  if (recorded.length !== replayed.length) return false
  if (Buffer.compare(recorded, replayed) === 0) return true
  return recorded.every((byte, at) => byte === replayed[at] || byte === hiddenByte)
}

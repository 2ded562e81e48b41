import { parseJson } from "@gong/spec"
import { JsonReader } from "./json-reader.ts"

export interface Parsed {
  /** `partial`: cut off or in need of repair, `value` holds what can be read. `error`: not JSON, `value` holds what came before. */
  readonly status: "ok" | "partial" | "error"
  /** A live object while it accumulates: it grows in place. `{}` before anything came. */
  readonly value: unknown
}

/** Reads JSON that may be cut off anywhere. Never throws. */
export function parse(text: string): Parsed {
  const whole = parseWhole(text)
  if (whole !== undefined) return { status: "ok", value: whole }
  return accumulator().add(text)
}

export interface Accumulator {
  /** Adds a piece and reads only that piece. */
  add(piece: string): Parsed
}

/** Reads JSON piece by piece, in time linear in the text. */
export function accumulator(): Accumulator {
  const reader = new JsonReader()
  return {
    add(piece) {
      reader.feed(piece)
      const { value } = reader
      return { status: statusOf(reader), value: value === undefined ? {} : value }
    },
  }
}

function statusOf(reader: JsonReader): Parsed["status"] {
  if (reader.state() === "error") return "error"
  return reader.state() === "empty" || (reader.state() === "closed" && !reader.tolerated) ? "ok" : "partial"
}

export type FinalArguments =
  | { readonly ok: true; readonly value: Record<string, unknown>; readonly repaired: boolean }
  | { readonly ok: false }

/**
 * The arguments of a call that has ended. Text that is not JSON is repaired once where nothing has to be guessed: raw
 * control characters, a comma too many, closing brackets missing after a complete value. A text or number that was cut
 * is never completed: half a command is another command.
 */
export function finalArguments(text: string): FinalArguments {
  const whole = parseWhole(text)
  if (whole !== undefined) return asObject(whole, false)
  const reader = new JsonReader()
  reader.feed(text)
  const closable = reader.state() === "closed" || reader.state() === "complete"
  return closable ? asObject(reader.value, true) : { ok: false }
}

/** Whether the text is JSON as it stands, with nothing missing. */
export function isComplete(text: string): boolean {
  return text.trim() !== "" && parseWhole(text) !== undefined
}

/** Empty text counts as an empty object: a call without arguments. */
function parseWhole(text: string): unknown {
  return text.trim() === "" ? {} : parseJson(text)
}

function asObject(value: unknown, repaired: boolean): FinalArguments {
  const object = typeof value === "object" && value !== null && !Array.isArray(value)
  return object ? { ok: true, value: value as Record<string, unknown>, repaired } : { ok: false }
}

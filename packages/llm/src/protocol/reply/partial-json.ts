import { parseJson } from "@gong/spec"
import { JsonReader } from "./json-reader.ts"

export interface Parsed {
  /** `partial`: truncated or repaired, `value` holds the readable part. `error`: invalid, `value` holds the part before the error. */
  readonly status: "ok" | "partial" | "error"
  /** Grows in place during accumulation. `{}` before any input. */
  readonly value: unknown
}

/** Parses JSON that may be truncated anywhere. Never throws. */
export function parse(text: string): Parsed {
  const whole = parseWhole(text)
  if (whole !== undefined) return { status: "ok", value: whole }
  return accumulator().add(text)
}

export interface Accumulator {
  /** Parses the next piece; costs only its length. */
  add(piece: string): Parsed
}

/** Incremental JSON parser, linear in the length of the text. */
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
 * The final arguments of a call. Invalid JSON is repaired once, without guessing: raw control characters, a trailing comma,
 * missing closing brackets after a complete value. A truncated string or number is never completed: half a command is
 * another command.
 */
export function finalArguments(text: string): FinalArguments {
  const whole = parseWhole(text)
  if (whole !== undefined) return asObject(whole, false)
  const reader = new JsonReader()
  reader.feed(text)
  const closable = reader.state() === "closed" || reader.state() === "complete"
  return closable ? asObject(reader.value, true) : { ok: false }
}

/** Whether the text is complete, valid JSON. */
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

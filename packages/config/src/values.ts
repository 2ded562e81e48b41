import { phrase, type Text } from "@gong/spec"
import { alternatives } from "./usage.ts"

export type ValueRead =
  | { readonly ok: true; readonly value: string | number }
  /** `wants` completes the sentence "--flag wants ...". */
  | { readonly ok: false; readonly wants: Text }

/**
 * `text` must not be empty, `prose` may; `whole` is at least 1; `money` is US dollars above 0; `duration` becomes milliseconds;
 * `pair` is `key=value`; `variable` is the name of an environment variable.
 */
export type ValueKind = "switch" | "text" | "prose" | "choice" | "whole" | "money" | "duration" | "pair" | "variable"

export interface ValueType {
  readonly kind: ValueKind
  readonly choices?: readonly string[]
  /** Display form of the value in help and error messages. */
  readonly value?: string
}

/** Parses a value that is given as text: numbers as numbers, durations in milliseconds. */
export function readValue(flag: ValueType, text: string): ValueRead {
  switch (flag.kind) {
    case "choice":
      return choice(flag.choices ?? [], text)
    case "whole":
      return /^[1-9]\d{0,11}$/.test(text)
        ? { ok: true, value: Number(text) }
        : { ok: false, wants: phrase`a whole number from 1` }
    case "money":
      return /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0
        ? { ok: true, value: Number(text) }
        : { ok: false, wants: phrase`US dollars above 0, such as 0.50` }
    case "duration":
      return duration(text)
    case "pair":
      return /^[^=]+=/.test(text) ? { ok: true, value: text } : { ok: false, wants: "KEY=VALUE" }
    case "variable":
      return /^[A-Za-z_]\w*$/.test(text)
        ? { ok: true, value: text }
        : { ok: false, wants: phrase`the name of an environment variable` }
    case "text":
      return text === ""
        ? { ok: false, wants: phrase`${flag.value ?? "a value"}, which may not be empty` }
        : { ok: true, value: text }
    case "prose":
    case "switch":
      return { ok: true, value: text }
  }
}

export function choice(choices: readonly string[], text: string): ValueRead {
  return choices.includes(text) ? { ok: true, value: text } : { ok: false, wants: alternatives(choices) }
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** `90s`, `15m`, `1.5h` in milliseconds; at most 30 days, below the limit of timers. */
export function duration(text: string): ValueRead {
  const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(s|m|h)$/.exec(text) ?? []
  const ms = Math.round(Number(amount) * (unitMs[unit ?? ""] ?? 0))
  return ms > 0 && ms <= 2_592_000_000 && ms < 2 ** 31
    ? { ok: true, value: ms }
    : { ok: false, wants: phrase`a time such as 90s, 15m or 2h` }
}

import type { Ids } from "@gong/spec"
import { createRng } from "./rng.ts"

const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

/** Deterministic ids by seed; `now` (milliseconds since the epoch) is part of tape ids. */
export function seededIds(seed: number, now: () => number = () => 0): Ids {
  const rng = createRng(seed)
  const digits = (count: number, alphabet: string): string => {
    let text = ""
    for (let at = 0; at < count; at++) text += alphabet[rng.int(alphabet.length)]
    return text
  }
  const hex = (count: number) => digits(count, "0123456789abcdef")
  return {
    entry: () => digits(12, crockford),
    tape() {
      const time = now().toString(16).padStart(12, "0")
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${digits(1, "89ab")}${hex(3)}-${hex(12)}`
    },
  }
}

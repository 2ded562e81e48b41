/** A deterministic random number generator. */
export interface Rng {
  /** 0 up to but not including 1. */
  next(): number
  /** A whole number from 0 up to but not including `below`. */
  int(below: number): number
  /** True with the probability `share`. */
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
}

export function createRng(seed: number): Rng {
  let state = seed >>> 0
  // mulberry32: 32 bits of state suffice for tests, and it has ten lines in any language.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number) => Math.floor(next() * below)
  return { next, int, chance: (share) => next() < share, pick: (list) => list[int(list.length)] ?? list[0] }
}

/** The median. */
export function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}

export interface Beside {
  readonly floor: number
  readonly ours: number
  /** The median of the difference in each round: a temporary slowdown of the machine affects both. */
  readonly more: number
}

/** Runs both alternately, each equally often first; `before` runs before each and is not measured. Medians in milliseconds. */
export async function beside(
  rounds: number,
  floor: () => unknown,
  ours: () => unknown,
  before?: () => Promise<unknown>,
): Promise<Beside> {
  const works = [floor, ours]
  const times: [number[], number[]] = [[], []]
  for (let round = -2; round < rounds; round++)
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      await before?.()
      const started = performance.now()
      await works[at]?.()
      if (round >= 0) times[at]?.push(performance.now() - started)
    }
  const [bare, own] = times
  return { floor: middle(bare), ours: middle(own), more: middle(own.map((time, round) => time - (bare[round] ?? 0))) }
}

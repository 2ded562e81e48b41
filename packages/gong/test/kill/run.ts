import { openPlace, type Place } from "./place.ts"
import { named, type Point, pointsOf, tryPoint } from "./point.ts"
import { scenarios } from "./scenarios.ts"

export interface Tally {
  /** Points that there are. */
  readonly all: number
  readonly tried: number
  readonly failed: readonly string[]
}

export interface KillOptions {
  /** How many points are tried, spread over all of them by the seed; all when it is left out. */
  readonly count?: number
  readonly seed?: number
  readonly only?: string
  /** Programs that run side by side. */
  readonly workers: number
  progress?(line: string): void
}

/** Tries the points of every scenario. */
export async function killAll({ count, seed = 1, only, workers, progress }: KillOptions): Promise<Tally> {
  let [all, tried] = [0, 0]
  const failed: string[] = []
  const wanted = scenarios.filter(({ name }) => only === undefined || name === only)
  for (const scenario of wanted) {
    const places = await Promise.all(Array.from({ length: workers }, () => openPlace(scenario)))
    try {
      const [first] = places
      if (first === undefined) continue
      const points = await pointsOf(first)
      const some = count === undefined ? [...points] : sample(points, Math.ceil(count / wanted.length), seed)
      all += points.length
      tried += some.length
      const before = failed.length
      await Promise.all(places.map((place) => work(place, some, failed)))
      progress?.(`${scenario.name}: ${points.length} points, ${failed.length - before} failed`)
    } finally {
      await Promise.all(places.map((place) => place.close()))
    }
  }
  return { all, tried, failed }
}

async function work(place: Place, points: Point[], failed: string[]): Promise<void> {
  for (let point = points.pop(); point !== undefined; point = points.pop()) {
    const problem = await tryPoint(place, point)
    if (problem !== null) failed.push(`${named(point)}: ${problem}`)
  }
}

/** So many of them, the same for the same seed (mulberry32, Fisher-Yates). */
function sample<T>(items: readonly T[], count: number, seed: number): T[] {
  let state = seed
  const dice = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const left = [...items]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(dice(left.length), 1)).flat()
}

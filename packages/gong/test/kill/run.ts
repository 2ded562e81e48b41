import { createRng } from "@gong/testing/sim/rng"
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
  /** Each names one point; null: all points are tried. */
  readonly seeds: readonly number[] | null
  readonly only?: string
  /** Programs that run side by side. */
  readonly workers: number
  progress?(line: string): void
}

/** Tries the points of every scenario. */
export async function killAll({ seeds, only, workers, progress }: KillOptions): Promise<Tally> {
  let [all, tried] = [0, 0]
  const failed: string[] = []
  if (seeds?.length === 0) return { all, tried, failed }
  const wanted = scenarios.filter(({ name }) => only === undefined || name === only)
  for (const [at, scenario] of wanted.entries()) {
    const places = await Promise.all(Array.from({ length: workers }, () => openPlace(scenario)))
    try {
      const [first] = places
      if (first === undefined) continue
      const points = await pointsOf(first)
      const some = seeds === null ? [...points] : pointsOfSeeds(seeds, points, at, wanted.length)
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

/** The point of each seed that falls to this scenario: the same as long as the program makes the same calls. */
function pointsOfSeeds(seeds: readonly number[], points: readonly Point[], at: number, scenarios: number): Point[] {
  const own = seeds.filter((seed) => seed % scenarios === at)
  return own.flatMap((seed) => points[createRng(seed).int(points.length)] ?? [])
}

import { addCounts, type Counts, noCounts, rareStates } from "./counts.ts"
import type { Outcome } from "./simulate.ts"

/** The totals of many worlds. */
export interface Share {
  readonly worlds: number
  readonly failures: readonly { readonly seed: number; readonly violation: string }[]
  readonly did: Outcome["did"]
  readonly counts: Counts
}

/** Worlds that do not hold, after which it is enough. */
const maxFailures = 10

/** Simulates them one after the other. The code is loaded here: a bug may have been planted in it. */
export async function runShare(seeds: readonly number[], most = maxFailures): Promise<Share> {
  const { simulate } = await import("./simulate.ts")
  const shares: Share[] = []
  let failed = 0
  for (const seed of seeds) {
    const { violation, did, counts } = await simulate(seed)
    if (violation !== null) failed += 1
    shares.push({ worlds: 1, failures: violation === null ? [] : [{ seed, violation }], did, counts })
    if (failed >= most) break
    if (shares.length >= 100) shares.splice(0, shares.length, addShares(shares))
  }
  return addShares(shares)
}

export function addShares(shares: readonly Share[]): Share {
  const counts = noCounts()
  const did = { requests: 0, steps: 0, processes: 0, effects: 0, ms: 0 }
  for (const share of shares) {
    addCounts(counts, share.counts)
    for (const name of Object.keys(did) as (keyof typeof did)[]) did[name] += share.did[name]
  }
  const worlds = shares.reduce((sum, share) => sum + share.worlds, 0)
  return { worlds, failures: shares.flatMap(({ failures }) => failures), did, counts }
}

export function wordsOf({ worlds, did, counts }: Omit<Share, "failures">, ms: number): string {
  const { processes, requests, steps, effects } = did
  const speed = Math.round((worlds / ms) * 1000)
  const hours = (did.ms / 3_600_000).toFixed(1)
  return [
    `${worlds} worlds in ${(ms / 1000).toFixed(1)} s (${speed} a second), ${hours} simulated hours`,
    `${processes} processes, ${requests} requests, ${steps} steps, ${effects} effects`,
    ...rareStates.map((name) => `${String(counts[name]).padStart(8)}  ${name}`),
  ].join("\n")
}

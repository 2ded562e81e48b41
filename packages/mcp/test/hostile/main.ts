// `npm run test:mcp -- hostile [WORDS]`: each attack against the guard, and without it. Exit status 1 where the guard lets one
// through, or where one does not succeed without the guard.
import { type Attack, guarded, type Measured, unguarded } from "./run-attack.ts"

const { attacks }: { attacks: Readonly<Record<string, Attack>> } = await import(
  new URL("attacks.mjs", import.meta.url).href
)
const wanted = process.argv.slice(2).join(" ")
const names = Object.keys(attacks).filter((name) => name.includes(wanted))
const maxBlocked = 100
const maxMemory = 50_000_000

/** One measurement; where it is over a bound, the medians of five, since other programs share the processor. */
async function measuredOf(name: string, attack: Attack): Promise<Measured> {
  const first = await guarded(name, attack)
  if (first.blocked <= maxBlocked && first.memory <= maxMemory) return first
  const runs = [first]
  while (runs.length < 5) runs.push(await guarded(name, attack))
  const median = (of: (run: Measured) => number): number => runs.map(of).toSorted((a, b) => a - b)[2] ?? 0
  const worst = runs.find(({ view }) => attack.through(view)) ?? first
  return { view: worst.view, blocked: median((run) => run.blocked), memory: median((run) => run.memory) }
}

let failures = 0
// The library is loaded before the first measurement.
await unguarded("name: empty", attacks["name: empty"] as Attack)
for (const name of names) {
  const attack = attacks[name] as Attack
  const { view, blocked, memory } = await measuredOf(name, attack)
  const problems = [
    ...(attack.through(view) ? ["the guard lets it through"] : []),
    ...(blocked > maxBlocked ? [`the event loop was blocked for ${blocked.toFixed(0)} ms`] : []),
    ...(memory > maxMemory ? [`${(memory / 1e6).toFixed(0)} MB more`] : []),
  ]
  if (attack.control === undefined && attack.rejects !== true) {
    const raw = await unguarded(name, attack)
    if (!(attack.raw ?? attack.through)(raw))
      problems.push(`it does not succeed without the guard either (${raw.text.slice(0, 100)})`)
  }
  failures += problems.length > 0 ? 1 : 0
  const bounds = attack.control === undefined ? "" : ` (bounds alone: ${attack.control})`
  process.stdout.write(
    `${problems.length === 0 ? "ok  " : "FAIL"} ${name}: ${blocked.toFixed(0)} ms, ${(memory / 1e6).toFixed(1)} MB${bounds}${problems.map((one) => `\n     ${one}`).join("")}\n`,
  )
}
process.stdout.write(`${names.length} attacks, ${failures} failed\n`)
process.exitCode = failures === 0 ? 0 : 1

import { seedOptions } from "@gong/testing/seeds"
import { makeHistory, wrongIn } from "./run.ts"

/** npm run histories -- [--from SEED] [--count N | --failed] [--rounds N] [--processes N]: a history for each seed; status 1 when the checker finds anything. */
const { seeds, values } = seedOptions({
  name: "histories",
  count: 10,
  more: { rounds: { type: "string", default: "100" }, processes: { type: "string", default: "8" } },
})
const [processes, rounds] = [Number(values.processes), Number(values.rounds)]
for (const seed of seeds) {
  const began = performance.now()
  const history = await makeHistory({ processes, rounds, seed })
  const wrong = wrongIn(history)
  for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
  const promised = history.acknowledged.reduce((sum, { length }) => sum + length, 0)
  const did = `${promised} entries promised, ${history.refused} refused, ${history.forked} forks, ${history.killed} killed`
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`seed ${seed}: ${processes} processes x ${rounds} rounds in ${seconds} s: ${did}; ${wrong.length} wrong`)
  if (wrong.length > 0) process.exitCode = 1
}

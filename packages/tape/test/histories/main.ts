import { parseArgs } from "node:util"
import { makeHistory, wrongIn } from "./run.ts"

/** npm run histories -- [--rounds N] [--processes N] [--seed S]: ends with status 1 when the checker finds anything. */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    processes: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
  },
})
const [processes, rounds, seed] = [Number(values.processes), Number(values.rounds), Number(values.seed)]
const began = performance.now()
const history = await makeHistory({ processes, rounds, seed })
const wrong = wrongIn(history)
for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
const promised = history.acknowledged.reduce((sum, { length }) => sum + length, 0)
const did = `${promised} entries promised, ${history.refused} refused, ${history.forked} forks, ${history.killed} killed`
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${processes} processes x ${rounds} rounds in ${seconds} s: ${did}; ${wrong.length} wrong`)
if (wrong.length > 0) process.exitCode = 1

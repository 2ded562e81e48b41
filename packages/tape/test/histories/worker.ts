/** node worker.ts TAPE WORKER LIFE ROUNDS SEED: one of many processes on one tape; prints its guaranteed entries on stdout. */
import { existsSync, writeSync } from "node:fs"
import type { Clock, Ids } from "@gong/spec"
import { killSelf } from "@gong/testing/processes"
import { createTape } from "../../src/index.ts"
import { discardFork, forkTape, nodeDisk, nodeMachine, openStore, type StorePorts } from "../../src/store/file.ts"
import { diceOf } from "./dice.ts"

const [path = "", worker = "", life = "", rounds = "0", seed = "0"] = process.argv.slice(2)

let made = 0
const ids: Ids = {
  entry: () => `${worker}${life.padStart(4, "0")}${(made++).toString(36).padStart(7, "0")}`,
  tape: () => `fork-${worker}-${life}-${made++}`,
}

const clock: Clock = {
  now: () => Date.now(),
  sleep: () => Promise.reject(new Error("nothing here sleeps")),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

const ports: StorePorts = { disk: nodeDisk(), clock, ids, machine: nodeMachine() }
const dice = diceOf(Number(seed))

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)

for (let round = 0; round < Number(rounds); round++) {
  const store = openStore(ports, { path })
  if (store.readOnly === null) write(round)
  else {
    store.close()
    say({ refused: round })
    if (dice(4) === 0) fork(round)
  }

  /** The lock is held: entries appended now are guaranteed. */
  function write(round: number): void {
    const tape = createTape(store, ports)
    const data = { worker, life, round }
    if (dice(8) === 0) tape.handoff("next")
    for (let n = dice(3); n >= 0; n--) {
      const entries = tape.append([{ type: "custom", customType: "history", data }], { sync: true })
      say({ appended: entries.map(({ id }) => id), round })
    }
    // Some die while they hold the lock.
    if (dice(25) === 0) killSelf()
    tape.close()
  }
}

/** A concurrent writer: a fork has all entries of this moment, and is not affected later. */
function fork(round: number): void {
  const made = forkTape(ports, { path })
  const tape = createTape(openStore(ports, { path: made }), ports)
  const before = tape.branch.length
  const [entry] = tape.append([{ type: "custom", customType: "fork", data: { worker, round } }], { sync: true })
  tape.close()
  const again = openStore(ports, { path: made, readOnly: true })
  const heads = again.heads()
  if (again.damage.length > 0 || heads.length !== before + 1 || heads.at(-1)?.id !== entry?.id) {
    say({ broken: `fork ${made}: ${heads.length} entries after ${before}, ${JSON.stringify(again.damage)}` })
  }
  again.close()
  discardFork(ports, made)
  if (existsSync(made)) say({ broken: `fork ${made} is still there` })
  say({ forked: round })
}

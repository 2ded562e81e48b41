import { parentPort, workerData } from "node:worker_threads"
import { type Failure, FailureError } from "@gong/spec"
import type { Disk } from "../../store/disk/disk.ts"
import { nodeDisk } from "../../store/disk/node.ts"
import { nodeMachine } from "../../store/lock/machine.ts"
import { readsHere } from "../reads.ts"
import type { Answer, Request, ThreadContext } from "./protocol.ts"

/** The thread that reads sessions for the whole process: one request at a time, each opens and closes the index. */
const progress = new Int32Array(workerData as SharedArrayBuffer)
const disk = counted(nodeDisk(), () => void Atomics.add(progress, 0, 1))
const machine = nodeMachine()
const clock = { now: () => Date.now(), sleep: refuse, timer: refuse }
const ids = { entry: refuse, tape: refuse }
let last = Promise.resolve()

parentPort?.on("message", (request: Request) => {
  last = last.then(async () => parentPort?.postMessage(await answerTo(request)))
})

async function answerTo({ id, context, verb, values }: Request): Promise<Answer> {
  try {
    const read = readsIn(context)[verb] as (...given: readonly unknown[]) => Promise<unknown>
    return { id, value: await read(...values) }
  } catch (error) {
    if (error instanceof FailureError) return { id, failure: plain(error.failure) }
    return { id, broken: (error instanceof Error && error.stack) || String(error) }
  }
}

function readsIn(context: ThreadContext) {
  return readsHere({ ...context, ports: { disk, clock, ids, machine }, spillFolder: null })
}

/** A cause that is no error may not be cloneable. */
function plain({ cause, ...failure }: Failure): Failure {
  return cause instanceof Error ? { ...failure, cause } : failure
}

/** Counts the disk calls that reads repeat, so that a long read differs from a hung one. */
function counted(disk: Disk, count: () => void): Disk {
  const counting =
    <A extends readonly unknown[], R>(call: (...given: A) => R) =>
    (...given: A): R => {
      count()
      return call(...given)
    }
  return { ...disk, stat: counting(disk.stat), list: counting(disk.list), read: counting(disk.read) }
}

function refuse(): never {
  throw new Error("Broken promise inside Gong: a thread that reads sessions makes none and waits for nothing")
}

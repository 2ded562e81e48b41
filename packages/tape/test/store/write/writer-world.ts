import { type DiskFault, memoryDisk } from "../../../src/store/file.ts"
import { readWhole } from "../../../src/store/disk/disk.ts"
import { phaseNamed } from "../../../src/store/layout.ts"
import { type WriterOptions, writerOf } from "../../../src/store/write/writer.ts"

export const [one, two] = [phaseNamed("/t", 1, "one"), phaseNamed("/t", 2, "two")]
export const bytes = (text: string): Uint8Array => Buffer.from(text)

/** A writer, and the calls that it has made on the disk since they were last asked for. */
export function recorded(more: Partial<WriterOptions> = {}) {
  const calls: string[] = []
  const faults = new Map<string, DiskFault>()
  const pool: PromiseWithResolvers<void>[] = []
  const disk = memoryDisk({
    fault({ name, path }) {
      const call = `${name} ${path.replace("/t/anchors/", "")}`
      if (!/^(?:stat|fstat|read|list)$/.test(name)) calls.push(call.replace("/entries.jsonl", "/e"))
      return faults.get(name) ?? null
    },
    pool() {
      const one = Promise.withResolvers<void>()
      pool.push(one)
      return one.promise
    },
  })
  disk.mkdir("/t/anchors")
  function* ancestorSyncs() {
    yield { folder: "/t" }
  }
  const writer = writerOf(disk, { tape: "/t", last: null, ancestorSyncs, syncMode: "at-once", ...more })
  const taken = (): readonly string[] => calls.splice(0)
  taken()
  const text = (phase = one): string => Buffer.from(readWhole(disk, phase.file) ?? []).toString()
  /** Ends all syncs in the pool, including those that start meanwhile. */
  async function ended(): Promise<void> {
    for (let rounds = 0; rounds < 10; rounds++) {
      for (const one of pool.splice(0)) one.resolve()
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }
  return { disk, writer, taken, faults, text, ended, pool }
}

export const leads = ["syncFolder 001_one", "syncFolder /t"]
export const open = "open 001_one/e"
export const [write, sync, close] = ["write 001_one/e", "sync 001_one/e", "close 001_one/e"]
const beside = ["mkdir .tmp-002_two", "open .tmp-002_two/e", "write .tmp-002_two/e", "sync .tmp-002_two/e"]
export const placed = [
  ...beside,
  "close .tmp-002_two/e",
  "syncFolder .tmp-002_two",
  "rename .tmp-002_two",
  "syncFolder /t/anchors",
]

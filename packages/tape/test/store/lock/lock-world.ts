import assert from "node:assert/strict"
import { type Disk, type DiskCall, type DiskFault, memoryDisk } from "../../../src/store/file.ts"
import { type Lock, type LockHolder, takeLock } from "../../../src/store/lock/lock.ts"
import { putFile, testClock, testIds, testMachine } from "../../world.ts"

export const path = "/s/lock"
export const start = Date.UTC(2025, 0, 1)

/** A folder for a lock, and the calls on its disk. */
export function world(fault: (call: DiskCall) => DiskFault | null = () => null) {
  const clock = testClock()
  const calls: string[] = []
  let opened = 0
  const memory = memoryDisk({
    now: () => clock.now(),
    fault(call) {
      calls.push(`${call.name} ${call.path}`)
      return fault(call)
    },
  })
  const disk: Disk = {
    ...memory,
    open(file, mode) {
      const number = memory.open(file, mode)
      opened += 1
      return number
    },
    close(file) {
      memory.close(file)
      opened -= 1
    },
  }
  disk.mkdir("/s")
  const ports = { disk, clock, ids: testIds(), machine: testMachine() }
  const count = (name: string): number => calls.filter((call) => call.startsWith(`${name} `)).length
  return { ports, clock, disk, count, openFiles: () => opened }
}

type Ports = ReturnType<typeof world>["ports"]

export function taken(ports: Ports): Lock {
  const lock = takeLock(ports, path)
  assert.ok(!("holder" in lock))
  return lock
}

export const holder: LockHolder = {
  pid: 7,
  host: "here",
  startTime: "boot/ns/7",
  nonce: "n",
  since: start,
  beat: start,
}
export const put = ({ disk }: Ports, value: unknown): void => putFile(disk, path, Buffer.from(JSON.stringify(value)))
export const unknown = { pid: 0, host: "", startTime: "", nonce: "", since: start, beat: start }

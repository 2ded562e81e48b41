import type { Clock, Host, Transport } from "@gong/spec"
import type { Disk } from "@gong/tape/file"
import { sleepOn } from "@gong/testing/sim/clock"

/** One process of Gong. All it reaches passes through here, so that it can end at any point and never act again. */
export interface SimProcess {
  readonly alive: boolean
  /** Timers that wait. */
  readonly timers: number
  readonly clock: Clock
  /** Ends it, as `kill -9` does: what it waits for never comes. */
  kill(): void
  disk(disk: Disk): Disk
  host(host: Host): Host
  transport(transport: Transport): Transport
}

export function simProcess(base: Clock): SimProcess {
  let alive = true
  const cancels = new Set<() => void>()
  const timer: Clock["timer"] = (ms, callback) => {
    if (!alive) return () => {}
    const stop = base.timer(ms, () => {
      cancels.delete(stop)
      callback()
    })
    cancels.add(stop)
    return () => {
      cancels.delete(stop)
      stop()
    }
  }
  /** The call as long as the process lives; after that it is as if it were never made. */
  const sync =
    <A extends readonly unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      if (!alive) throw Object.assign(new Error("EKILLED: the process is gone"), { code: "EKILLED" })
      return call(...args)
    }
  const async =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (!alive) return never()
      const result = await call(...args)
      return alive ? result : never()
    }
  return {
    get alive() {
      return alive
    },
    get timers() {
      return cancels.size
    },
    clock: { now: () => base.now(), timer, sleep: (ms, signal) => sleepOn(timer, ms, signal) },
    kill() {
      alive = false
      for (const stop of cancels) stop()
      cancels.clear()
    },
    disk: (disk) => ({
      inMemory: true,
      open: sync(disk.open),
      write: sync(disk.write),
      read: sync(disk.read),
      sync: sync(disk.sync),
      beginSync: sync(disk.beginSync),
      fstat: sync(disk.fstat),
      close: sync(disk.close),
      stat: sync(disk.stat),
      list: sync(disk.list),
      mkdir: sync(disk.mkdir),
      syncFolder: sync(disk.syncFolder),
      rename: sync(disk.rename),
      unlink: sync(disk.unlink),
      link: sync(disk.link),
      rmdir: sync(disk.rmdir),
    }),
    host: (host) => ({
      ...host,
      stat: async(host.stat),
      realpath: async(host.realpath),
      readRange: async(host.readRange),
      access: async(host.access),
      readdir: async(host.readdir),
      mkdir: async(host.mkdir),
      replaceFile: async(host.replaceFile),
      remove: async(host.remove),
      exec: async(host.exec),
    }),
    transport: (transport) => ({ send: async(transport.send) }),
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}

import type { Clock, Host, Transport, TransportResponse } from "@gong/spec"
import type { Disk } from "@gong/tape/file"
import { sleepOn } from "@gong/testing/sim/clock"
import { gateOf } from "./process-gate.ts"

/** One process of Gong. All its effects pass through here, so that it can end or pause at any point. */
export interface SimProcess {
  readonly pid: number
  /** The machine it runs on. */
  readonly machine: string
  readonly alive: boolean
  readonly frozen: boolean
  /** Milliseconds, all in all, up to now. */
  readonly stoodStill: number
  /** Its open resources: all must be released. */
  readonly holds: {
    readonly timers: number
    readonly files: number
    readonly replies: number
    readonly commands: number
  }
  readonly clock: Clock
  /** Ends it like `kill -9`: pending work never completes. */
  kill(): void
  /** The process is paused: events for it wait until it is `thawed`. */
  freeze(): void
  thaw(): void
  disk(disk: Disk): Disk
  host(host: Host): Host
  transport(transport: Transport): Transport
}

export interface ProcessOptions {
  readonly pid?: number
  readonly machine?: string
  /** It is about to call the disk. */
  calls?(process: SimProcess): void
}

export function simProcess(base: Clock, { pid = 1, machine = "here", calls }: ProcessOptions = {}): SimProcess {
  const gate = gateOf()
  const cancels = new Set<() => void>()
  const files = new Set<number>()
  let stoodStill = 0
  const holds = { replies: 0, commands: 0 }
  const timer: Clock["timer"] = (ms, callback) => {
    if (!gate.alive) return () => {}
    let gone = false
    const stop = base.timer(ms, () =>
      gate.when(() => {
        cancels.delete(cancel)
        if (!gone) callback()
      }),
    )
    const cancel = (): void => {
      gone = true
      cancels.delete(cancel)
      stop()
    }
    cancels.add(cancel)
    return cancel
  }
  const counted =
    <A extends readonly unknown[], R>(what: keyof typeof holds, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      holds[what] += 1
      try {
        return await call(...args)
      } finally {
        holds[what] -= 1
      }
    }
  const process: SimProcess = {
    pid,
    machine,
    get alive() {
      return gate.alive
    },
    get frozen() {
      return gate.frozen
    },
    get holds() {
      return { timers: cancels.size, files: files.size, ...holds }
    },
    clock: { now: () => base.now(), timer, sleep: (ms, signal) => sleepOn(timer, ms, signal) },
    kill() {
      gate.close()
      for (const stop of cancels) stop()
      cancels.clear()
    },
    get stoodStill() {
      return stoodStill
    },
    freeze() {
      stoodStill -= base.now()
      gate.freeze()
    },
    thaw() {
      stoodStill += base.now()
      gate.thaw()
    },
    disk: (disk) => diskOf(disk, { files, gate, calls: () => calls?.(process) }),
    host: (host) => ({
      ...host,
      stat: gate.async(host.stat),
      realpath: gate.async(host.realpath),
      readRange: gate.async(host.readRange),
      access: gate.async(host.access),
      readdir: gate.async(host.readdir),
      mkdir: gate.async(host.mkdir),
      replaceFile: gate.async((path, content, { announce, ...options } = {}) =>
        host.replaceFile(path, content, announce ? { ...options, announce: gate.async(announce) } : options),
      ),
      remove: gate.async(host.remove),
      exec: counted("commands", gate.async(host.exec)),
    }),
    transport: (transport) => ({
      send: gate.async(async (request) => {
        const response = await transport.send(request)
        return { ...response, body: bodyOf(response) }
      }),
    }),
  }

  async function* bodyOf({ body }: TransportResponse): TransportResponse["body"] & AsyncGenerator<Uint8Array> {
    holds.replies += 1
    try {
      for await (const bytes of body) {
        await gate.open()
        yield bytes
      }
    } finally {
      holds.replies -= 1
      // Its end and its failure wait as well.
      await gate.open()
    }
  }
  return process
}

interface DiskParts {
  readonly files: Set<number>
  readonly gate: ReturnType<typeof gateOf>
  calls(): void
}

function diskOf(disk: Disk, { files, gate, calls }: DiskParts): Disk {
  const sync = <A extends readonly unknown[], R>(call: (...args: A) => R) =>
    gate.sync((...args: A): R => {
      calls()
      return call(...args)
    })
  const begin = sync(disk.syncInPool)
  const pooled = gate.async(async (target: number | string) => begin(target))
  const open = sync(disk.open)
  const close = sync(disk.close)
  return {
    inMemory: true,
    open(path, mode) {
      const file = open(path, mode)
      files.add(file)
      return file
    },
    close(file) {
      files.delete(file)
      close(file)
    },
    write: sync(disk.write),
    truncate: sync(disk.truncate),
    read: sync(disk.read),
    sync: sync(disk.sync),
    beginSync: sync(disk.beginSync),
    syncInPool: pooled,
    fstat: sync(disk.fstat),
    stat: sync(disk.stat),
    list: sync(disk.list),
    mkdir: sync(disk.mkdir),
    syncFolder: sync(disk.syncFolder),
    rename: sync(disk.rename),
    unlink: sync(disk.unlink),
    link: sync(disk.link),
    rmdir: sync(disk.rmdir),
  }
}

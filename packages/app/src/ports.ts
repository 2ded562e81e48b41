import { closeSync, openSync, readSync } from "node:fs"
import type { Clock, Ids } from "@gong/spec"

/** The system clock. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, ms)
      if (signal?.aborted) stop()
      else signal?.addEventListener("abort", stop, { once: true })
    })
  },
}

/** Seconds of work after which the event loop runs. */
const slice = 0.01
let slices = Promise.resolve()
let sliceEnd = 0

/**
 * Resolves when the caller may do a short piece of blocking work. Callers proceed in order, and the event loop runs after
 * each 10 ms of such work, so that ending a thousand sessions does not block the others.
 */
export function nextSlice(): Promise<void> {
  slices = slices.then(async () => {
    if (process.uptime() < sliceEnd) return
    await new Promise((resolve) => setImmediate(resolve))
    sliceEnd = process.uptime() + slice
  })
  return slices
}

/** Aborts after a time limit in milliseconds. */
export function signalAfter(ms: number): AbortSignal {
  const stop = new AbortController()
  systemClock.timer(ms, () => stop.abort(new Error(`No end after ${ms} ms`)))
  return stop.signal
}

const base32 = "0123456789abcdefghjkmnpqrstvwxyz"

/** Random ids from the system's generator, drawn many at a time. */
export function systemIds(clock: Clock): Ids {
  const pool = new Uint8Array(3_072)
  let at = pool.length
  const bytes = (count: number): Uint8Array => {
    if (at + count > pool.length) {
      fillRandom(pool)
      at = 0
    }
    at += count
    return pool.subarray(at - count, at)
  }
  return {
    entry() {
      let id = ""
      for (const byte of bytes(12)) id += base32[byte & 31]
      return id
    },
    tape: () => uuid7(clock.now(), bytes(10)),
  }
}

/** From 0 up to but not including 1. */
export function systemRandom(): number {
  const drawn = new Uint32Array(1)
  fillRandom(new Uint8Array(drawn.buffer))
  return (drawn[0] ?? 0) / 2 ** 32
}

/**
 * From the system's generator. Read as a file where possible, since ids are needed at start-up and node:crypto is slow to
 * load.
 */
function fillRandom(bytes: Uint8Array): void {
  try {
    const file = openSync("/dev/urandom", "r")
    const read = readSync(file, bytes, 0, bytes.length, null)
    closeSync(file)
    if (read === bytes.length) return
  } catch {
    // The file does not exist on every system.
  }
  process.getBuiltinModule("node:crypto").randomFillSync(bytes)
}

/** RFC 9562, section 5.7: 48 bits of milliseconds, then version, variant and 74 random bits. */
function uuid7(now: number, random: Uint8Array): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")
  const [a = 0, b = 0, c = 0, d = 0, ...rest] = random
  const time = hex(now, 12)
  const tail = rest.map((byte) => hex(byte, 2)).join("")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(((a & 15) << 8) | b, 3)}-${hex((((c & 63) | 128) << 8) | d, 4)}-${tail}`
}

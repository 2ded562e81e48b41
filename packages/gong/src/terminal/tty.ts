import { writeSync } from "node:fs"
import type { ReadStream, WriteStream } from "node:tty"
import type { Clock } from "@gong/spec"
import type { Size } from "@gong/screen/frame"
import { type Input, keyDecoder } from "@gong/screen/keys"
import { terminalModes } from "./modes.ts"
import { rawMark } from "./raw-mark.ts"
import { createRestorer } from "./restorer.ts"

/** The terminal as a device: raw keys in, bytes out, and its modes as they were when it is closed. */
export interface Tty {
  readonly size: Size
  write(bytes: string): void
  /** Shows the alternate screen, which has no scrollback, or the normal one as it was. */
  showAlternate(isShown: boolean): void
  /** Sets the title of the window; the earlier one is restored. */
  setTitle(title: string): void
  /** Bytes that the terminal has not taken yet. */
  readonly unsent: number
  /** Restores the modes, stops the process group, and sets them again when it continues. */
  suspend(): void
  /** Restores the modes while another program uses the terminal. */
  lend<T>(work: () => Promise<T>): Promise<T>
  /** Restores the modes; further input is ignored. */
  close(): void
}

export interface TtyEvents {
  input(input: Input): void
  /** The size has changed. */
  readonly resized: () => void
  /** The process was stopped; the screen shows something else. */
  continued(): void
}

export interface TtyDeps {
  readonly clock: Clock
  /** The variable PATH, for `stty`. */
  readonly path: string
  openStdin(): NodeJS.ReadableStream
  openStdout(): NodeJS.WritableStream
  /** Calls back when the process exits, whatever the cause. Returns a function that removes the callback. */
  onExit(callback: () => void): () => void
  /** Stops the process group; calls back when it continues. */
  stopProcess(onContinue: () => void): void
}

/** Milliseconds after which Esc is a key and not the beginning of a sequence. */
const ESCAPE_MS = 50
/** The first input within these milliseconds was typed before the start: the session is being opened, so it is read late. */
const TYPED_BEFORE_MS = 1_000
/** The longest timer of Node. */
const STOPPED_MAX_MS = 2 ** 31 - 1
/** `marks`: the folder with marks of terminals in raw mode. */
export function openTty(deps: TtyDeps, events: TtyEvents, marks: string): Tty {
  const input = deps.openStdin() as ReadStream
  const output = deps.openStdout() as WriteStream
  const mark = rawMark(marks)
  const restorer = createRestorer(deps)
  let isOpen = false
  let isClosed = false
  const modes = terminalModes((bytes) => void output.write(bytes))
  const keys = keyReader(deps.clock, (one) => isOpen && events.input(one))

  function open(): void {
    isOpen = true
    mark.set()
    input.setEncoding("utf8")
    input.setRawMode(true)
    input.on("data", keys.take)
    input.resume()
    output.on("resize", events.resized)
    output.write(modes.on)
    restorer.tell(true)
  }

  /** Synchronous: it must be complete before the process ends. */
  function restore(): void {
    if (!isOpen) return
    isOpen = false
    keys.cancel()
    input.off("data", keys.take)
    output.off("resize", events.resized)
    try {
      input.setRawMode(false)
      writeAll(modes.off())
      mark.remove()
      restorer.tell(false)
    } catch {
      // The terminal is gone.
    }
    input.pause()
  }

  open()
  const removeExit = deps.onExit(restore)
  return {
    // Some terminals report 0.
    get size() {
      return { columns: output.columns || 80, rows: output.rows || 24 }
    },
    write: (bytes) => void output.write(bytes),
    setTitle: modes.setTitle,
    showAlternate: modes.showAlternate,
    get unsent() {
      return output.writableLength
    },
    suspend() {
      restore()
      // With the input closed nothing else keeps the process alive until it hears of the continuation.
      const stopped = new AbortController()
      deps.clock.sleep(STOPPED_MAX_MS, stopped.signal).catch(() => undefined)
      deps.stopProcess(() => {
        stopped.abort()
        open()
        events.continued()
      })
    },
    async lend(work) {
      restore()
      try {
        return await work()
      } finally {
        if (!isClosed) open()
      }
    },
    close() {
      isClosed = true
      restore()
      restorer.dismiss()
      removeExit()
    },
  }
}

/** Decodes what the terminal sends. */
function keyReader(clock: Clock, take: (input: Input) => void) {
  const decoder = keyDecoder()
  const openedAt = clock.now()
  let isFirst = true
  let cancel = (): void => undefined
  return {
    take(text: string): void {
      cancel()
      // Before the raw mode the terminal has made line feeds of Enter.
      const typedBefore = isFirst && clock.now() - openedAt < TYPED_BEFORE_MS
      isFirst = false
      decoder.feed(typedBefore ? text.replaceAll("\n", "\r") : text).forEach(take)
      if (decoder.isPending) cancel = clock.timer(ESCAPE_MS, () => decoder.flush().forEach(take))
    },
    cancel: () => cancel(),
  }
}

/** A terminal that is busy takes a part at a time. */
function writeAll(text: string): void {
  let bytes = new TextEncoder().encode(text)
  for (let attempt = 0; bytes.length > 0 && attempt < 100; attempt++) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
    }
  }
}

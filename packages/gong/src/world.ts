import { fstatSync, writeSync } from "node:fs"
import { isFile, writeToFile } from "@gong/app/compose/output/file-out"
import type { Ending } from "./command-line/exit.ts"
import { stdinKind, type StdinKind } from "./command-line/stdin.ts"
import { codeOf, isFull } from "@gong/config/usage"
import { processEnvironment } from "@gong/app/process-services"
import type { Services } from "@gong/app/services"
import type { Surface } from "./modes/surface.ts"
import { printable } from "@gong/texts/printable"
import { createStyle, type Style } from "@gong/texts/style"
import type { Language } from "@gong/texts/language"
import { english, type Translate, translator } from "@gong/texts/translator"

/** What a person sees. */
export interface Terminal extends Surface {
  openStdout(): NodeJS.WritableStream
  /** Dressed text for stdout, as `style` made it. */
  styled(text: string): void
  readonly style: Style
  /** Of the terminal behind stderr; 80 where there is none. */
  readonly columns: number
}

/** What a command line has beside it: arguments, stdin, signals, an end. */
export interface Process {
  readonly argv: readonly string[]
  readonly stdin: StdinKind
  openStdin(): AsyncIterable<Uint8Array> & NodeJS.ReadableStream
  /** Programs read English, whatever the locale. */
  keepEnglish(): void
  /** What is ending the process from outside; null while nothing is. */
  readonly ending: Ending | null
  /** Calls back when something from outside is to end the process, each time it does (within half a second: once). */
  onEnding(callback: (ending: Ending) => void): void
  /** Bytes written to stdout that nobody has taken yet. */
  readonly unsent: number
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>
  /** Ends the process at once. */
  quit(status: number): void
}

/** The process as commands see it. Made once, by main. */
export interface World extends Services, Terminal, Process {
  readonly t: Translate
}

/**
 * Milliseconds in which the same signal again is the same wish, not a second one: timeout(1) sends it to its child and to
 * the whole group, and a launcher or npx passes on what the group has already got.
 */
const sameWish = 500

export function processWorld(version: string, quit: (status: number) => void): World {
  const outIsTerminal = isTerminal(1)
  const stdin = kindOfStdin()
  const state = { listening: false, lost: false }
  const reader = createReader()
  const wishes = createWishes()
  const { end } = wishes
  const lost = (error: unknown): void => {
    if (state.lost) return
    state.lost = true
    if (outIsTerminal) end("hangup")
    else if (readerLeft.test(codeOf(error))) end("reader-gone")
    else {
      writeErr(unwritten(reader.t, error))
      end("unwritable")
    }
  }
  const stdout = (): NodeJS.WriteStream => {
    if (!state.listening) process.stdout.on("error", lost)
    state.listening = true
    return process.stdout
  }
  const toFile = isFile(1)
  const write = (text: string): void => {
    if (state.lost) return
    if (!toFile) return void stdout().write(text)
    try {
      writeToFile(1, text)
    } catch (error) {
      lost(error)
    }
  }
  return {
    ...processEnvironment(version),
    get t() {
      return reader.t
    },
    setLocale: reader.setLocale,
    keepEnglish: reader.keepEnglish,
    argv: process.argv.slice(2),
    stdin,
    openStdin: () => (stdin === "terminal" ? process.stdin.on("error", () => end("hangup")) : process.stdin),
    openStdout: stdout,
    style: createStyle({ terminal: outIsTerminal, env: process.env }),
    outIsTerminal,
    errIsTerminal: isTerminal(2),
    get columns() {
      // Some terminals do not know theirs, and say 0.
      return process.stderr.columns || 80
    },
    get ending() {
      return wishes.ending
    },
    get readerGone() {
      return state.lost
    },
    out: (text) => write(outIsTerminal ? printable(text) : text),
    styled: (text) => write(text),
    err: writeErr,
    warn: (line) => writeErr(`${line}\n`),
    onEnding: wishes.listen,
    get unsent() {
      return toFile ? 0 : process.stdout.writableLength
    },
    async flush() {
      // What is written last leaves last; asking each piece of a stream for its end would cost as much as writing it.
      if (state.listening) await new Promise((resolve) => process.stdout.write("", resolve))
    },
    quit,
  }
}

/** Who reads the process's own streams. */
function createReader() {
  const state = { t: english, isProgram: false }
  return {
    get t() {
      return state.t
    },
    async setLocale(language: Language): Promise<void> {
      if (!state.isProgram) state.t = await translator(language)
    },
    keepEnglish(): void {
      state.t = english
      state.isProgram = true
    },
  }
}

/** What wants the process to end from outside; the first of them counts. */
function createWishes() {
  const listeners = new Set<(ending: Ending) => void>()
  const wished = new Map<Ending, number>()
  let first: Ending | null = null
  const end = (ending: Ending): void => {
    const now = process.uptime() * 1000
    if (now - (wished.get(ending) ?? -Infinity) < sameWish) return
    wished.set(ending, now)
    first ??= ending
    for (const listener of listeners) listener(ending)
  }
  return {
    get ending() {
      return first
    },
    end,
    listen(callback: (ending: Ending) => void): void {
      if (listeners.size === 0) {
        process.on("SIGINT", () => end("interrupt"))
        process.on("SIGTERM", () => end("terminated"))
        process.on("SIGHUP", () => end("hangup"))
      }
      listeners.add(callback)
    },
  }
}

/** `node:tty` is loaded only for what may be a terminal: a pipe, a file or /dev/null is told apart without it. */
function isTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isCharacterDevice() && !isMemoryDevice(stat.rdev) && process.getBuiltinModule("node:tty").isatty(fd)
  } catch {
    // A descriptor that was closed before we began.
    return false
  }
}

/** Linux keeps /dev/null, /dev/zero and their like under the major number 1, and no terminal. */
function isMemoryDevice(rdev: number): boolean {
  return process.platform === "linux" && ((rdev >> 8) & 0xfff) === 1
}

function kindOfStdin(): StdinKind {
  try {
    return stdinKind(fstatSync(0), isTerminal(0))
  } catch {
    return "none"
  }
}

/** Whoever read a pipe or a socket is there no more. */
const readerLeft = /^(EPIPE|ECONNRESET)$/

function unwritten(t: Translate, error: unknown): string {
  return isFull(error)
    ? t`gong: stdout cannot be written: the disk is full (${codeOf(error)}). Make room, or send it somewhere else.\n`
    : t`gong: stdout cannot be written (${codeOf(error)}). Send it somewhere else.\n`
}

/**
 * All that Gong writes to stderr, for people on every way: a log is read in a terminal later. Straight to the descriptor: a
 * line about what goes wrong must not wait for an event loop that may never turn again.
 */
function writeErr(text: string): void {
  try {
    writeSync(2, printable(text))
  } catch {
    // Nobody can be told that nobody can be told.
  }
}

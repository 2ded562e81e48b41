import { fstatSync, writeSync } from "node:fs"
import { isFile, writeToFile } from "@gong/app/compose/output/file-output"
import type { ShutdownCause } from "./command-line/exit.ts"
import { stdinKind, type StdinKind } from "./command-line/stdin.ts"
import { codeOf, isFull } from "@gong/config/usage"
import { processEnvironment, processPorts } from "@gong/app/process-services"
import { tuneForSession } from "./tune.ts"
import type { Services } from "@gong/app/services"
import type { OutputStreams } from "./modes/output-streams.ts"
import { printable } from "@gong/texts/printable"
import { createStyle, type Style } from "@gong/texts/style"
import type { Language } from "@gong/texts/language"
import { english, type Translate, translator } from "@gong/texts/translator"

/** The terminal of the user. */
export interface Terminal extends OutputStreams {
  openStdout(): NodeJS.WritableStream
  /** Writes text that `style` has sanitized and styled. */
  styled(text: string): void
  /** The same to stderr. */
  styledErr(text: string): void
  readonly style: Style
  /** Gets all text for stdout and stderr, as long as it is set: a screen shows it. Returns whether another one was set. */
  capture(sink: ((text: string) => void) | null): boolean
  /** Width of the terminal of stderr; 80 if there is none. */
  readonly columns: number
}

/** The process of a command line: arguments, stdin, signals, exit. */
export interface Process {
  readonly argv: readonly string[]
  readonly stdin: StdinKind
  openStdin(): AsyncIterable<Uint8Array> & NodeJS.ReadableStream
  /** Disables translation: output for programs is English in every locale. */
  keepEnglish(): void
  /** The first external cause of an exit; null for none. */
  readonly shutdown: ShutdownCause | null
  /** Calls back on each external cause of an exit. The same one within half a second counts once. */
  onShutdown(callback: (cause: ShutdownCause) => void): void
  /** Bytes written to stdout that are still buffered. */
  readonly buffered: number
  /** Resolves when nothing is buffered. */
  flush(): Promise<void>
  /** Exits at once. */
  quit(status: number): void
  /** Calls back when the process exits, whatever the cause. Returns a function that removes the callback. */
  onExit(callback: () => void): () => void
  /** Stops the process group, as Ctrl+Z does; calls back when it continues. */
  stopProcess(onContinue: () => void): void
  /** Replaces the process by a new one with the same arguments, where the platform can do that. */
  restart(): void
}

/** All dependencies of a command. Created once, by main. */
export interface Cli extends Services, Terminal, Process {
  readonly t: Translate
}

/**
 * Milliseconds in which a repeated signal is a duplicate: timeout(1) signals its child and then the whole process group, and a
 * launcher or npx forwards a signal that the group already got.
 */
const duplicateTime = 500

export function createCli(version: string, quit: (status: number) => void): Cli {
  const outIsTerminal = isTerminal(1)
  const stdin = kindOfStdin()
  const state = { listening: false, closed: false }
  const locale = createLocale()
  const shutdown = createShutdown()
  const { request } = shutdown
  const onWriteError = (error: unknown): void => {
    if (state.closed) return
    state.closed = true
    if (outIsTerminal) request("hangup")
    else if (readerExited.test(codeOf(error))) request("broken-pipe")
    else {
      writeErr(writeErrorText(locale.t, error))
      request("write-error")
    }
  }
  const stdout = (): NodeJS.WriteStream => {
    if (!state.listening) process.stdout.on("error", onWriteError)
    state.listening = true
    return process.stdout
  }
  const toFile = isFile(1)
  const captured = createCapture()
  const writeStderr = (text: string): void => (captured.sink ?? writeErr)(text)
  const write = (text: string): void => {
    if (captured.sink !== null) return captured.sink(text)
    if (state.closed) return
    if (!toFile) return void stdout().write(text)
    try {
      writeToFile(1, text)
    } catch (error) {
      onWriteError(error)
    }
  }
  const environment = processEnvironment(version)
  return {
    ...environment,
    ...processPorts(environment, "at-once"),
    onFirstReply: tuneForSession,
    get t() {
      return locale.t
    },
    setLocale: locale.setLocale,
    keepEnglish: locale.keepEnglish,
    argv: process.argv.slice(2),
    stdin,
    openStdin: () => (stdin === "terminal" ? process.stdin.on("error", () => request("hangup")) : process.stdin),
    openStdout: stdout,
    style: createStyle({ terminal: outIsTerminal, env: process.env }),
    outIsTerminal,
    errIsTerminal: isTerminal(2),
    get columns() {
      // Some terminals report 0.
      return process.stderr.columns || 80
    },
    get shutdown() {
      return shutdown.cause
    },
    get outputClosed() {
      return state.closed
    },
    out: (text) => write(outIsTerminal ? printable(text) : text),
    styled: (text) => write(text),
    styledErr: writeErrUnchanged,
    err: writeStderr,
    warn: (line) => writeStderr(`${line}\n`),
    capture: captured.set,
    onShutdown: shutdown.listen,
    get buffered() {
      return toFile ? 0 : process.stdout.writableLength
    },
    async flush() {
      // Writes complete in order, so the callback of an empty last one is enough; one callback per write would be slow.
      if (state.listening) await new Promise((resolve) => process.stdout.write("", resolve))
    },
    quit,
    ...lifecycle,
  }
}

const lifecycle: Pick<Process, "onExit" | "stopProcess" | "restart"> = {
  onExit(callback) {
    process.on("exit", callback)
    return () => void process.off("exit", callback)
  },
  restart() {
    const { execPath, execArgv, argv, env } = process
    process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
  },
  stopProcess(onContinue) {
    process.once("SIGCONT", onContinue)
    process.kill(0, "SIGTSTP")
  },
}

/** Where text for stdout and stderr goes in place of them. */
function createCapture() {
  const captured = {
    sink: null as ((text: string) => void) | null,
    set(sink: ((text: string) => void) | null): boolean {
      const was = captured.sink !== null
      captured.sink = sink
      return was
    },
  }
  return captured
}

/** The language of stdout and stderr. */
function createLocale() {
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

/** External requests to exit; the first one decides the exit status. */
function createShutdown() {
  const listeners = new Set<(cause: ShutdownCause) => void>()
  const requested = new Map<ShutdownCause, number>()
  let first: ShutdownCause | null = null
  const request = (cause: ShutdownCause): void => {
    const now = process.uptime() * 1000
    if (now - (requested.get(cause) ?? -Infinity) < duplicateTime) return
    requested.set(cause, now)
    first ??= cause
    for (const listener of listeners) listener(cause)
  }
  return {
    get cause() {
      return first
    },
    request,
    listen(callback: (cause: ShutdownCause) => void): void {
      if (listeners.size === 0) {
        process.on("SIGINT", () => request("interrupt"))
        process.on("SIGTERM", () => request("terminated"))
        process.on("SIGHUP", () => request("hangup"))
      }
      listeners.add(callback)
    },
  }
}

/** Loads `node:tty` only for possible terminals: a pipe, a file and /dev/null are recognized without it. */
function isTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isCharacterDevice() && !isMemoryDevice(stat.rdev) && process.getBuiltinModule("node:tty").isatty(fd)
  } catch {
    // The descriptor was closed before the start.
    return false
  }
}

/** On Linux, /dev/null, /dev/zero and similar devices have the major number 1, and no terminal has. */
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

/** The reader of a pipe or socket has exited. */
const readerExited = /^(EPIPE|ECONNRESET)$/

function writeErrorText(t: Translate, error: unknown): string {
  return isFull(error)
    ? t`gong: cannot write to stdout: the disk is full (${codeOf(error)}). Free some space, or redirect the output.\n`
    : t`gong: cannot write to stdout (${codeOf(error)}). Redirect the output.\n`
}

/**
 * Writes to stderr, sanitized even into a file, since logs are read in terminals later. Synchronous, since the event loop may never
 * run again after an error.
 */
function writeErr(text: string): void {
  writeErrUnchanged(printable(text))
}

function writeErrUnchanged(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // There is no other channel for this error.
  }
}

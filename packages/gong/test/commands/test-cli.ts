import { PassThrough, Writable } from "node:stream"
import type { ShutdownCause } from "../../src/command-line/exit.ts"
import { processPorts } from "@gong/app/process-services"
import { createStyle } from "@gong/texts/style"
import type { Language } from "@gong/texts/language"
import { english, translator } from "@gong/texts/translator"
import type { Cli } from "../../src/cli.ts"

export interface Folders {
  readonly root: string
  readonly home: string
  readonly gongHome: string
  readonly repo: string
  readonly temp: string
}

export interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
  /** Both, in order. */
  readonly all: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A file on stdin; default: /dev/null. */
  readonly stdin?: string
  /** A conversation: a line for each prompt, then Ctrl+D. */
  readonly typed?: readonly string[]
  /** An RPC client: its lines, and the output to wait for after each. */
  readonly sends?: readonly (readonly [line: string, until: string])[]
  readonly cwd?: string
  /** Stdout is a terminal. */
  readonly terminal?: boolean
  /** Stderr is a terminal. */
  readonly errTerminal?: boolean
  /** Sends SIGINT when this was written. */
  readonly interruptAt?: string
}

interface Output {
  out: string
  err: string
  all: string
}

/** The dependencies of a command for a test, with its output. */
export function cliIn(
  { home, repo, temp }: Folders,
  argv: readonly string[],
  {
    env: given = {},
    stdin,
    typed,
    sends,
    cwd = repo,
    terminal = typed !== undefined,
    errTerminal = false,
    interruptAt,
  }: RunOptions,
): { readonly cli: Cli; readonly output: Output } {
  // A conversation is line by line.
  const env = typed === undefined ? given : { TERM: "dumb", ...given }
  const output: Output = { out: "", err: "", all: "" }
  const language = { t: english, isProgram: false }
  const shutdown = { cause: null as ShutdownCause | null, listeners: [] as ((cause: ShutdownCause) => void)[] }
  const input = new PassThrough()
  const clients = [
    ...(typed === undefined ? [] : [typist(input, typed)]),
    ...(sends === undefined ? [] : [client(input, sends)]),
  ]
  const write = (to: "out" | "err", text: string): void => {
    output[to] += text
    output.all += text
    for (const onOutput of clients) onOutput(text)
    if (interruptAt === undefined || shutdown.cause !== null || !output.all.includes(interruptAt)) return
    shutdown.cause = "interrupt"
    for (const listener of shutdown.listeners) listener(shutdown.cause)
  }
  if (stdin !== undefined) input.end(stdin)
  const cli: Cli = {
    version: "1.2.3",
    argv,
    ...processPorts({ env, cwd, userHome: home, temp }, "at-once"),
    env,
    cwd,
    userHome: home,
    temp,
    platform: "linux",
    uid: process.getuid?.() ?? null,
    node: "v24.0.0",
    execPath: process.execPath,
    stdin: typed !== undefined ? "terminal" : sends !== undefined ? "pipe" : stdin !== undefined ? "file" : "none",
    openStdin: () => input as unknown as ReturnType<Cli["openStdin"]>,
    openStdout: () =>
      new Writable({
        write(bytes: Buffer, _encoding, done) {
          write("out", bytes.toString())
          done()
        },
      }),
    style: createStyle({ terminal, env }),
    get t() {
      return language.t
    },
    async setLocale(wanted: Language) {
      if (!language.isProgram) language.t = await translator(wanted)
    },
    keepEnglish() {
      Object.assign(language, { t: english, isProgram: true })
    },
    out: (text) => write("out", text),
    styled: (text) => write("out", text),
    styledErr: (text) => write("err", text),
    err: (text) => write("err", text),
    warn: (line) => write("err", `${line}\n`),
    capture: () => false,
    onExit: () => () => undefined,
    stopProcess: () => undefined,
    outIsTerminal: terminal,
    errIsTerminal: errTerminal,
    outputClosed: false,
    utcOffset: 0,
    columns: 1_000,
    get shutdown() {
      return shutdown.cause
    },
    onShutdown: (callback) => void shutdown.listeners.push(callback),
    buffered: 0,
    flush: () => Promise.resolve(),
    restart: () => undefined,
    quit(status) {
      throw new Error(`the process would exit with ${status}`)
    },
  }
  return { cli, output }
}

/** Types the next line at each prompt. */
function typist(input: PassThrough, typed: readonly string[]): (text: string) => void {
  const left = [...typed]
  return (text) => {
    // Readline moves the cursor to the first column before it writes the prompt, and after the prompt afterwards.
    if (!text.startsWith("\u001b[") || !text.endsWith("G") || text === "\u001b[1G") return
    const line = left.shift()
    setImmediate(() => input.write(line === undefined ? "\u0004" : `${line}\r`))
  }
}

/** Sends the next line after the expected output, and closes stdin after the last. */
function client(input: PassThrough, sends: readonly (readonly [string, string])[]): (text: string) => void {
  const left = [...sends]
  let seen = ""
  let until = ""
  const next = (): void => {
    const [line, wanted] = left.shift() ?? [null, ""]
    until = wanted
    if (line === null) input.end()
    else if (line !== "") input.write(`${line}\n`)
  }
  return (text) => {
    seen += text
    for (let at = seen.indexOf(until); at >= 0; at = seen.indexOf(until)) {
      seen = seen.slice(at + until.length)
      next()
      if (until === "") return
    }
  }
}

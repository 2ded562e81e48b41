import { PassThrough, Writable } from "node:stream"
import type { Ending } from "../../src/command-line/exit.ts"
import { createStyle } from "@gong/texts/style"
import type { Language } from "@gong/texts/language"
import { english, translator } from "@gong/texts/translator"
import type { World } from "../../src/world.ts"

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
  /** Both, in their order. */
  readonly all: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A file on stdin; default: nothing, as from /dev/null. */
  readonly stdin?: string
  /** A conversation: a line for each prompt, then Ctrl+D. */
  readonly typed?: readonly string[]
  /** Another program: what it sends, and what it waits for before it sends the next. */
  readonly sends?: readonly (readonly [line: string, until: string])[]
  readonly cwd?: string
  /** Stdout is a terminal. */
  readonly terminal?: boolean
  /** Stderr is one. */
  readonly errTerminal?: boolean
  /** Ctrl+C, once this was written. */
  readonly interruptAt?: string
}

interface Said {
  out: string
  err: string
  all: string
}

/** The process as the program sees it, with what it wrote. */
export function worldIn(
  { home, repo, temp }: Folders,
  argv: readonly string[],
  {
    env = {},
    stdin,
    typed,
    sends,
    cwd = repo,
    terminal = typed !== undefined,
    errTerminal = false,
    interruptAt,
  }: RunOptions,
): { readonly world: World; readonly said: Said } {
  const said: Said = { out: "", err: "", all: "" }
  const language = { t: english, isProgram: false }
  const wish = { ending: null as Ending | null, listeners: [] as ((ending: Ending) => void)[] }
  const input = new PassThrough()
  const readers = [
    ...(typed === undefined ? [] : [typist(input, typed)]),
    ...(sends === undefined ? [] : [client(input, sends)]),
  ]
  const write = (to: "out" | "err", text: string): void => {
    said[to] += text
    said.all += text
    for (const read of readers) read(text)
    if (interruptAt === undefined || wish.ending !== null || !said.all.includes(interruptAt)) return
    wish.ending = "interrupt"
    for (const listener of wish.listeners) listener(wish.ending)
  }
  if (stdin !== undefined) input.end(stdin)
  const world: World = {
    version: "1.2.3",
    argv,
    env,
    cwd,
    userHome: home,
    temp,
    platform: "linux",
    uid: process.getuid?.() ?? null,
    node: "v24.0.0",
    execPath: process.execPath,
    stdin: typed !== undefined ? "terminal" : sends !== undefined ? "pipe" : stdin !== undefined ? "file" : "none",
    openStdin: () => input as unknown as ReturnType<World["openStdin"]>,
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
    err: (text) => write("err", text),
    warn: (line) => write("err", `${line}\n`),
    outIsTerminal: terminal,
    errIsTerminal: errTerminal,
    readerGone: false,
    utcOffset: 0,
    columns: 80,
    get ending() {
      return wish.ending
    },
    onEnding: (callback) => void wish.listeners.push(callback),
    unsent: 0,
    flush: () => Promise.resolve(),
    quit(status) {
      throw new Error(`the process would end with ${status}`)
    },
  }
  return { world, said }
}

/** Types the next line when the cursor stands behind a prompt. */
function typist(input: PassThrough, typed: readonly string[]): (text: string) => void {
  const left = [...typed]
  return (text) => {
    // The cursor goes to the first column before the prompt is written, and behind it afterwards.
    if (!text.startsWith("\u001b[") || !text.endsWith("G") || text === "\u001b[1G") return
    const line = left.shift()
    setImmediate(() => input.write(line === undefined ? "\u0004" : `${line}\r`))
  }
}

/** Sends the next line when what it waits for has come, and ends its stream after the last. */
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

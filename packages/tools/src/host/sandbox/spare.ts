import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import type { Laid } from "./lay.ts"
import type { Mount } from "./mount.ts"

/** What a command finds around it besides its sandbox. */
export interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** A sandbox that was begun before its command is known: its mounts are laid, and a shell inside waits for words. */
export interface Spare {
  /** Its name at the host, under which its command runs. */
  readonly name: string
  /** Whether it waits by now. */
  readonly ready: boolean
  /** Whether it is what would be made now: begun with the same words, and all that was laid lies where it lay. */
  fits(laid: Laid, around: Surroundings): Promise<boolean>
  /** Runs these words; null when it had died before: they were not run, and will not be. Once. */
  run(words: readonly string[], options: ExecOptions): Promise<ExecResult | null>
  /** Lets it end, if it has no words yet. */
  end(): void
  /** When it is gone, with or without words, and has let go of its folders. */
  readonly ended: Promise<void>
}

/** More is not worth it: bash reads them byte by byte, 0.5 ms for a thousand, and what is gained is about 6 ms. */
const WORDS_MAX_BYTES = 4096
/** After the last words. It holds against half of them ever being run. */
const LAST = "run"
/** As much of /proc as the host reads; a longer table was not read to its end. */
const TABLE_MAX_BYTES = 64 * 1024
/** How long one that was told to end may take for it. */
const END_MAX_MS = 1000

/**
 * `-p`: neither BASH_ENV nor functions of the environment count here, and all of them are passed on. `--norc`: with a socket
 * for its stdin bash takes itself for a remote shell. It says with one NUL that it waits, and with one on each stream that
 * what follows is the command's. It looks again at what the table of mounts does not show: a folder in a root can be another
 * one by now.
 */
const waits = [
  "printf '\\0'",
  "mapfile -td '' gong_words",
  `[[ \${gong_words[-1]} == ${LAST} && . -ef $1 && -x \${gong_words[0]} ]] && exec </dev/null || exit`,
  "unset 'gong_words[-1]'",
  "printf '\\0' >&2; printf '\\0'",
  'exec "${gong_words[@]}"',
].join("\n")

let count = 0

/** Whether words can be given to one: a program by its path, as much as is read soon, in an environment that bash keeps. */
export function canWait(words: readonly string[], { env = {}, input, job }: ExecOptions): boolean {
  const whole = words.every((word) => !word.includes("\0"))
  const short = Buffer.byteLength(textOf(words)) <= WORDS_MAX_BYTES
  // Exported, these two hold the options of the shell that passes them on.
  const keeps = !("SHELLOPTS" in env || "BASHOPTS" in env)
  return words[0]?.startsWith("/") === true && whole && short && keeps && job !== undefined && input === undefined
}

/** Begins one, whose `laid` is its own; it never keeps this process alive, and ends with it. `shell`: full path of a bash. */
export function startSpare(host: Host, shell: string, laid: Laid, around: Surroundings): Spare {
  const name = `spare-${++count}`
  const key = keyOf(laid, around)
  const input = Promise.withResolvers<string>()
  const killing = new AbortController()
  const marks = { stdout: 2, stderr: 1 }
  let status = ""
  let command: ExecOptions | null = null
  /** As it was when all was laid. */
  let table: Promise<string | null> | null = null
  const tableNow = () => mountTable(host, status, laid.mounts)
  const look = () => {
    if (marks.stdout < 2 && status !== "") table ??= tableNow()
  }
  const result = host
    .exec([...laid.argv, shell, "--norc", "-p", "-c", waits, "gong-waits", around.cwd], {
      ...around,
      job: name,
      signal: killing.signal,
      input: input.promise,
      onData(bytes, stream) {
        let from = 0
        // What it says before the mark is its own affair, such as a locale that is not there.
        while (marks[stream] > 0) {
          from = bytes.indexOf(0, from) + 1
          if (from === 0) return
          marks[stream]--
          look()
        }
        if (from < bytes.length) command?.onData(bytes.subarray(from), stream)
      },
      onStatus(bytes) {
        status += Buffer.from(bytes).toString()
        look()
      },
    })
    .catch(() => null)
  return {
    name,
    get ready() {
      return table !== null
    },
    fits: async (now, there) => {
      const before = await table
      return before !== null && key === keyOf(now, there) && before === (await tableNow())
    },
    async run(words, options) {
      const abort = () => killing.abort()
      options.signal.addEventListener("abort", abort, { once: true })
      if (options.signal.aborted) abort()
      command = options
      input.resolve(textOf(words))
      const is = await result
      options.signal.removeEventListener("abort", abort)
      const began = marks.stdout === 0 || marks.stderr === 0
      if (!began && !options.signal.aborted) return null
      options.onStatus?.(Buffer.from(status))
      return is
    },
    end() {
      input.resolve("")
      if (command === null) setTimeout(() => killing.abort(), END_MAX_MS).unref()
    },
    ended: result.then(() => laid.letGo()),
  }
}

function keyOf({ argv }: Laid, { cwd, env }: Surroundings): string {
  return JSON.stringify([argv, cwd, env])
}

function textOf(words: readonly string[]): string {
  return [...words, LAST, ""].join("\0")
}

/**
 * The mounts of one as they lie now; null unless all of ours are among them. It shows what a look at the paths cannot: what
 * was mounted meanwhile, and a mount that went with the folder it lay on, though a folder of that name and number is there.
 */
async function mountTable(host: Host, status: string, mounts: readonly Mount[]): Promise<string | null> {
  const pid = /"child-pid": (\d+)/.exec(status)?.[1]
  const bytes = await host.readRange(`/proc/${pid}/mountinfo`, 0).catch(() => null)
  if (bytes === null || bytes.length >= TABLE_MAX_BYTES) return null
  const table = Buffer.from(bytes).toString()
  return mounts.every(({ path }) => table.includes(` ${escaped(path)} `)) ? table : null
}

/** As the kernel writes it. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`)
}

import { parseCommand, type SimpleCommand, type Word } from "./command.ts"

/** Syntax of a program that runs another one: its options with values, and the number of words before the other program. */
interface Wrapper {
  readonly values: readonly string[]
  readonly words?: number
  /** The other program has the same effect as without it. */
  readonly transparent?: true
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  time: { values: ["-f", "-o", "--format", "--output"], transparent: true },
  timeout: { values: ["-s", "-k", "--signal", "--kill-after"], words: 1, transparent: true },
  nice: { values: ["-n", "--adjustment"], transparent: true },
  command: { values: [], transparent: true },
  builtin: { values: [], transparent: true },
  env: { values: ["-u", "-C", "-S", "--unset", "--chdir", "--split-string"] },
  nohup: { values: [] },
  setsid: { values: [] },
  exec: { values: ["-a"] },
  stdbuf: { values: ["-i", "-o", "-e", "--input", "--output", "--error"] },
  ionice: { values: ["-c", "-n", "-p", "--class", "--classdata"] },
  chroot: { values: ["--userspec", "--groups"], words: 1 },
  xargs: {
    values: "-n -P -I -d -L -s -E -a --max-args --max-procs --delimiter --max-chars --arg-file".split(" "),
  },
  parallel: { values: ["-j", "-n", "--jobs", "--max-args"] },
  busybox: { values: [] },
  watch: { values: ["-n", "--interval"] },
  sudo: {
    values:
      "-u -g -h -p -C -T -r -t -D -R --user --group --host --prompt --close-from --command-timeout --role --type --chdir --chroot".split(
        " ",
      ),
  },
  doas: { values: ["-u", "-C"] },
  npx: { values: ["-p", "--package", "-c", "--call"] },
  bunx: { values: ["-p", "--package"] },
  uvx: { values: ["--from", "--with"] },
  shx: { values: [] },
  toybox: { values: [] },
  flock: { values: ["-w", "-E", "--timeout", "--wait", "--conflict-exit-code"], words: 1 },
  unbuffer: { values: [] },
  setarch: { values: [], words: 1 },
  taskset: { values: [], words: 1 },
  unshare: { values: [] },
  nsenter: { values: ["-t", "--target"] },
  strace: { values: ["-e", "-o", "-s", "-p"] },
  runuser: { values: ["-u", "--user"] },
  gosu: { values: [], words: 1 },
  pkexec: { values: ["--user"] },
  "systemd-run": { values: ["-p", "-u"] },
  caffeinate: { values: ["-t"] },
}

/** Keywords that open a block; a command follows. */
const blockKeywords = new Set(["!", "if", "then", "else", "elif", "while", "until", "do", "coproc"])
const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "rbash"])
/** Programs that take scripts in the same way. */
const scriptRunners = new Set(["su", "runuser", "script", "flock", ...shells])

export function isShell(name: string): boolean {
  return shells.has(name)
}

/** Maximum number of layers. */
const maxLayers = 16

export interface NestedCommands {
  readonly all: readonly (readonly Word[])[]
  /** Some layers were not unwrapped. */
  readonly incomplete: boolean
}

/**
 * All commands that this command runs, according to its words, beginning with itself: `sudo env X=1 sh -c "rm x"` runs sudo,
 * env, sh and rm. For detecting forbidden commands only; the result may be incomplete.
 */
export function nestedCommands(simple: SimpleCommand, depth = 0): NestedCommands {
  const found: (readonly Word[])[] = []
  let words: readonly Word[] = simple.words
  for (; words.length > 0 && found.length < maxLayers; words = innerCommand(words)) found.push(words)
  const texts = scripts(found)
  const deeper =
    depth < 4 ? texts.flatMap((text) => parseCommand(text).commands).map((one) => nestedCommands(one, depth + 1)) : []
  return {
    all: [...found, ...deeper.flatMap((runs) => runs.all)],
    incomplete: words.length > 0 || (depth === 4 && texts.length > 0) || deeper.some((runs) => runs.incomplete),
  }
}

/** Bounds the work, which is the number of layers times the words. */
const maxWords = 1000

/** The command without neutral wrappers (`time`, `timeout 5`, `nice`), or null if unclear. */
export function transparent(words: readonly Word[]): readonly Word[] | null {
  let rest: readonly Word[] = words.slice(0, maxWords)
  if (rest.length < words.length) return null
  for (let name = nameOf(rest); Object.hasOwn(wrappers, name); name = nameOf(rest)) {
    if (wrappers[name]?.transparent !== true || rest[0]?.text !== name) return null
    // Their options write files (`time -o`) or do other things (`command -v`), so only the plain form counts.
    if (rest[1]?.text.startsWith("-") === true || isAssignment(rest[1])) return null
    rest = innerCommand(rest)
  }
  return rest
}

/** The name of the program, without its folder. */
export function nameOf(words: readonly Pick<Word, "text">[]): string {
  const text = words[0]?.text ?? ""
  return text.slice(text.lastIndexOf("/") + 1)
}

/** The command that this one runs, according to its words: `ls` in `sudo -u root ls`. */
export function innerCommand<W extends Pick<Word, "text">>(words: readonly W[]): readonly W[] {
  const name = nameOf(words)
  if (blockKeywords.has(name) || isAssignment(words[0])) return words.slice(1)
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
  if (wrapper === undefined) return name === "find" ? execCommand(words) : []
  let at = 1
  while (at < words.length) {
    const text = words[at]?.text ?? ""
    if (text === "--") at++
    else if (takesNext(text, wrapper.values)) at += 2
    else if (text.startsWith("-") || isAssignment(words[at])) at++
    else break
    if (text === "--") break
  }
  return words.slice(at + (wrapper.words ?? 0))
}

/** An option whose value is the next word, also as the last of several letters: `-iu root`. */
function takesNext(text: string, values: readonly string[]): boolean {
  if (text.startsWith("--") || !text.startsWith("-")) return values.includes(text)
  const first = Array.from(text).findIndex((letter, at) => at > 0 && values.includes(`-${letter}`))
  return first > 0 && first === text.length - 1
}

function isAssignment(word: Pick<Word, "text"> | undefined): boolean {
  return /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word?.text ?? "")
}

/** The commands of `find -exec` and similar options. */
function execCommand<W extends Pick<Word, "text">>(words: readonly W[]): readonly W[] {
  const at = words.findIndex(({ text }) => /^-(?:exec|execdir|ok|okdir)$/.test(text))
  return at < 0 ? [] : words.slice(at + 1).filter(({ text }) => text !== ";" && text !== "+")
}

/**
 * The text of `env -S`, as the script of a shell, and the words that follow it, which are appended; null without the option.
 * Source: GNU coreutils, "env invocation". What differs (a comment, variables in other places) runs more than `env` does.
 */
export function splitString(
  args: readonly string[],
): { readonly script: string; readonly rest: readonly string[] } | null {
  for (const [at, word] of args.entries()) {
    const start = /^(?:-[iv0]*S|--s[-a-z]*=?)/.exec(word)?.[0]
    if (start === undefined) continue
    const isNext = start === word && !word.endsWith("=")
    const text = isNext ? (args[at + 1] ?? "") : word.slice(start.length)
    const script = text.replaceAll(/\\[_cfnrtv]/g, " ").replaceAll("#", "\\#")
    return { script: `env ${script}`, rest: args.slice(at + (isNext ? 2 : 1)) }
  }
  return null
}

/** A word of a script with this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Scripts passed to a shell. */
function scripts(runs: readonly (readonly Word[])[]): readonly string[] {
  return runs.flatMap((words) => {
    const name = nameOf(words)
    if (name === "eval")
      return [
        words
          .slice(1)
          .map(({ text }) => text)
          .join(" "),
      ]
    if (name === "env") {
      const split = splitString(words.slice(1).map(({ text }) => text))
      return split === null ? [] : [[split.script, ...split.rest.map(quoted)].join(" ")]
    }
    if (!scriptRunners.has(name)) return []
    const form = isShell(name) ? /^-[a-zA-Z]*c[a-zA-Z]*$/ : /^(?:-[a-zA-Z]*c|--command)$/
    const at = words.findIndex(({ text }) => form.test(text))
    if (at >= 0) return [words[at + 1]?.text ?? ""]
    const attached = isShell(name) ? null : /^(?:-[a-zA-Z]*?c|--command=)(?=.)/s
    return words.flatMap(({ text }) => (attached?.test(text) === true ? [text.replace(attached, "")] : []))
  })
}

import { tokensOf } from "./command-tokens.ts"

/** Context for finding scripts in a hook command. */
export interface PinnedPlace {
  /** Full path of the workspace, as `$CLAUDE_PROJECT_DIR`. */
  readonly root: string
  /** Full path of the working directory. */
  readonly cwd: string
  /** Joins a name with a folder to a full path without dots. */
  resolve(folder: string, path: string): string
  /** `path`: relative to the root. The replacement of a script; null: the word stays. */
  copyOf(path: string): string | null
}

/**
 * Replaces scripts in a command by trusted copies: `.gong/hooks/a.sh`, `python3 "$CLAUDE_PROJECT_DIR"/b.py`,
 * `cd tools && timeout 5 ./c.sh`, `bash -c 'source d.sh'`, `sh < e.sh`, `cat f.sh | sh`, `bash -c "$(cat g.sh)"`, and scripts in
 * here-documents. Other words stay, even names of files that a program reads, since most programs look for more files beside
 * those. Words that a shell would have to expand first are unknown here.
 */
export function pinnedCommand(command: string, place: PinnedPlace, depth = 0): string {
  const edits: Edit[] = []
  let given: Text[] = []
  let reader: Reader = { ...beginning, base: place.cwd }
  const within = (text: string): string =>
    depth === maxDepth ? text : pinnedCommand(text, { ...place, cwd: reader.base ?? "/" }, depth + 1)
  const endSimple = (): void => {
    if (!reader.isShell || reader.awaits !== "script") return
    for (const one of given) edits.push({ ...one, to: one.raw ? within(one.text) : quoted(within(one.text)) })
  }
  for (const token of tokensOf(command, place.root)) {
    const { start, end, text } = token
    for (const inner of token.inner ?? []) edits.push({ ...inner, to: within(command.slice(inner.start, inner.end)) })
    if (token.role === "separator") {
      endSimple()
      if (command.slice(start, end) !== "|") given = []
      reader = { ...beginning, base: reader.base }
    } else if (token.role === "document") given.push({ start, end, text: text ?? "", raw: true })
    else if (token.role === "input") {
      const to = text === null ? null : copyOf(text, reader, place)
      if (to !== null) edits.push({ start, end, to: quoted(to) })
    } else if (token.role === "string") {
      if (text !== null) given.push({ start, end, text, raw: false })
    } else {
      const inStead = text === null ? null : replaced(text, reader, place, depth)
      if (inStead !== null) edits.push({ start, end, to: quoted(inStead) })
      else if (text !== null && reader.awaits === "words") given.push({ start, end, text, raw: false })
      reader = inStead === null ? next(reader, text, place) : { ...reader, awaits: behindReplaced(reader) }
    }
  }
  endSimple()
  return edited(command, edits)
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly to: string
}

/** A script from the input of a shell: a here-document or a word. */
interface Text {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly raw: boolean
}

/** Of two edits at one position the first one counts. */
function edited(command: string, edits: readonly Edit[]): string {
  let out = ""
  let done = 0
  for (const { start, end, to } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue
    out += command.slice(done, start) + to
    done = end
  }
  return out + command.slice(done)
}

/** Maximum nesting of commands. */
const maxDepth = 3

/** Parser state within one simple command. */
interface Reader {
  /** Base of its relative paths; null: unknown. */
  readonly base: string | null
  /**
   * Role of the next word: a program, its option or script, a command in one word, a folder, a file whose content is passed on,
   * a plain word, or something irrelevant.
   */
  readonly awaits: "program" | "script" | "command" | "folder" | "files" | "words" | "nothing"
  /** The previous program runs the next one by path, without a PATH lookup. */
  readonly wrapped: boolean
  readonly isShell: boolean
  readonly afterOption: boolean
}

const beginning: Omit<Reader, "base"> = { awaits: "program", wrapped: false, isShell: false, afterOption: false }

/** Wrapper programs, followed by another program. */
const openers = new Set(["!", "if", "then", "else", "elif", "while", "until", "do", "{"])
const wrappers = wordsOf(`
  env exec command time timeout nice ionice nohup setsid stdbuf xargs sudo
  uv bun deno npx bunx uvx poetry pipenv pdm hatch mise
`)
const subcommands = new Set(["run", "exec", "x", "--"])
const shells = new Set(["sh", "bash", "zsh", "dash", "ksh"])
const interpreters = wordsOf(`
  source . node nodejs tsx ts-node python pypy ruby perl php lua java
  Rscript pwsh fish osascript tclsh guile groovy
`)

/** Programs that only print files, for others that run the output. */
const passingFiles = wordsOf("cat tac head tail")
const passingWords = wordsOf("echo printf")

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** An option may name a script, before another one. */
function behindReplaced({ awaits, afterOption }: Reader): Reader["awaits"] {
  if (awaits === "files") return "files"
  return awaits === "script" && afterOption ? "script" : "nothing"
}

function next(reader: Reader, text: string | null, { resolve }: PinnedPlace): Reader {
  const word = text ?? ""
  const isOption = word.startsWith("-")
  switch (reader.awaits) {
    case "program":
      return behindProgram(reader, word, isOption)
    case "script":
      if (reader.isShell && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word)) return { ...reader, awaits: "command" }
      // A module, or code in the next word; for a shell these two are ordinary options.
      if (!reader.isShell && /^-[mce]$/.test(word)) return { ...reader, awaits: "nothing" }
      return { ...reader, afterOption: isOption, awaits: isOption || reader.afterOption ? "script" : "nothing" }
    case "folder": {
      if (isOption) return reader
      const base = text === null || reader.base === null || text.startsWith("~") ? null : resolve(reader.base, text)
      return { ...reader, base, awaits: "nothing" }
    }
    case "files":
    case "words":
      return reader
    case "command":
    case "nothing":
      return { ...reader, awaits: "nothing" }
  }
}

function behindProgram(reader: Reader, word: string, isOption: boolean): Reader {
  const passed = openers.has(word) || /^\w+=/.test(word)
  const ofWrapper = reader.wrapped && (isOption || /^\d/.test(word) || subcommands.has(word))
  if (passed || ofWrapper) return reader
  const name = word.slice(word.lastIndexOf("/") + 1)
  if (wrappers.has(name)) return { ...reader, wrapped: true }
  if (name === "cd" || name === "pushd") return { ...reader, awaits: "folder" }
  if (name === "eval") return { ...reader, awaits: "command" }
  if (passingFiles.has(name)) return { ...reader, awaits: "files" }
  if (passingWords.has(name)) return { ...reader, awaits: "words" }
  const isShell = shells.has(name)
  const runs = isShell || interpreters.has(name) || /^python\d[\d.]*$/.test(name)
  return { ...reader, isShell, awaits: runs ? "script" : "nothing" }
}

/** The replacement of a word; null: it stays. */
function replaced(text: string, reader: Reader, place: PinnedPlace, depth: number): string | null {
  switch (reader.awaits) {
    case "program":
      // A bare name is looked up in the PATH.
      return text.includes("/") || reader.wrapped ? copyOf(text, reader, place) : null
    case "script":
    case "files":
      return text.startsWith("-") ? null : copyOf(text, reader, place)
    case "command": {
      if (depth === maxDepth) return null
      const inner = pinnedCommand(text, { ...place, cwd: reader.base ?? "/" }, depth + 1)
      return inner === text ? null : inner
    }
    case "folder":
    case "words":
    case "nothing":
      return null
  }
}

function copyOf(text: string, { base }: Reader, { root, cwd, resolve, copyOf: kept }: PinnedPlace): string | null {
  const from = (folder: string): string | null => {
    const path = resolve(folder, text)
    return path.startsWith(`${root}/`) ? kept(path.slice(root.length + 1)) : null
  }
  const copy = base === null && !text.startsWith("/") ? null : from(base ?? "/")
  // The judged file is in the top folder; one of the same name in the session's folder is not.
  return copy ?? (base === cwd && cwd !== root ? from(root) : null)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

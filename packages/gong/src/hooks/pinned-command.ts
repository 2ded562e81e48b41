/** What the words of a hook's command are compared with. */
export interface PinnedPlace {
  /** Full path of the workspace, as `$CLAUDE_PROJECT_DIR`. */
  readonly root: string
  /** Full path of the folder in which the command runs. */
  readonly cwd: string
  /** The full path of what is called so in a folder, without dots. */
  resolve(folder: string, path: string): string
  /** `path`: from the root. What is to be run in its stead; null: the word stays. */
  copyOf(path: string): string | null
}

/**
 * The command with copies in place of the scripts that it runs: `.gong/hooks/a.sh`, `python3 "$CLAUDE_PROJECT_DIR"/b.py`,
 * `cd tools && timeout 5 ./c.sh`, `bash -c 'source d.sh'`. Other words stay as they are, also those that name files for a
 * program to read: most programs look for more beside those. What a shell would have to work out first is not known here.
 */
export function pinnedCommand(command: string, place: PinnedPlace, depth = 0): string {
  let out = ""
  let done = 0
  let reader: Reader = { ...beginning, base: place.cwd }
  for (const { start, end, text, separates } of tokensOf(command, place.root)) {
    if (separates) {
      reader = { ...beginning, base: reader.base }
      continue
    }
    const inStead = text === null ? null : replaced(text, reader, place, depth)
    if (inStead !== null) {
      out += command.slice(done, start) + quoted(inStead)
      done = end
    }
    reader = inStead === null ? next(reader, text, place) : { ...reader, awaits: behindScript(reader) }
  }
  return out + command.slice(done)
}

/** Commands inside commands. */
const maxDepth = 3

/** What the words of one simple command have said so far. */
interface Reader {
  /** Where its relative paths begin; null: not known. */
  readonly base: string | null
  /** What the next word is: a program, its option or the script that it runs, a command in one word, a folder, or nothing of ours. */
  readonly awaits: "program" | "script" | "command" | "folder" | "nothing"
  /** A program before says that the next one need not be looked for in the PATH. */
  readonly wrapped: boolean
  readonly isShell: boolean
  readonly afterOption: boolean
}

const beginning: Omit<Reader, "base"> = { awaits: "program", wrapped: false, isShell: false, afterOption: false }

/** Words that a program may stand behind. */
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

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** A script may be what an option names, and stand before another. */
function behindScript({ awaits, afterOption }: Reader): Reader["awaits"] {
  return awaits === "script" && afterOption ? "script" : "nothing"
}

function next(reader: Reader, text: string | null, { resolve }: PinnedPlace): Reader {
  const word = text ?? ""
  const isOption = word.startsWith("-")
  switch (reader.awaits) {
    case "program":
      return behindProgram(reader, word, isOption)
    case "script":
      if (reader.isShell && /^-[a-z]*c$/.test(word)) return { ...reader, awaits: "command" }
      // A module, or code in the word that follows; to a shell these two are options like others.
      if (!reader.isShell && /^-[mce]$/.test(word)) return { ...reader, awaits: "nothing" }
      return { ...reader, afterOption: isOption, awaits: isOption || reader.afterOption ? "script" : "nothing" }
    case "folder": {
      if (isOption) return reader
      const base = text === null || reader.base === null || text.startsWith("~") ? null : resolve(reader.base, text)
      return { ...reader, base, awaits: "nothing" }
    }
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
  const isShell = shells.has(name)
  const runs = isShell || interpreters.has(name) || /^python\d[\d.]*$/.test(name)
  return { ...reader, isShell, awaits: runs ? "script" : "nothing" }
}

/** What stands in place of a word; null: it stays. */
function replaced(text: string, reader: Reader, place: PinnedPlace, depth: number): string | null {
  switch (reader.awaits) {
    case "program":
      // A name alone is looked for in the PATH.
      return text.includes("/") || reader.wrapped ? copyOf(text, reader, place) : null
    case "script":
      return text.startsWith("-") ? null : copyOf(text, reader, place)
    case "command": {
      if (depth === maxDepth) return null
      const inner = pinnedCommand(text, { ...place, cwd: reader.base ?? "/" }, depth + 1)
      return inner === text ? null : inner
    }
    case "folder":
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
  // What was judged lies at the top; a file of the same name in the folder that the session began in was not.
  return copy ?? (base === cwd && cwd !== root ? from(root) : null)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

interface Token {
  /** It ends a simple command. */
  readonly separates: boolean
  readonly start: number
  readonly end: number
  /** Without quotes; null: a shell would put something in that is not known here. */
  readonly text: string | null
}

const variable = /^\$(?:\{(?:CLAUDE|GONG)_PROJECT_DIR\}|(?:CLAUDE|GONG)_PROJECT_DIR\b)/

/** Words and what ends a simple command; the targets of redirections are left out. Ends at a here-document. */
function tokensOf(command: string, root: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  let target = false
  while (at < command.length) {
    const rest = command.slice(at)
    const blank = /^(?:[ \t]|\\\n)+/.exec(rest)?.[0]
    const redirection = /^(?:\d*|&)(?:<<<|<<|<>|>>|>\||<&|>&|<|>)/.exec(rest)?.[0]
    const separator = /^(?:&&|\|\||;;|[;&|()\n])/.exec(rest)?.[0]
    const comment = /^#[^\n]*/.exec(rest)?.[0]
    if (redirection !== undefined && /^\d*<<$/.test(redirection)) return tokens
    if (redirection !== undefined) target = true
    else if (separator !== undefined)
      tokens.push({ separates: true, start: at, end: at + separator.length, text: null })
    const passed = blank ?? redirection ?? separator ?? comment
    if (passed !== undefined) {
      at += passed.length
      continue
    }
    const { end, text } = wordAt(command, at, root)
    if (!target) tokens.push({ separates: false, start: at, end, text })
    target = false
    at = end
  }
  return tokens
}

function wordAt(command: string, start: number, root: string): { readonly end: number; readonly text: string | null } {
  let at = start
  let text = ""
  let known = true
  let double = false
  while (at < command.length) {
    const char = command[at] ?? ""
    const rest = command.slice(at)
    if (!double && /[\s;&|()<>]/.test(char)) break
    const single = double ? null : /^'([^']*)'/.exec(rest)
    const named = variable.exec(rest)?.[0]
    if (char === '"') double = !double
    else if (char === "\\") {
      const next = command[at + 1] ?? ""
      text += double && !'$`"\\\n'.includes(next) ? `\\${next}` : next === "\n" ? "" : next
      at += 1
    } else if (single !== null) text += single[1] ?? ""
    else if (named !== undefined) text += root
    else if (char === "`" || char === "$" || (!double && /[*?[]/.test(char))) known = false
    else text += char
    at += single?.[0].length ?? named?.length ?? (rest.startsWith("$(") ? substitution(rest) : 1)
  }
  return { end: Math.min(at, command.length), text: known ? text : null }
}

/** The length of `$(...)`, as far as its parentheses tell. */
function substitution(text: string): number {
  let open = 0
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "(") open++
    if (text[at] === ")" && --open === 0) return at + 1
  }
  return text.length
}

import { innerCommand, isShell, quoted, splitString } from "../command/unwrap.ts"
import { assignment } from "./expand.ts"
import type { State } from "./state.ts"
import { type Fields, unknown } from "./value.ts"

/** Something that a command runs: another command, or a script. */
export type InnerCommand = ({ readonly argv: Fields } | { readonly script: string }) & {
  /** Arguments of a script. */
  readonly args?: Fields
  readonly assignments?: readonly (readonly [name: string, value: string])[]
  readonly folder?: string
  /** Runs in the current shell. */
  readonly sameShell?: true
}

/** Everything that this command runs, according to its words and input. `files`: command output by file name. */
export function innerCommandsOf(
  argv: Fields,
  { stdin }: Pick<State, "stdin">,
  files: ReadonlyMap<string, readonly string[]>,
): readonly InnerCommand[] {
  const name = baseName(argv)
  const args = argv.slice(1)
  if (name === "." || name === "source")
    return scriptsIn(isInput(args[0]) ? stdin : (files.get(plainName(args[0])) ?? [])).map((one) => ({
      ...one,
      args: args.slice(1),
      sameShell: true,
    }))
  if (isShell(name)) return shellScripts(args, stdin, files)
  if (files.has(plainName(argv[0])))
    return scriptsIn(files.get(plainName(argv[0])) ?? []).map((one) => ({ ...one, args }))
  switch (name) {
    case "find":
      return execCommands(args, /^-(?:exec|execdir|ok|okdir)$/, findMatches(args))
    case "fd":
    case "fdfind":
      return execCommands(args, /^(?:-x|-X|--exec|--exec-batch)$/, [unknown])
    case "xargs":
      return xargsCommands(argv, stdin)
    case "parallel":
      return parallelScripts(argv, stdin)
    case "watch":
      return [
        {
          script: innerCommand(asWords(argv))
            .map(({ text }) => text)
            .join(" "),
        },
      ]
    case "at":
    case "batch":
      return scriptsIn(stdin)
    case "git":
      return args[0] === "submodule" && args[1] === "foreach"
        ? [
            {
              script: args
                .slice(2)
                .filter((word, at) => at > 0 || !word.startsWith("-"))
                .join(" "),
            },
          ]
        : []
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return /^(?:exec|x|dlx)$/.test(args[0] ?? "")
        ? [{ argv: args.slice(args.findIndex((word, at) => at > 0 && !word.startsWith("-"))) }]
        : []
    case "command":
      if (/^-[vV]$/.test(args[0] ?? "")) return []
      break
    case "script":
    case "flock":
    case "su":
    case "runuser": {
      const given = optionValue(args, /^-\w*c$/, /^(?:-[a-zA-Z]*?c|--command=?)/)
      if (given !== null) return [{ script: given }]
      break
    }
    case "env": {
      const split = splitString(args)
      if (split !== null) return [{ script: `${split.script} "$@"`, args: split.rest }]
    }
  }
  return wrappedCommand(argv)
}

/** Whether a path is another name of the standard input. */
function isInput(path = ""): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/0)|proc\/(?:self|thread-self|\d+)\/fd\/0)$/.test(path)
}

/** The name by which a file of this script is known. */
export function plainName(path = ""): string {
  return path.replace(/^(?:\.\/)+/, "")
}

export function baseName([first = ""]: Fields): string {
  return first.slice(first.lastIndexOf("/") + 1)
}

const sameShell = new Set(["command", "builtin", "exec", "time"])

function wrappedCommand(argv: Fields): readonly InnerCommand[] {
  const inner = innerCommand(asWords(argv)).map(({ text }) => text)
  if (inner.length === 0) return []
  const skippedWords = argv.slice(1, argv.length - inner.length)
  const assignments = skippedWords.flatMap((word) => {
    const [start, name] = assignment.exec(word) ?? []
    return start === undefined || name === undefined ? [] : [[name, word.slice(start.length)] as const]
  })
  const folder = optionValue(skippedWords, null, baseName(argv) === "env" ? /^(?:-C|--chdir=?)/ : /^(?:-D|--chdir=?)/)
  return [
    {
      argv: inner,
      assignments,
      ...(folder === null ? {} : { folder }),
      ...(sameShell.has(baseName(argv)) ? { sameShell: true } : {}),
    },
  ]
}

function asWords(argv: Fields): readonly { readonly text: string }[] {
  return argv.map((text) => ({ text }))
}

/** The value of an option, in the next word or attached. */
function optionValue(args: Fields, separate: RegExp | null, attached: RegExp): string | null {
  for (const [at, word] of args.entries()) {
    if (separate?.test(word) === true) return args[at + 1] ?? ""
    const start = attached.exec(word)?.[0]
    if (start !== undefined)
      return word === start && !start.endsWith("=") ? (args[at + 1] ?? "") : word.slice(start.length)
  }
  return null
}

function scriptsIn(texts: readonly string[]): readonly { readonly script: string }[] {
  return texts.map((script) => ({ script }))
}

/** `-c SCRIPT NAME ARGS`, a file, or the input. */
function shellScripts(
  args: Fields,
  stdin: readonly string[],
  files: ReadonlyMap<string, readonly string[]>,
): readonly InnerCommand[] {
  const first = args.findIndex(
    (word, at) => !/^[-+]/.test(word) && !/^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(args[at - 1] ?? ""),
  )
  const [options, words] = first < 0 ? [args, []] : [args.slice(0, first), args.slice(first)]
  const [file, ...rest] = words
  if (options.some((word) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word))) {
    const [name, ...more] = rest
    const named = name === undefined ? {} : { assignments: [["0", name]] as const }
    return file === undefined ? [] : [{ script: file, args: more, ...named }]
  }
  if (options.includes("-s")) return scriptsIn(stdin).map((one) => ({ ...one, args: words }))
  const texts = file === undefined || isInput(file) ? stdin : (files.get(plainName(file)) ?? [])
  return scriptsIn(texts).map((one) => ({ ...one, args: rest }))
}

/** Commands after `-exec`, up to `;` or `+`, with the matches in place of `{}`. */
function execCommands(args: Fields, option: RegExp, found: readonly string[]): readonly InnerCommand[] {
  return args.flatMap((word, at): readonly InnerCommand[] => {
    if (!option.test(word)) return []
    const rest = args.slice(at + 1)
    const end = rest.findIndex((one) => one === ";" || one === "+")
    const command = end < 0 ? rest : rest.slice(0, end)
    const named = command.some((one) => one.includes("{}"))
    return found.map((path) => ({
      argv: named ? command.map((one) => one.replaceAll("{}", () => path)) : [...command, path],
    }))
  })
}

/** Paths that a search matches: below its starting points, and by name if every alternative restricts it. */
export function findMatches(args: Fields): readonly string[] {
  const { starts, tests } = parseFind(args)
  const choices = tests.join("\n").split(/\n(?:-o|-or|,)\n/)
  const named = choices.map((choice) => nameRestriction(choice.split("\n")))
  const below = tests.some((word, at) => word === "-mindepth" && /^[1-9]/.test(tests[at + 1] ?? ""))
  return starts.flatMap((start) => {
    if (named.every((name) => name !== null)) return named.map((name) => `${start}/${name}`)
    return below ? [`${start}/**`] : [start, `${start}/**`]
  })
}

export function parseFind(args: Fields): { readonly starts: Fields; readonly tests: Fields } {
  const begin = args.findIndex((word) => !/^-[HLP]+$|^-[DO]/.test(word))
  const words = begin < 0 ? [] : args.slice(begin)
  const end = words.findIndex((word) => /^[-(!]/.test(word))
  const starts = end < 0 ? words : words.slice(0, end)
  return { starts: starts.length === 0 ? ["."] : starts, tests: end < 0 ? [] : words.slice(end) }
}

/** The restriction of one alternative on names; null if it does not distinguish folders. */
function nameRestriction(tests: Fields): string | null {
  const at = tests.findIndex(
    (word, index) => /^-i?(?:name|path|wholename)$/.test(word) && !/^(?:!|-not)$/.test(tests[index - 1] ?? ""),
  )
  const pattern = at < 0 ? "" : (tests[at + 1] ?? "")
  if (!/\w/.test(pattern.replaceAll(/\[[^\]]*\]/g, ""))) return null
  return `${unknown}${pattern.replaceAll("*", unknown)}`
}

/** The command with the input appended, or in place of `-I`'s word. */
function xargsCommands(argv: Fields, stdin: readonly string[]): readonly InnerCommand[] {
  const command = innerCommand(asWords(argv)).map(({ text }) => text)
  if (command.length === 0) return []
  const options = argv.slice(1, argv.length - command.length)
  const given = options.some((word) => /^(?:-a|--arg-file)/.test(word)) ? [unknown] : stdin
  const word = placeholderOf(options)
  return given.flatMap((text): readonly InnerCommand[] => {
    if (word === null) return [{ argv: [...command, ...text.split(/\s+/).filter((one) => one !== "")] }]
    const lines = text.split("\n").filter((line) => line !== "")
    return lines.map((line) => ({ argv: command.map((one) => one.replaceAll(word, () => line)) }))
  })
}

/** The placeholder for a line: `-I X`, `-IX`, `-i`, `--replace=X`; null: lines are appended. */
function placeholderOf(options: Fields): string | null {
  for (const [at, word] of options.entries()) {
    const [, attached] = /^(?:-I|-i|--replace(?:=|$))(.*)/.exec(word) ?? []
    if (attached !== undefined) return attached === "" ? (word === "-I" ? (options[at + 1] ?? "{}") : "{}") : attached
  }
  return null
}

/** A script template for each value after `:::` or input line. */
function parallelScripts(argv: Fields, stdin: readonly string[]): readonly InnerCommand[] {
  const words = innerCommand(asWords(argv)).map(({ text }) => text)
  const end = words.findIndex((word) => /^:{3,4}\+?$/.test(word))
  const template = (end < 0 ? words : words.slice(0, end)).join(" ")
  const values =
    end < 0 ? stdin.flatMap((text) => text.split("\n")) : words[end] === "::::" ? [unknown] : words.slice(end + 1)
  return values.filter((value) => value !== "").map((value) => ({ script: fillTemplate(template, value) }))
}

/** Without a template the values are the commands. */
function fillTemplate(template: string, value: string): string {
  if (template === "") return value
  return template.includes("{}") ? template.replaceAll("{}", () => quoted(value)) : `${template} ${quoted(value)}`
}

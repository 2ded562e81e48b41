import { parseCommand, type Word } from "./command/command.ts"
import { absolute } from "./paths.ts"
import { gitWords } from "./rules.ts"
import { nestedCommands, nameOf } from "./command/unwrap.ts"

/** Programs that print the content of files. */
const printingPrograms = new Set(["cat", "head", "tail", "nl", "less", "bat", "rg"])

/** Maximum number of names per command. */
const maxNames = 100

/**
 * Absolute paths that a command passes to a program that prints files, so that their content is known to the model (interface 5 A). Some are
 * not files: `head -n 5 a.ts` also gives `5`.
 */
export function printedFiles(
  command: string,
  place: { readonly cwd: string; readonly home: string },
): readonly string[] {
  const found = new Set<string>()
  let cwd: string | null = place.cwd
  for (const simple of parseCommand(command).commands) {
    for (const words of nestedCommands(simple).all)
      for (const name of printedNames(words))
        if (cwd !== null || /^[/~]/.test(name)) found.add(absolute(name, cwd ?? "/", place.home))
    if (nameOf(simple.words) === "cd") cwd = changedFolder(simple.words[1], cwd, place.home)
  }
  return [...found].slice(0, maxNames)
}

function printedNames(words: readonly Word[]): readonly string[] {
  const program = nameOf(words)
  const plain = words
    .slice(1)
    .filter(isPlain)
    .map(({ text }) => text)
  const names = plain.filter((text) => text !== "" && !text.startsWith("-"))
  if (
    printingPrograms.has(program) ||
    (program === "sed" && plain.some((text) => /^-[^-]*n|^--(?:quiet|silent)$/.test(text)))
  )
    return names
  if (program !== "git" || words[1]?.text === "-C") return []
  const verb = gitWords(words.map(({ text }) => text))[0]
  const paths = names.filter((text) => text !== verb)
  if (verb === "diff") return paths
  // `HEAD:./a.ts` is an earlier version of the file, relative to the folder.
  return verb === "show" ? paths.map((text) => text.replace(/^[^:/]*:(?:\.\/)?/, "")) : []
}

function isPlain(word: Word): boolean {
  return word.literal && !word.glob && (!word.tilde || /^~(?:\/|$)/.test(word.text))
}

/** Null once the working directory is unknown. */
function changedFolder(target: Word | undefined, cwd: string | null, home: string): string | null {
  if (target === undefined) return home
  if (!isPlain(target) || (cwd === null && !/^[/~]/.test(target.text))) return null
  const path = absolute(target.text, cwd ?? "/", home)
  return path.length > 4096 ? null : path
}

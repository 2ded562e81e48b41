import type { Rng } from "@gong/testing/sim/rng"
import { type Alphabet, alphabets, type Atom } from "./alphabet.ts"

/** A file with the known position of every character. */
export interface Specimen {
  readonly alphabet: Alphabet
  readonly mark: Buffer
  readonly atoms: readonly Atom[]
  /** Binary bytes after everything. */
  readonly tail: Buffer
  readonly bytes: Buffer
}

export interface Asked {
  /** Range of atoms; the end is exclusive. */
  readonly from: number
  readonly to: number
  readonly oldText: string
  readonly newText: string
}

/** Represents invalid bytes in the text. */
const STRAY = "\uFFFD"
const foreign = "ᚠ"

export function specimen(rng: Rng): Specimen {
  const alphabet = alphabets[rng.int(alphabets.length)] ?? fail()
  const newline = endings(rng)
  const atoms: Atom[] = []
  const ascii = rng.chance(0.1)
  // The longest exceed the tool's block size.
  const lines = rng.chance(0.1) ? (rng.chance(0.2) ? 8000 : 300) : 1 + rng.int(20)
  for (let line = 0; line < lines; line++) {
    for (let words = rng.int(8); words > 0; words--) atoms.push(...word(rng, alphabet, ascii))
    for (let blanks = rng.chance(0.2) ? 1 + rng.int(3) : 0; blanks > 0; blanks--)
      atoms.push(plain(alphabet, rng.pick([" ", "\t"])))
    if (line < lines - 1 || rng.chance(0.8)) {
      // Two line ends that would merge into one.
      const afterCr = atoms.at(-1)?.bytes.includes("\r") === true
      atoms.push({ text: "\n", bytes: alphabet.encode(afterCr ? "\r\n" : newline()) ?? fail() })
    }
  }
  const mark = alphabet.marks[rng.int(alphabet.marks.length)] ?? fail()
  const tail = rng.chance(0.15) ? binary(rng) : Buffer.alloc(0)
  return { alphabet, mark, atoms, tail, bytes: Buffer.concat([mark, ...atoms.map(({ bytes }) => bytes), tail]) }
}

function endings(rng: Rng): () => string {
  const all = ["\n", "\r\n", "\r"] as const
  if (rng.chance(0.25)) return () => rng.pick(all)
  const one = rng.pick(["\n", "\n", "\r\n", "\r\n", "\r"])
  return () => one
}

const words = [
  "const",
  "value",
  "foo",
  "a",
  "if",
  "return",
  "x1",
  "(",
  ");",
  "'q'",
  '"s"',
  "-",
  "=",
  "K",
  "e",
  "\\",
  "|",
] as const

function word(rng: Rng, alphabet: Alphabet, ascii: boolean): readonly Atom[] {
  const blank = plain(alphabet, " ")
  const stray = alphabet.strays[rng.int(alphabet.strays.length)]
  // A stray stands alone, so that it cannot form a character with the next byte.
  if (!ascii && stray !== undefined && rng.chance(0.02)) return [blank, { text: STRAY, bytes: stray }, blank]
  if (ascii || rng.chance(0.4)) return [...Array.from(rng.pick(words), (letter) => plain(alphabet, letter)), blank]
  const letters = Array.from(
    { length: 1 + rng.int(5) },
    () => alphabet.letters[rng.int(alphabet.letters.length)] ?? fail(),
  )
  if (rng.chance(0.5)) letters.push(blank)
  // Western letters occur between ASCII; an encoding cannot be detected from many in a row.
  return alphabet.name === "windows-1252" ? letters.flatMap((letter) => [plain(alphabet, "n"), letter]) : letters
}

function plain(alphabet: Alphabet, text: string): Atom {
  return { text, bytes: alphabet.encode(text) ?? fail() }
}

/** Without printable ASCII, so that no text occurs by chance. */
function binary(rng: Rng): Buffer {
  return Buffer.from(Array.from({ length: 1 + rng.int(60) }, () => (rng.chance(0.3) ? rng.int(9) : 128 + rng.int(128))))
}

/** One to three disjoint ranges in order, and their replacements. */
export function ask(rng: Rng, file: Specimen): readonly Asked[] {
  const wanted = rng.pick([1, 1, 1, 2, 3])
  const asked: Asked[] = []
  const all = textOf(file.atoms)
  let from = rng.int(Math.max(1, Math.floor(file.atoms.length / wanted)))
  while (asked.length < wanted && from < file.atoms.length) {
    const to = Math.min(file.atoms.length, from + 1 + rng.int(rng.chance(0.3) ? 60 : 12))
    const oldText = textOf(file.atoms.slice(from, to))
    if (!oldText.includes(STRAY) && !overlapsItself(all, oldText))
      asked.push({ from, to, oldText: spelled(rng, oldText), newText: newText(rng, file.alphabet) })
    from = to + 1 + rng.int(40)
  }
  return asked
}

/** As "aa" in "aaa", whose match is ambiguous. */
function overlapsItself(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1;) {
    const next = text.indexOf(part, at + 1)
    if (next !== -1 && next < at + part.length) return true
    at = next
  }
  return false
}

export function textOf(atoms: readonly Atom[]): string {
  return atoms.map(({ text }) => text).join("")
}

/** As a model may write it: with other quotes, dashes, blanks, forms, or line endings. */
function spelled(rng: Rng, text: string): string {
  if (rng.chance(0.1)) return text.replaceAll("\n", "\r\n")
  // Blanks at the ends of a text in another form match any blanks in the file.
  if (rng.chance(0.5) || /^\s|\s$/.test(text)) return text
  const changes: readonly [(text: string) => string, ...((text: string) => string)[]] = [
    (old) => old.replace(/[‘’]/g, "'").replace(/[“”„]/g, '"'),
    (old) => old.replace(/[–—−]/g, "-"),
    (old) => old.replace(/[\u00A0\u3000\u2003]/g, " "),
    (old) => old.replace(/[ \t]+\n/g, "\n"),
    (old) => old.replace(/\n/g, "  \n"),
    (old) => old.normalize("NFC"),
    (old) => old.normalize("NFD"),
    (old) => old.replace(/'/g, "‘").replace(/-/g, "–"),
  ]
  return rng.pick(changes)(rng.pick(changes)(text))
}

function newText(rng: Rng, alphabet: Alphabet): string {
  const letter = () => {
    if (rng.chance(0.1)) return "\n"
    if (rng.chance(0.02)) return foreign
    return rng.chance(0.5) ? rng.pick(words) : (alphabet.letters[rng.int(alphabet.letters.length)]?.text ?? "")
  }
  return Array.from({ length: rng.int(12) }, letter).join("")
}

function fail(): never {
  throw new Error("The alphabet lacks what the generator needs.")
}

import { widthOf } from "@gong/screen/cells"

/** Breaks a streaming text into lines at words. */
export interface WordWrap {
  /** Adds text, and returns what can be written: all but a word that is not complete. */
  add(text: string): string
  /** The incomplete word. */
  flush(): string
}

/** A whole line, broken at words; its continuations have its indentation. */
export function wrapLine(line: string, columns: number): string {
  if (line.length <= columns / 2) return line
  const [indent] = /^ */.exec(line) ?? [""]
  const wrap = wordWrap(() => Math.max(1, columns - indent.length))
  const lines = wrap.add(line.slice(indent.length)) + wrap.flush()
  return lines.replaceAll(/^/gm, indent)
}

/** A code block keeps its lines, because a broken line of code is another line. */
const fence = /^ {0,3}(```|~~~)/

/** Chinese and Japanese have no spaces: a line can be broken before any such character. */
const wide = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}（「『【《]$/u
/** Punctuation that must not begin a line. */
const closing = /^[，。、；：！？）」』】》”’…]$/u

/** `columns`: of the terminal now; a resize applies from the next word on. */
export function wordWrap(columns: () => number): WordWrap {
  let column = 0
  let word = ""
  let spaces = ""
  let line = ""
  let inFence = false

  /** A row of a table is kept too. */
  const keepsLine = (): boolean => inFence || line.trimStart().startsWith("|")

  function endWord(): string {
    if (word === "") return ""
    const breaks = !keepsLine() && column > 0 && column + spaces.length + widthOf(word) > columns()
    const text = breaks ? `\n${word}` : spaces + word
    column = (breaks ? 0 : column + spaces.length) + widthOf(word)
    spaces = ""
    word = ""
    return text
  }

  function endLine(): string {
    const text = endWord() + spaces
    if (fence.test(line)) inFence = !inFence
    line = ""
    spaces = ""
    column = 0
    return `${text}\n`
  }

  function take(char: string): string {
    if (char === "\n") return endLine()
    // Only the beginning of a line tells whether it is a fence.
    if (line.length < 8) line += char
    if (char !== " ") {
      const [last = ""] = word.match(/.$/u) ?? []
      const isNew = wide.test(char) || ((wide.test(last) || closing.test(last)) && !closing.test(char))
      const before = isNew ? endWord() : ""
      word += char
      return keepsLine() ? before + endWord() : before
    }
    const text = endWord()
    spaces += char
    return text
  }

  return {
    add: (text) => Array.from(text, take).join(""),
    flush() {
      const text = endWord() + spaces
      column += spaces.length
      spaces = ""
      return text
    },
  }
}

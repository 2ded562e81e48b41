/** A bug, and the tests that have to notice it. */
export interface Plant {
  readonly name: string
  readonly path: string
  /** Occurs once. */
  readonly from: string
  readonly to: string
  readonly tests: readonly string[]
}

const screen = "packages/screen/src"
const screenTest = "packages/screen/test"
const gong = "packages/gong/src"
const gongTest = "packages/gong/test"

const frame = [`${screenTest}/frame/frame.test.ts`, `${gongTest}/modes/tui/fuzz/fuzz.test.ts`]
const keys = [`${screenTest}/keys/keys.test.ts`, `${screenTest}/keys/recorded-keys.test.ts`]
const markdown = [`${screenTest}/markdown/markdown.test.ts`]
const state = [`${gongTest}/modes/tui/update.test.ts`, `${gongTest}/modes/tui/questions.test.ts`]
const questions = [`${gongTest}/program/screen.proc.test.ts`]
const deaths = [`${gongTest}/program/screen-deaths.proc.test.ts`]

/** Bugs of the screen: its frames, keys, Markdown, questions, and the terminal that it leaves. */
export const plants: readonly Plant[] = [
  plant(
    "frame: a shorter row keeps its end",
    `${screen}/frame/pen.ts`,
    "(shown?.width ?? 0) > next.width &&",
    "(shown?.width ?? 0) > next.width + 1 &&",
    frame,
  ),
  plant(
    "frame: rows are inserted one too low",
    `${screen}/frame/pen.ts`,
    "      moveTo(row, 0)\n      bytes += `${CSI}${count}L`",
    "      moveTo(row + 1, 0)\n      bytes += `${CSI}${count}L`",
    frame,
  ),
  plant(
    "frame: what is below a shorter view stays",
    `${screen}/frame/frame.ts`,
    "if (last === 0 && more < 0) pen.eraseFrom(next.length)",
    "",
    frame,
  ),
  plant(
    "frame: the cursor is not at the caret",
    `${screen}/frame/frame.ts`,
    "pen.moveTo(first + caret.row, caret.column)",
    "pen.moveTo(first + caret.row, caret.column + 1)",
    frame,
  ),
  plant(
    "frame: a continued row begins a line",
    `${screen}/frame/pen.ts`,
    "if (!isLineStart && !keeps && above !== undefined) beginContinued(to, above)",
    "if (false) beginContinued(to, above as Drawn)",
    frame,
  ),
  plant(
    "frame: equal rows of other lines are taken for the same",
    `${screen}/frame/pen.ts`,
    "row.continues === true ? `>${key}` : key",
    "key",
    frame,
  ),
  plant(
    "frame: a style is not compared",
    `${screen}/frame/pen.ts`,
    "return one.role === other.role && one.link === other.link",
    "return one.link === other.link",
    [`${gongTest}/program/screen-text.proc.test.ts`, ...frame],
  ),
  plant(
    "frame: the column is not set behind an uncertain cluster",
    `${screen}/frame/pen.ts`,
    "if (part.isUncertain && at < columns)",
    "if (part.isUncertain && at < 0)",
    frame,
  ),
  plant(
    "frame: an image is drawn one row too high",
    `${screen}/frame/pen.ts`,
    "moveTo(to - row.image.rows + 1, at.column)",
    "moveTo(to - row.image.rows, at.column)",
    frame,
  ),
  plant(
    "frame: a view that is cut off continues the row above",
    `${gong}/modes/tui/view.ts`,
    "[{ spans: first.spans }, ...others]",
    "[first, ...others]",
    [`${gongTest}/modes/tui/fuzz/fuzz.test.ts`],
  ),
  plant(
    "keys: the end of a paste is not looked for across pieces",
    `${screen}/keys/keys.ts`,
    "text.length - partialEnd(text)",
    "text.length",
    keys,
  ),
  plant(
    "keys: control characters of a paste are kept",
    `${screen}/keys/keys.ts`,
    '.replaceAll(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f]/g, "")',
    "",
    keys,
  ),
  plant("keys: a lone Esc is lost", `${screen}/keys/keys.ts`, 'Array.from(text, () => key("escape"))', "[]", keys),
  plant("keys: the release of a key is a key", `${screen}/keys/keys.ts`, 'if (event === "3") return null', "", keys),
  plant(
    "keys: an unknown sequence is typed",
    `${screen}/keys/keys.ts`,
    "return isPartial ? null : { input: null, length: 2 }",
    "return isPartial ? null : { input: key(text.charAt(1)), length: 2 }",
    keys,
  ),
  plant(
    "keys: alt is shift",
    `${screen}/keys/keys.ts`,
    "shift: (bits & 1) !== 0, alt: (bits & 2) !== 0",
    "shift: (bits & 2) !== 0, alt: (bits & 1) !== 0",
    keys,
  ),
  plant(
    "markdown: an open emphasis is final",
    `${screen}/markdown/piece.ts`,
    "|| !isClosed(tokens[1]?.children ?? [])) continue",
    ") continue",
    markdown,
  ),
  plant(
    "markdown: what may be a heading is final",
    `${screen}/markdown/piece.ts`,
    "if (isEnd || blockStart.test(next)) continue",
    "if (isEnd) continue",
    markdown,
  ),
  plant(
    "markdown: items begin at 1 again",
    `${screen}/markdown/piece.ts`,
    "start + items.length - 1",
    "start",
    markdown,
  ),
  plant(
    "markdown: a fence ends at the first backticks",
    `${screen}/markdown/stream.ts`,
    "{${token.markup.length},}",
    "{1,}",
    markdown,
  ),
  plant(
    "markdown: the last line of a block is final",
    `${screen}/markdown/piece.ts`,
    "leaf < all.lastLeaf",
    "leaf <= all.lastLeaf",
    markdown,
  ),
  plant(
    "question: a key typed for the input answers",
    `${gong}/modes/tui/update.ts`,
    'if (isTyping && dialog.form.kind === "keys")',
    "if (false)",
    [...state, ...questions],
  ),
  plant(
    "question: yes counts before the end was shown",
    `${gong}/modes/tui/dialog/dialog.ts`,
    "if (key === undefined || (key.needsReading && !dialog.isRead))",
    "if (key === undefined)",
    [...state, ...questions],
  ),
  plant(
    "question: Esc is yes",
    `${gong}/modes/tui/dialog/questions.ts`,
    'switch (value !== null && "key" in value ? value.key : "n") {',
    'switch (value !== null && "key" in value ? value.key : "y") {',
    [...state, ...questions],
  ),
  plant(
    "question: always is once",
    `${gong}/modes/tui/dialog/questions.ts`,
    'return { choice: "always" }',
    'return { choice: "once" }',
    [...state, ...questions],
  ),
  plant(
    "question: a full-width letter is none",
    `${gong}/modes/tui/dialog/dialog.ts`,
    'const letter = typed?.normalize("NFKC").toLowerCase()',
    "const letter = typed?.toLowerCase()",
    [...state, ...questions],
  ),
  plant(
    "restore: the mode of pastes stays",
    `${gong}/terminal/modes.ts`,
    "${CSI}?1004l${CSI}?2004l",
    "${CSI}?1004l",
    deaths,
  ),
  plant("restore: the raw mode stays", `${gong}/terminal/tty.ts`, "      input.setRawMode(false)\n", "", [
    `${gongTest}/program/screen-keys.proc.test.ts`,
  ]),
  plant(
    "restore: nothing is done at the exit of the process",
    `${gong}/terminal/tty.ts`,
    "const removeExit = deps.onExit(restore)",
    "const removeExit = deps.onExit(() => undefined)",
    deaths,
  ),
  plant(
    "restore: the shell ends with Gong",
    `${gong}/terminal/restorer.ts`,
    "\"trap '' HUP INT QUIT TERM TTOU PIPE\",",
    '"exit 0",',
    deaths,
  ),
  plant(
    "restore: the mark of a killed process is not read",
    `${gong}/terminal-screen.ts`,
    "if (repairTerminal(marks)) {",
    "if (false) {",
    deaths,
  ),
  plant(
    "restore: the run is not waited for",
    "packages/app/src/controller/controller.ts",
    "      await runs.ended\n",
    "",
    deaths,
  ),
]

function plant(name: string, path: string, from: string, to: string, tests: readonly string[]): Plant {
  return { name, path, from, to, tests }
}

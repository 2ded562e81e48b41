import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"

/**
 * npm run picture: runs `gong demo --fast` and draws its output as docs/demo.svg.
 *
 * The text is the demo's own. Only names that differ each time get fixed ones: the temporary folder and the session's
 * id. The demo chooses its bug by the clock, so it runs until it has the one that the picture shows.
 */
const root = join(import.meta.dirname, "..")
const wanted = /- +9 {3}return price - percent$/m
const attempts = 300

const size = 14
/** Monospace letters are six tenths as wide as high; placing each span keeps columns straight in any font. */
const cell = size * 0.6
const lineHeight = 20
const margin = 20
const bar = 36
const fonts =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Sarasa Mono SC', 'Noto Sans Mono CJK SC', monospace"

writeFileSync(join(root, "docs/demo.svg"), svg(withFixedNames(demo()).trimEnd().split("\n")))

function demo(): string {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = runDemo()
    if (wanted.test(text)) return text
  }
  throw new Error(`none of ${attempts} demos had the bug of the picture`)
}

function runDemo(): string {
  const home = mkdtempSync(join(tmpdir(), "gong-picture-"))
  try {
    const env = {
      PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
      HOME: home,
      TMPDIR: home,
      GONG_HOME: join(home, ".gong"),
    }
    const launcher = join(root, "packages/gong/bin/gong.js")
    return execFileSync(process.execPath, [launcher, "demo", "--fast"], { cwd: root, env, encoding: "utf8" })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function withFixedNames(text: string): string {
  const id = /sessions show (\w+)/.exec(text)?.[1] ?? ""
  return text.replaceAll(/\S*gong-demo-\w+/g, "/tmp/gong-demo-k3x").replaceAll(id, "4f2a91c7")
}

/** A run of characters in one dress. */
type Span = readonly [text: string, dress: "" | "bold" | "dim" | "red" | "green" | "user"]

/** The styles of the demo's lines on a terminal. */
function spansOf(line: string): readonly Span[] {
  const tool = /^( {2})(ls|grep|read|bash|edit)( +)(.{45})(.*)$/.exec(line)
  if (tool) {
    const [, indent = "", name = "", gap = "", title = "", outcome = ""] = tool
    return [
      [indent, ""],
      [name, "bold"],
      [gap + title, ""],
      [outcome, "dim"],
    ]
  }
  if (/^ {4}- /.test(line)) return [[line, "red"]]
  if (/^ {4}\+ /.test(line)) return [[line, "green"]]
  if (/^[>$] /.test(line)) return [[line, "user"]]
  return [[line, ""]]
}

function svg(printed: readonly string[]): string {
  const lines = ["$ npx gong demo", ...printed]
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * cell) + 2 * margin
  const height = bar + lines.length * lineHeight + margin
  const rows = lines.map((line, index) => textRow(line, bar + (index + 1) * lineHeight - 5)).filter((row) => row !== "")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">gong demo in a terminal: Gong reads, finds the failing test, repairs it and shows that all tests pass</title>
<style>
  text { font: ${size}px ${fonts}; fill: #d5d8de; white-space: pre }
  .bold { font-weight: 600; fill: #ffffff } .dim { fill: #8d95a3 } .red { fill: #ff8b82 } .green { fill: #7ee2a0 } .user { fill: #8ecbff }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#16181d"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
<text x="${width / 2}" y="23" text-anchor="middle" class="dim">Gong (工)</text>
${rows.join("\n")}
</svg>
`
}

function textRow(line: string, y: number): string {
  let column = 0
  const spans = spansOf(line).flatMap(([text, dress]) => {
    const at = margin + (column + text.length - text.trimStart().length) * cell
    column += text.length
    const shown = escaped(text.trim())
    return shown === "" ? [] : [`<tspan x="${at.toFixed(1)}"${dress && ` class="${dress}"`}>${shown}</tspan>`]
  })
  return spans.length === 0 ? "" : `<text y="${y}" xml:space="preserve">${spans.join("")}</text>`
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { openEmulator } from "../testing/src/emulator.ts"
import { startModelServer, type ScriptedTurn } from "../testing/src/model-server.ts"

// CommonJS.
const { spawn } = createRequire(import.meta.url)("@lydell/node-pty") as typeof import("@lydell/node-pty")

/**
 * npm run picture: a conversation in a real pseudo-terminal, with a scripted model on loopback, up to a permission question;
 * what the terminal shows then is drawn as docs/terminal.svg.
 */
const root = join(import.meta.dirname, "..")
const size = { cols: 92, rows: 34 }
const cell = { width: 8.4, height: 19 }
const margin = 20
const bar = 36
const fonts =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Sarasa Mono SC', 'Noto Sans Mono CJK SC', monospace"
/** The first eight colours of the palette. */
const palette = ["#16181d", "#ff8b82", "#7ee2a0", "#f2d272", "#8ecbff", "#d6a8ff", "#7fdbe0", "#d5d8de"]

const source =
  "export function total(prices) {\n  let sum = 0\n  for (let i = 1; i < prices.length; i++) sum += prices[i]\n  return sum\n}\n"
const testSource = `import assert from "node:assert"\nimport { test } from "node:test"\nimport { total } from "./total.js"\n\ntest("total of three prices", () => assert.equal(total([1, 2, 3]), 6))\n`
const turns: readonly ScriptedTurn[] = [
  { calls: [{ name: "bash", args: { command: "node --test" } }] },
  { calls: [{ name: "read", args: { path: "total.js" } }] },
  {
    text: "The loop in `total.js` begins with **the second price**, since arrays begin at 0:\n\n```js\nfor (let i = 1; i < prices.length; i++) // 1 is left out\n```\n\nI repair it and run the tests again.",
    calls: [{ name: "edit", args: { path: "total.js", edits: [{ oldText: "let i = 1", newText: "let i = 0" }] } }],
  },
]

const folder = mkdtempSync(join(tmpdir(), "gong-picture-"))
const server = await startModelServer({ turns })
try {
  writeFileSync(join(root, "docs/terminal.svg"), svg(await played()))
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

async function played() {
  const repo = join(folder, "shop")
  mkdirSync(repo)
  writeFileSync(join(repo, "package.json"), '{ "type": "module" }\n')
  writeFileSync(join(repo, "total.js"), source)
  writeFileSync(join(repo, "total.test.js"), testSource)
  const launcher = join(root, "packages/gong/bin/gong.js")
  const model = ["--api", "openai-completions", "--base-url", `${server.url}/v1`, "--api-key", "none", "-m", "my-model"]
  const args = [launcher, "--permission", "ask", "--allow", "bash(node --test)", "--sandbox", "off", ...model]
  const pty = spawn(process.execPath, args, {
    ...size,
    name: "xterm-256color",
    cwd: repo,
    env: {
      PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
      HOME: folder,
      GONG_HOME: join(folder, ".gong"),
      LANG: "C.UTF-8",
    },
  })
  const emulator = openEmulator(size.cols, size.rows)
  pty.onData((bytes) => void emulator.write(bytes))
  const shows = async (text: string): Promise<void> => {
    for (let left = 200; left > 0; left--) {
      if (emulator.rows().some((row) => row.text.includes(text))) return
      await sleep(50)
    }
    throw new Error(`the terminal never showed ${text}`)
  }
  await shows("custom/my-model ·")
  emulator.terminal.clear()
  pty.write("\u000cThe test of total.js fails. Find out why, and repair it.\r")
  await shows("[y]es")
  await sleep(300)
  pty.kill()
  return emulator
}

type Emulated = Awaited<ReturnType<typeof played>>
type Buffer = Emulated["terminal"]["buffer"]["active"]
type Cell = NonNullable<ReturnType<NonNullable<ReturnType<Buffer["getLine"]>>["getCell"]>>

function svg({ terminal }: Emulated): string {
  const buffer = terminal.buffer.active
  const rows = Array.from({ length: size.rows }, (_, y) => rowOf(buffer, y))
  const last = rows.findLastIndex((row) => row !== "")
  const width = Math.ceil(size.cols * cell.width) + 2 * margin
  const height = bar + (last + 1) * cell.height + margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">Gong in a terminal: it has run the tests, explains the fault, and asks before it changes a file</title>
<style>text { font: 14px ${fonts}; fill: #d5d8de; white-space: pre }</style>
<rect width="${width}" height="${height}" rx="10" fill="#16181d"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
<text x="${width / 2}" y="23" text-anchor="middle" fill="#8d95a3">Gong (工)</text>
${rows.filter((row) => row !== "").join("\n")}
</svg>
`
}

/** Neighbouring cells with one style are one span. */
function rowOf(buffer: Buffer, y: number): string {
  const line = buffer.getLine(buffer.baseY + y)
  const spans: { x: number; text: string; style: string }[] = []
  for (let x = 0; x < size.cols; x++) {
    const at = line?.getCell(x)
    if (at === undefined || at.getWidth() === 0) continue
    const text = at.getChars() === "" ? " " : at.getChars()
    const style = styleOf(at)
    const open = spans.at(-1)
    if (open?.style === style) open.text += text
    else spans.push({ x, text, style })
  }
  const shown = spans
    .filter(({ text }) => text.trim() !== "")
    .map(({ x, text, style }) => {
      const left = margin + (x + text.length - text.trimStart().length) * cell.width
      return `<tspan x="${left.toFixed(1)}"${style}>${escaped(stable(text.trim()))}</tspan>`
    })
  const base = bar + (y + 1) * cell.height - 5
  return shown.length === 0 ? "" : `<text y="${base}" xml:space="preserve">${shown.join("")}</text>`
}

function styleOf(at: Cell): string {
  const color = at.isFgPalette()
    ? (palette[at.getFgColor()] ?? "#d5d8de")
    : at.isBold()
      ? "#ffffff"
      : at.isDim()
        ? "#8d95a3"
        : null
  return `${color === null ? "" : ` fill="${color}"`}${at.isBold() ? ' font-weight="600"' : ""}`
}

/** Without what differs from run to run. */
function stable(text: string): string {
  return text.replaceAll(folder, "~")
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

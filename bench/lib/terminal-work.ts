import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Bench, Figure } from "./lines.ts"
import { pssOf } from "./memory.ts"
import { monotonic } from "./run.ts"
import {
  cpuMs,
  ended,
  figure,
  frameEnd,
  gongScript,
  median,
  open,
  percentile,
  ready,
  start,
} from "./terminal-session.ts"

/** Work that is heavy for a screen. */
export async function terminalWork(bench: Bench): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const work of [commandOutput, pathCompletion, pasting, stopping]) figures.push(...(await work(bench)))
  return figures
}

const repeated = (text: string): string => text.repeat(Math.ceil(200_000 / text.length)).slice(0, 200_000)

const mixed = [
  "## Head\n\nSome **bold** text with `code` and [a link](http://a.b/c) that goes on for a while. Another sentence.\n",
  "- one\n- two *words*\n  - nested\n\n```ts\nconst a = 1 // note\nfoo(bar)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
].join("\n")

/** Texts of 200 KB. Those of the second list are made to be slow to parse. */
const documents = {
  mixed: repeated(mixed),
  "one list": repeated("- item with **bold** text and some more\n"),
  "one table": `| a | b |\n|---|---|\n${repeated("| x `c` | **y** and more |\n")}`,
  "one code block": `\`\`\`ts\n${repeated("const a = foo(1, 2, 'x')\n")}`,
  "one paragraph": repeated("some **bold** and `code` words here and so on "),
}
const hostile = {
  _a: repeated("_a"),
  "[": repeated("["),
  backticks: repeated("`a``"),
  "|": repeated("|"),
  "nested quotations": repeated("> "),
}

export async function longMarkdown(bench: Bench): Promise<readonly Figure[]> {
  const all = Object.entries({ ...documents, ...hostile })
  const texts = bench.smoke ? all.filter(([name]) => name === "mixed" || name === "[") : all
  const figures: Figure[] = []
  for (const [name, text] of texts) {
    const costs: number[] = []
    for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
      await bench.model.begin([{ text, delta: 200 }])
      const gong = await ready(bench)
      const cpu = cpuMs(gong.pty.pid)
      gong.pty.write("go\r")
      await ended(gong, bench, 1)
      costs.push((cpuMs(gong.pty.pid) - cpu) / 1_000)
      await gong.end()
    }
    figures.push(figure(`200 KB of Markdown, ${name}: CPU`, median(costs), { limit: 0.8, unit: "s" }))
    const frames: number[] = []
    for (let at = 0; at < (bench.smoke ? 1 : 5); at++) frames.push(await longestFrame(bench, text))
    figures.push(figure(`200 KB of Markdown, ${name}: longest frame`, median(frames), { limit: 16, unit: "ms" }))
  }
  return figures
}

/** Milliseconds, in a run with a probe, which is not used for the processor time. */
async function longestFrame(bench: Bench, text: string): Promise<number> {
  const file = join(bench.folder, "frames.json")
  const probe = join(import.meta.dirname, "frame-probe.cjs")
  await bench.model.begin([{ text, delta: 200 }])
  const gong = await ready(bench, [], undefined, { NODE_OPTIONS: `--require ${probe}`, FRAME_FILE: file })
  const since = monotonic() - gong.startedAt
  gong.pty.write("go\r")
  await ended(gong, bench, 1)
  await gong.end()
  const frames = JSON.parse(readFileSync(file, "utf8")) as readonly (readonly [at: number, ms: number])[]
  return Math.max(...frames.filter(([at]) => at > since).map(([, ms]) => ms))
}

/** 10 MB from a command, beside the same in print mode. */
async function commandOutput(bench: Bench): Promise<readonly Figure[]> {
  const command = "yes 'a line of output that has about sixty characters in it' | head -c 10000000"
  const turns = [{ calls: [{ name: "bash", args: { command } }] }, { text: "Done." }]
  const costs: number[] = []
  const growth: number[] = []
  for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
    await bench.model.begin(turns)
    const gong = await ready(bench)
    const [cpu, pss] = [cpuMs(gong.pty.pid), pssOf(gong.pty.pid)]
    gong.pty.write("go\r")
    await ended(gong, bench, 2)
    costs.push((cpuMs(gong.pty.pid) - cpu) / 1_000)
    growth.push((pssOf(gong.pty.pid) - pss) / 1e6)
    await gong.end()
  }
  return [
    figure("10 MB from a command: CPU", median(costs), { limit: 0.5, unit: "s" }),
    figure("10 MB from a command: memory (PSS)", median(growth), { limit: 15, unit: "MB" }),
  ]
}

const FOLDERS = 1_000

/** A path after @ in a repository of 100,000 files. */
async function pathCompletion(bench: Bench): Promise<readonly Figure[]> {
  const files = bench.smoke ? 10 : 100
  const prepare = (_: string, repo: string): void => {
    for (let folder = 0; folder < FOLDERS; folder++) {
      const path = join(repo, `packages/pkg${folder % 97}/module${folder}`)
      mkdirSync(path, { recursive: true })
      for (let file = 0; file < files; file++) writeFileSync(join(path, `component${folder * files + file}.ts`), "")
    }
  }
  const gong = await ready(bench, [], prepare)
  const first = monotonic()
  gong.pty.write("@comp")
  const listed = (await gong.until("component0.ts")) - first
  const keys: number[] = []
  for (const key of "onent77") {
    await sleep(200)
    const from = gong.output().length
    const before = monotonic()
    gong.pty.write(key)
    // The list of the new query comes after the key itself.
    while (!gong.output().slice(from).includes(frameEnd) || monotonic() - before < 1) await sleep(0.5)
    keys.push(monotonic() - before)
  }
  await gong.end()
  const count = (FOLDERS * files).toLocaleString("en")
  return [
    figure(`@ over ${count} files: the first list`, listed, { limit: 300, unit: "ms" }),
    figure(`@ over ${count} files: a key after that`, percentile(keys, 90), { limit: 25, unit: "ms" }),
  ]
}

/** Reads a paste in raw mode. */
const pasteProgram = `process.stdin.setRawMode(true);process.stdout.write("\\x1b[?2004h> ");let n=0
process.stdin.on("data",(d)=>{n+=d.length;if(d.includes("\\x1b[201~"))process.stdout.write("READ "+n)})`

/** 1 MB pasted, to its marker in the input. */
async function pasting(bench: Bench): Promise<readonly Figure[]> {
  const text = "a line of pasted text\n".repeat(47_663)
  const pasted = `\u001B[200~${text}\u001B[201~`
  const times: number[] = []
  const floors: number[] = []
  for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
    const bare = start(bench, [bench.node, "-e", pasteProgram])
    await bare.until("> ")
    const floor = monotonic()
    bare.pty.write(pasted)
    floors.push((await bare.until("READ ")) - floor)
    await bare.end()
    const gong = await ready(bench)
    const before = monotonic()
    gong.pty.write(pasted)
    times.push((await gong.until("[paste 1: ")) - before)
    await gong.end()
  }
  return [figure("1 MB pasted, to its marker", median(times), { floor: median(floors), limit: 200, unit: "ms" })]
}

/** From Esc to the end of the run, under a command and while text streams. */
async function stopping(bench: Bench): Promise<readonly Figure[]> {
  const under = [{ calls: [{ name: "bash", args: { command: "sleep 30" } }] }]
  const streamed = [{ text: "words of a long reply ".repeat(2_000), delta: 20, delayMs: 10 }]
  const figures: Figure[] = []
  for (const [name, turns] of [
    ["a command runs", under],
    ["text streams", streamed],
  ] as const) {
    const times: number[] = []
    for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
      await bench.model.begin([...turns])
      const gong = await ready(bench)
      gong.pty.write("go\r")
      await gong.until("Esc stops")
      await sleep(1_000)
      const before = monotonic()
      gong.pty.write("\u001B")
      times.push((await gong.until("Stopped.")) - before)
      await gong.end()
    }
    figures.push(figure(`Esc to stopped while ${name}`, median(times), { limit: 200, unit: "ms" }))
  }
  return figures
}

/** Opens a session of 10,000 messages, and one of 100,000, which were another agent's. */
export async function longSession(bench: Bench): Promise<readonly Figure[]> {
  if (bench.smoke) return openSession(bench, 1_000, 200)
  return [...(await openSession(bench, 10_000, 200)), ...(await openSession(bench, 100_000, 300))]
}

async function openSession(bench: Bench, messages: number, limit: number): Promise<readonly Figure[]> {
  const times: number[] = []
  for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
    const gong = open(bench, ["-c"], (home, repo) => importSession(bench, { home, repo, messages }))
    times.push((await gong.until(`LAST REPLY`)) - gong.startedAt)
    await gong.end()
  }
  const count = messages.toLocaleString("en")
  return [figure(`open a session of ${count} messages, to its last lines`, median(times), { limit, unit: "ms" })]
}

interface ImportedSession {
  readonly home: string
  readonly repo: string
  readonly messages: number
}

function importSession({ node }: Bench, { home, repo, messages }: ImportedSession): void {
  const sessionId = "0b5c7a52-0000-4000-8000-000000000001"
  const base = { sessionId, cwd: repo, version: "2.1.197", userType: "external", isSidechain: false }
  const lines = Array.from({ length: messages }, (_, at) => {
    const isUser = at % 2 === 0
    const text = at >= messages - 1 ? "LAST REPLY" : `message ${at} ${"word ".repeat(20)}`
    const content = isUser ? text : [{ type: "text", text }]
    const reply = { id: `msg_${at}`, type: "message", model: "claude-sonnet-4-5" }
    return JSON.stringify({
      ...base,
      type: isUser ? "user" : "assistant",
      uuid: `u${at}`,
      parentUuid: at === 0 ? null : `u${at - 1}`,
      timestamp: new Date(Date.UTC(2026, 10, 1) + at * 1_000).toISOString(),
      message: { role: isUser ? "user" : "assistant", content, ...(isUser ? {} : reply) },
    })
  })
  const folder = join(home, ".claude/projects", repo.replaceAll(/[^a-zA-Z0-9]/g, "-"))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join("\n")}\n`)
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GONG_HOME: join(home, "gong"), GONG_DIST: "1" }
  const gong = (...args: readonly string[]) => execFileSync(node, [gongScript, ...args], { cwd: repo, env })
  gong("import", "--from", "claude", "--sessions")
  // As after any earlier start: the index of sessions is complete.
  gong("sessions")
}

/**
 * Figures of the index: node bench/index.ts [--scale 0.1] [--json]. A home of 1,000 tapes / 1 GB (times the scale), made of this
 * repository's own text from a seed: rebuild, size, search, catching up. And one of 5,000 small sessions (times the scale): the list.
 */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Clock, Ids } from "@gong/spec"
import { openIndex, type TapeIndex } from "../packages/tape/src/index/index.ts"
import { type AppendEntry, createTape } from "../packages/tape/src/index.ts"
import { createStore, nodeDisk, nodeMachine, type StorePorts } from "../packages/tape/src/store/file.ts"

const { values } = parseArgs({ options: { scale: { type: "string", default: "0.1" }, json: { type: "boolean" } } })
const scale = Number(values.scale)

const clock: Clock = {
  now: () => Date.now(),
  sleep: () => Promise.resolve(),
  timer: () => () => {},
}
let count = 0
const ids: Ids = { entry: () => (count++).toString(36).padStart(12, "0"), tape: () => `t${count++}` }
const ports: StorePorts = { disk: nodeDisk(), clock, ids, machine: nodeMachine() }

let state = 42
function dice(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return (state >> 8) % below
}

const root = join(import.meta.dirname, "..")
const sources = ["packages", "docs", "scripts"]
  .flatMap((folder) => fs.globSync(`${folder}/**/*.{ts,md}`, { cwd: root, exclude: (name) => name === "node_modules" }))
  .toSorted()
  .map((file) => fs.readFileSync(join(root, file), "utf8"))
const han = "会话搜索修复测试文件错误索引记录恢复模型提示权限工具运行结果重建中文查询分支合并导入导出磁盘空间编辑撤销"

/** Text like the output of tools: a piece of this repository, sometimes followed by Chinese. */
function text(length: number): string {
  const source = sources[dice(sources.length)] ?? ""
  const from = dice(Math.max(1, source.length - length))
  const chinese = dice(10) === 0 ? Array.from({ length: 80 }, () => han[dice(han.length)]).join("") : ""
  return source.slice(from, from + length) + chinese
}

function main(): void {
  const folder = fs.mkdtempSync(join(tmpdir(), "gong-bench-index-"))
  try {
    const figures = { ...searching(folder), ...listing(folder) }
    if (values.json === true) console.log(JSON.stringify(figures))
    else for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(60)} ${value}`)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

function searching(folder: string): Readonly<Record<string, string>> {
  const sessions = `${folder}/big`
  const tapes = Math.max(1, Math.round(1000 * scale))
  for (let n = 0; n < tapes; n++) makeTape(sessions, `big-${n}`, 300)
  const index = openIndex(ports, { file: `${folder}/big.db`, source: { sessions } })
  const before = process.cpuUsage()
  const { bytes } = index.rebuild()
  const { user, system } = process.cpuUsage(before)
  const perSecond = bytes / ((user + system) / 1e6) / 1e6
  const words = ["会话", "salvage", "parseArgs", '"torn last line"', "session tape branch", "par", "const"]
  const times = words.map(
    (word) => [word, median(Array.from({ length: 9 }, () => timeOf(() => index.search(word))))] as const,
  )
  const quiet = median(Array.from({ length: 9 }, () => timeOf(() => index.catchUp())))
  index.close()
  const size = fs.statSync(`${folder}/big.db`).size
  return {
    [`rebuild of ${tapes} tapes / ${(bytes / 1e6).toFixed(0)} MB, MB/s of one core (budget 20)`]: perSecond.toFixed(1),
    "  index, times the text (budget 0.4)": (size / bytes).toFixed(3),
    ...Object.fromEntries(times.map(([word, ms]) => [`  search for ${word}, ms (budget 50)`, ms.toFixed(2)])),
    "  nothing new, ms": quiet.toFixed(2),
  }
}

/** Without the 40 ms of the process start: opening the index, checking for new entries, and listing the newest hundred. */
function listing(folder: string): Readonly<Record<string, string>> {
  const sessions = `${folder}/small`
  const tapes = Math.max(1, Math.round(5000 * scale))
  for (let n = 0; n < tapes; n++) makeTape(sessions, `small-${n}`, 1)
  const open = (): TapeIndex => openIndex(ports, { file: `${folder}/small.db`, source: { sessions } })
  const first = open()
  first.rebuild()
  first.close()
  const times = Array.from({ length: 9 }, () =>
    timeOf(() => {
      const index = open()
      index.catchUp()
      index.list({ workspace: "/w", limit: 100 })
      index.close()
    }),
  )
  return { [`list of ${tapes} sessions, ms (budget 100 for 5,000)`]: median(times).toFixed(1) }
}

/** About 1 MB for 300 rounds. */
function makeTape(sessions: string, id: string, rounds: number): void {
  const tape = createTape(createStore(ports, { sessions, id, cwd: "/w", workspace: "/w" }), ports)
  tape.append([{ type: "input", kind: "prompt", text: text(80), source: "user" }], { sync: false })
  for (let n = 0; n < rounds; n++) tape.append(round(`c${n}`), { sync: false })
  tape.close()
}

function round(id: string): readonly AppendEntry[] {
  const call = {
    type: "tool_call" as const,
    id,
    name: "read",
    arguments: { path: `src/file-${dice(1000)}.ts` },
  }
  const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const model = { provider: "acme", id: "m", api: "scripted" }
  const content = [{ type: "text" as const, text: text(120) }, call]
  const result = {
    role: "tool" as const,
    toolCallId: id,
    toolName: "read",
    details: null,
    isError: false,
    status: "ok" as const,
  }
  return [
    {
      type: "message",
      message: { role: "assistant", content: content, model, stopReason: "tool_calls", usage, cost: 0.001 },
    },
    { type: "tool_start", callId: id, name: "read", title: call.arguments.path },
    { type: "message", message: { ...result, content: [{ type: "text", text: text(500 + dice(5000)) }] } },
  ]
}

function timeOf(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
}

main()

/** Measures compaction: node bench/compaction.ts [--json]. Its own work on 200,000 tokens, without the time of the model. */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Clock, Ids } from "@gong/spec"
import { estimateTokens } from "../packages/spec/src/index.ts"
import { scriptedProvider } from "../packages/llm/src/scripted/provider.ts"
import { type AppendEntry, context, createTape, type Tape } from "../packages/tape/src/index.ts"
import { createStore, nodeDisk, nodeMachine, type StorePorts } from "../packages/tape/src/store/file.ts"
import { noTemplates } from "../packages/session/src/input/template-expander.ts"
import { createSession, type Session } from "../packages/session/src/session.ts"

const clock: Clock = {
  now: () => Date.now(),
  sleep: () => Promise.resolve(),
  timer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

let count = 0
const ids: Ids = {
  entry: () => (count++).toString(36).padStart(12, "0"),
  tape: () => `bench-${process.pid}-${count++}`,
}

const ports: StorePorts = { disk: nodeDisk(), clock, ids, machine: nodeMachine() }
const wanted = 200_000
const runs = 9

async function main(): Promise<void> {
  const folder = fs.mkdtempSync(join(tmpdir(), "gong-bench-compaction-"))
  try {
    const figures: Record<string, string> = {}
    for (const [name, text] of Object.entries(texts)) {
      const times: number[] = []
      for (let run = 0; run < runs; run++) times.push(await compacted(folder, text))
      const [first = 0, ...others] = times
      figures[`compact 200,000 tokens of ${name}, ms (budget 100)`] = median(others).toFixed(1)
      figures[`  the first time in a process, ms`] ??= first.toFixed(1)
    }
    if (process.argv.includes("--json")) console.log(JSON.stringify(figures))
    else for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(58)} ${value}`)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

const line = "  const found = items.filter((item) => item.name === wanted) // see below\n"
const texts = { code: line.repeat(40), Chinese: "压缩较早的对话，保留最近的内容。\n".repeat(40) }

/** Milliseconds from the command to its entry on the disk; the model answers immediately. */
async function compacted(folder: string, text: string): Promise<number> {
  const tape = createTape(createStore(ports, { sessions: folder, id: ids.tape(), cwd: "/w", workspace: "/w" }), ports)
  fill(tape, text)
  const session = sessionOn(tape)
  const began = performance.now()
  const end = await session.compact()
  const ms = performance.now() - began
  if (end.status !== "done") throw new Error(`it was not compacted: ${end.failure?.message}`)
  tape.close()
  return ms
}

function fill(tape: Tape, text: string): void {
  const followed = tape.follow(context)
  for (let at = 0; estimateTokens(followed.value.messages) < wanted; at++) {
    const path = `src/file-${at}.ts`
    tape.append([...(at % 10 === 0 ? [user(`and now ${at}`)] : []), reply(`c${at}`, path), result(`c${at}`, text)], {
      sync: false,
    })
  }
}

function user(text: string): AppendEntry {
  return { type: "message", message: { role: "user", content: [{ type: "text", text }] } }
}

function reply(id: string, path: string): AppendEntry {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const model = { provider: "bench", id: "m", api: "scripted" }
  const content = [{ type: "tool_call", id, name: "read", arguments: { path } } as const]
  return { type: "message", message: { role: "assistant", content, model, stopReason: "tool_calls", usage, cost: 0 } }
}

function result(toolCallId: string, text: string): AppendEntry {
  const content = [{ type: "text", text } as const]
  const message = { role: "tool", toolCallId, toolName: "read", content, details: null, isError: false } as const
  return { type: "message", message: { ...message, status: "ok" } }
}

function sessionOn(tape: Tape): Session {
  const never = () => Promise.reject(new Error("nothing runs here"))
  return createSession({
    tape,
    provider: scriptedProvider([{ text: "## Goal\nto be compacted" }], { clock }),
    thinking: "off",
    tools: () => [],
    declared: () => null,
    prompt: { build: () => "a system prompt" },
    expander: noTemplates,
    lastPrompt: null,
    hooks: [],
    fallbacks: [],
    telemetry: null,
    bash: null,
    policy: { decide: never, remember: async () => undefined, level: "auto", setLevel: () => undefined },
    interactive: false,
    redact: (text) => text,
    limits: {},
    strict: false,
    toolExecution: "parallel",
    files: {
      host: () => {
        throw new Error("no file is changed here")
      },
      remake: never,
    },
    changeDetector: null,
    settings: () => ({
      answerTime: null,
      writeGuard: true,
      retry: { count: 0, baseMs: 1, random: () => 0 },
      queue: { steer: "all", followUp: "one" },
      compaction: { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider: null },
    }),
    clock,
    ids,
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

await main()

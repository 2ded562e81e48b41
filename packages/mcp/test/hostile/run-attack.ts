import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import { type CallContext, createServer, resultOf, type ServerRecord, type StartProgram } from "@gong/mcp"
import type { ToolContext } from "@gong/spec"
import { partsResult } from "@gong/tools/parts"
import { systemClock } from "@gong/app/ports"
import { Client } from "@modelcontextprotocol/client"
import { StdioTransport } from "../../src/connection/stdio.ts"

/** What a model or a user would get of a server. */
export interface View {
  tools: readonly { readonly name: string; readonly description: string; readonly schema?: unknown }[]
  prompts: readonly unknown[]
  text: string
  images: readonly string[]
  files: readonly string[]
  log: string
  stderr: number
  questions: string[]
}

export interface Attack {
  /** The attack has succeeded. */
  through(view: View): boolean
  /** The same without the guard, where it differs. */
  raw?(view: View): boolean
  /** The tool that is called. */
  readonly call?: string
  /** Called a second time, after its server has announced a change. */
  readonly again?: boolean
  /** Starts of the server before the call. Default 1. */
  readonly starts?: number
  /** Why there is nothing to see without the guard: the bounds alone are checked. */
  readonly control?: string
  /** Without the guard the library itself refuses it. */
  readonly rejects?: boolean
}

export interface Measured {
  readonly view: View
  /** Milliseconds of the longest block of the event loop. */
  readonly blocked: number
  /** Bytes at the peak over the state before. */
  readonly memory: number
}

const server = fileURLToPath(import.meta.resolve("@gong/testing/mcp/hostile-server.mjs"))
const module_ = fileURLToPath(new URL("attacks.mjs", import.meta.url))

/** Milliseconds. */
const callTime = 3_000
const startTime = 1_500

function program(name: string, start: number, onStderr: (bytes: Uint8Array) => void): StartProgram {
  return async ({ onOutput, onEnd }) => {
    const child = spawn(process.execPath, [server, module_, name], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, STARTS: String(start) },
    })
    child.stdin.on("error", () => undefined)
    child.stdout.on("data", onOutput)
    child.stderr.on("data", onStderr)
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
    child.on("exit", (code) => onEnd(`it ended with status ${code}`))
    return {
      write: (text) => child.stdin.writable && child.stdin.write(text) !== undefined,
      async end() {
        child.kill("SIGKILL")
        await ended
      },
    }
  }
}

function emptyView(): View {
  return { tools: [], prompts: [], text: "", images: [], files: [], log: "", stderr: 0, questions: [] }
}

/** A server as sessions use it. */
export async function guarded(name: string, attack: Attack): Promise<Measured> {
  const view = emptyView()
  let record: ServerRecord | null = null
  const folder = mkdtempSync(join(tmpdir(), "gong-hostile-"))
  const artifacts: NonNullable<ToolContext["artifacts"]> = {
    put: async () => "sha256-0",
    get: async () => null,
    spillPath: async (file) => join(folder, file),
  }
  const context: CallContext = {
    signal: new AbortController().signal,
    session: 0,
    onProgress: () => undefined,
    async ask({ question }) {
      view.questions.push(question)
      return { by: "user" }
    },
  }
  // The guard's own limits, in less time.
  const clock = {
    ...systemClock,
    timer: (ms: number, work: () => void) => systemClock.timer(ms === 30_000 ? startTime : ms, work),
  }
  const open = (start: number) =>
    createServer({
      name: "hostile",
      version: "0",
      clock,
      record: { load: () => record, save: (next) => void (record = next) },
      endpoint: async () => ({
        kind: "stdio",
        start: program(name, start, (bytes) => (view.log = (view.log + String(bytes)).slice(-65_536))),
      }),
      roots: () => ["file:///work"],
      login: null,
      callTime,
      log: (line) => void (view.log = (view.log + line).slice(-65_536)),
      onChanged: () => undefined,
    })
  return measured(view, async () => {
    const { starts = 1, call, again } = attack
    for (let start = 1; start <= starts; start++) {
      const mcp = open(start)
      try {
        await mcp.start(context)
        if (start < starts || call === undefined) continue
        const called = async (): Promise<void> => {
          const { parts } = resultOf(await mcp.call(call, {}, context))
          const files = parts.flatMap((part) => (part.kind === "bytes" ? [part.name] : []))
          const result = await partsResult("", parts, {}, { artifacts, signal: context.signal })
          const { content } = result
          view.text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
          view.images = content.flatMap((block) => (block.type === "image" ? [block.mimeType] : []))
          view.files = files.filter((file) => view.text.includes(`written to ${file}`))
        }
        await called()
        if (again !== true) continue
        await new Promise((resolve) => setTimeout(resolve, 2_600))
        view.text = ""
        await called()
      } catch (error) {
        view.text = `failed: ${error instanceof Error ? error.message : String(error)}`
      } finally {
        view.tools = (mcp.tools() ?? []).map(({ exposed, description, schema }) => ({
          name: exposed,
          description,
          schema,
        }))
        view.prompts = mcp.prompts()
        await mcp.end()
      }
    }
    rmSync(folder, { recursive: true })
  })
}

/** The client library alone. */
export async function unguarded(name: string, attack: Attack): Promise<View> {
  const view = emptyView()
  const stop = AbortSignal.timeout(20_000)
  const start = program(name, attack.starts ?? 1, (bytes) => (view.stderr += bytes.length))
  try {
    const client = new Client({ name: "unguarded", version: "0" }, { capabilities: { elicitation: {} } })
    client.onerror = ({ message }) => (view.log += message)
    await client.connect(new StdioTransport(start, systemClock), { signal: stop })
    const { tools } = await client.listTools({}, { signal: stop })
    view.tools = tools.map(({ inputSchema, description = "", ...rest }) => ({
      ...rest,
      description,
      schema: inputSchema,
    }))
    view.prompts = (await client.listPrompts({}, { signal: stop })).prompts
    if (attack.call !== undefined) {
      const result = await client.callTool({ name: attack.call, arguments: {} }, { signal: stop, timeout: callTime })
      view.text = result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
      view.images = result.content.flatMap((block) => (block.type === "image" ? [block.mimeType] : []))
    }
    await client.close()
  } catch (error) {
    view.text = `failed: ${error instanceof Error ? error.message : String(error)}`
  }
  return view
}

async function measured(view: View, work: () => Promise<void>): Promise<Measured> {
  globalThis.gc?.()
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  let peak = before
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const sampling = setInterval(() => (peak = Math.max(peak, used())), 10)
  try {
    await work()
  } finally {
    clearInterval(sampling)
    delay.disable()
  }
  return { view, blocked: delay.max / 1e6, memory: Math.max(peak, used()) - before }
}

import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import type { TestContext } from "node:test"
import type { Event } from "@gong/spec"
import type { ArgsOf, CommandName } from "@gong/app/controller/commands"
import type { Answers } from "@gong/app/controller/data"
import type { RpcError } from "../../src/modes/rpc/protocol.ts"
import { launcher, type Run, type Stage } from "./harness.ts"

type Numbered = { readonly seq: number; readonly time: string }
type EventLine = Event & Numbered
interface ResponseLine extends Numbered {
  readonly type: "response"
  readonly id?: string | number
  readonly command: string | null
  readonly success: boolean
  readonly data?: unknown
  readonly error?: RpcError
}

/** A client of `gong rpc`. */
export interface RpcClient {
  readonly child: ChildProcess
  /** All lines so far. */
  readonly lines: readonly (EventLine | ResponseLine)[]
  /** Writes to stdin unchanged. */
  write(text: string | Uint8Array): void
  /** Sends a command and returns its data; the command must succeed. */
  request<C extends CommandName>(type: C, args?: ArgsOf<C>): Promise<Answers[C]>
  /** Sends a command that must fail, and returns the error. */
  refused(type: string, args?: Readonly<Record<string, unknown>>): Promise<RpcError>
  /** The next event of this type; rejects when the program exits without it. */
  event<T extends Event["type"]>(type: T): Promise<Extract<EventLine, { type: T }>>
  /** The next response without an id. */
  unnamed(): Promise<ResponseLine>
  /** Closes stdin. */
  close(): void
  readonly ended: Promise<Run>
}

/** Starts `gong rpc` on a stage; killed when the test ends. */
export function startRpc(t: TestContext, stage: Stage, args: readonly string[] = [], env: object = {}): RpcClient {
  const child = spawn(process.execPath, [launcher, "rpc", ...args], {
    cwd: stage.repo,
    env: { ...stage.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  t.after(() => child.kill("SIGKILL"))
  child.stdin.on("error", () => undefined)
  const reader = readLines(child)
  let count = 0
  const send = (type: string, args: object): Promise<ResponseLine> => {
    const id = `c${++count}`
    child.stdin.write(`${JSON.stringify({ id, type, ...args })}\n`)
    return reader.next((line): line is ResponseLine => line.type === "response" && line.id === id)
  }
  return {
    child,
    lines: reader.lines,
    write: (text) => child.stdin.write(text),
    async request(type, given) {
      const { success, data, error } = await send(type, given ?? {})
      assert.ok(success, `${type}: ${JSON.stringify(error)}`)
      return data as never
    },
    async refused(type, given = {}) {
      const { success, error } = await send(type, given)
      assert.ok(!success && error, `${type} is refused`)
      return error
    },
    event: (type) => reader.next((line): line is never => line.type === type),
    unnamed: () => reader.next((line): line is ResponseLine => line.type === "response" && line.id === undefined),
    close: () => child.stdin.end(),
    ended: reader.ended,
  }
}

type Line = EventLine | ResponseLine

function readLines(child: ChildProcess) {
  const lines: Line[] = []
  const seen = new Set<Line>()
  const waiting = new Set<{ is(line: Line): boolean; resolve(line: Line): void; reject(error: Error): void }>()
  let out = ""
  let err = ""
  let rest = ""
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => (err += piece))
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    out += piece
    const texts = (rest + piece).split("\n")
    rest = texts.pop() ?? ""
    for (const text of texts) take(JSON.parse(text) as Line)
  })
  function take(line: Line): void {
    lines.push(line)
    for (const one of waiting) {
      if (!one.is(line)) continue
      waiting.delete(one)
      seen.add(line)
      one.resolve(line)
      return
    }
  }
  const ended = new Promise<Run>((resolve) =>
    child.once("close", (status, signal) => {
      for (const one of waiting) one.reject(new Error(`ended with ${status ?? signal}: ${err}`))
      resolve({ status, signal, out, err })
    }),
  )
  async function next<L extends Line>(is: (line: Line) => line is L): Promise<L> {
    const found = lines.find((line) => !seen.has(line) && is(line))
    if (found) seen.add(found)
    return (found ?? (await new Promise<Line>((resolve, reject) => waiting.add({ is, resolve, reject })))) as L
  }
  return { lines, next, ended }
}

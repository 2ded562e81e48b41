import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import type { TestContext } from "node:test"
import type { Event } from "@gong/spec"
import type { ArgsOf, CommandName } from "@gong/app/controller/commands"
import type { Answers } from "@gong/app/controller/data"
import type { RpcError } from "../../src/modes/rpc/protocol.ts"
import { launcher, type Run, type Stage } from "./harness.ts"

type Numbered = { readonly seq: number; readonly time: string }
type Happened = Event & Numbered
interface Answered extends Numbered {
  readonly type: "response"
  readonly id?: string | number
  readonly command: string | null
  readonly success: boolean
  readonly data?: unknown
  readonly error?: RpcError
}

/** Another program that works with `gong rpc`. */
export interface RpcClient {
  readonly child: ChildProcess
  /** Every line so far. */
  readonly lines: readonly (Happened | Answered)[]
  /** Writes text as it is. */
  write(text: string | Uint8Array): void
  /** Sends a command and gives what it answered, which must be a success. */
  ask<C extends CommandName>(type: C, args?: ArgsOf<C>): Promise<Answers[C]>
  /** Sends a command that must be refused. */
  refused(type: string, args?: Readonly<Record<string, unknown>>): Promise<RpcError>
  /** The first event of this type that no earlier call has given; rejects when the program ends without it. */
  event<T extends Event["type"]>(type: T): Promise<Extract<Happened, { type: T }>>
  /** The response without an id that no earlier call has given. */
  unnamed(): Promise<Answered>
  /** Closes the client's end. */
  close(): void
  readonly ended: Promise<Run>
}

/** Starts `gong rpc` on a stage; it is killed when the test ends. */
export function startRpc(t: TestContext, stage: Stage, args: readonly string[] = [], env: object = {}): RpcClient {
  const child = spawn(process.execPath, [launcher, "rpc", ...args], {
    cwd: stage.repo,
    env: { ...stage.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  t.after(() => child.kill("SIGKILL"))
  child.stdin.on("error", () => undefined)
  const said = readLines(child)
  let count = 0
  const send = (type: string, args: object): Promise<Answered> => {
    const id = `c${++count}`
    child.stdin.write(`${JSON.stringify({ id, type, ...args })}\n`)
    return said.next((line): line is Answered => line.type === "response" && line.id === id)
  }
  return {
    child,
    lines: said.lines,
    write: (text) => child.stdin.write(text),
    async ask(type, given) {
      const { success, data, error } = await send(type, given ?? {})
      assert.ok(success, `${type}: ${JSON.stringify(error)}`)
      return data as never
    },
    async refused(type, given = {}) {
      const { success, error } = await send(type, given)
      assert.ok(!success && error, `${type} is refused`)
      return error
    },
    event: (type) => said.next((line): line is never => line.type === type),
    unnamed: () => said.next((line): line is Answered => line.type === "response" && line.id === undefined),
    close: () => child.stdin.end(),
    ended: said.ended,
  }
}

type Line = Happened | Answered

function readLines(child: ChildProcess) {
  const lines: Line[] = []
  const given = new Set<Line>()
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
      given.add(line)
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
    const found = lines.find((line) => !given.has(line) && is(line))
    if (found) given.add(found)
    return (found ?? (await new Promise<Line>((resolve, reject) => waiting.add({ is, resolve, reject })))) as L
  }
  return { lines, next, ended }
}

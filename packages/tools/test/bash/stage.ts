import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { settle } from "@gong/testing/sim/clock"
import { createMemoryHost } from "../../src/host/memory.ts"
import { createBashTool, createJobs, type BashOptions } from "../../src/index.ts"
import { context, messages } from "../workspace.ts"

/** A command controlled by the test. */
export interface Actor {
  readonly command: string
  readonly options: ExecOptions
  print(text: string | Uint8Array, stream?: "stdout" | "stderr"): void
  /** Exits with a code, as a kill would. */
  exit(code: number, note?: string): Promise<void>
}

/** The tool with a clock and commands that advance only on request. */
export function stage(options: BashOptions = {}) {
  const clock = manualClock()
  const actors: Actor[] = []
  const ended: (readonly string[])[] = []
  const memory = createMemoryHost({
    exec(command, execOptions) {
      const { promise, resolve } = Promise.withResolvers<ExecResult>()
      execOptions.signal.addEventListener("abort", () => resolve({ code: null, signal: "SIGKILL" }))
      actors.push({
        command: String(command),
        options: execOptions,
        print: (text, stream = "stdout") =>
          execOptions.onData(typeof text === "string" ? Buffer.from(text) : text, stream),
        async exit(code, note) {
          resolve({ code, signal: null, ...(note !== undefined && { note }) })
          await settle()
        },
      })
      return promise
    },
  })
  const host: Host = { ...memory, endJobs: async (keep = []) => void ended.push(keep) }
  const jobs = createJobs()
  const tool = createBashTool("/work", { host, clock, jobs, ...options })
  return {
    clock,
    jobs,
    tool,
    actors,
    /** The jobs to keep, of each `endJobs` call. */
    ended,
    /** Starts a call and runs it up to its wait. */
    async begin(args: Parameters<typeof tool.execute>[1], more: Parameters<typeof context>[0] = {}) {
      const call = tool.execute("call", args, context(more))
      await settle()
      const text = async () => messages(await call)
      return { call, text, actor: actors.at(-1) as Actor }
    },
    /** Moves a command to the background; job numbers start at 1. */
    async background(command: string): Promise<Actor> {
      const { call, actor } = await this.begin({ command })
      await clock.advance(120_000)
      await call
      return actor
    },
  }
}

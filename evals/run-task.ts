import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Agent } from "./agents.ts"
import { runCheck, writeFiles } from "./check.ts"
import { startMeter, type Usage } from "./meter.ts"
import type { Task } from "./task.ts"

export interface EvalOptions {
  readonly baseUrl: string
  readonly model: string
  /** Sent to the server; null: none. Agents never get it. */
  readonly key: string | null
  /** Tokens of the model's window, for agents that must be told. */
  readonly window: number
  /** Seconds for one task. */
  readonly timeout: number
}

/** The line of one task. */
export interface TaskResult extends Usage {
  readonly agent: string
  readonly task: string
  readonly solved: boolean
  /** Why not: the first line of the check's error. */
  readonly why: string | null
  /** By tool and status; null if the agent does not tell. */
  readonly failedCalls: Readonly<Record<string, number>> | null
  readonly seconds: number
  /** Exit status of the agent; null: it ran out of time. */
  readonly status: number | null
}

/** Gives a task to an agent, in a new workspace and with a new home, and checks what it left. */
export async function runTask(agent: Agent, task: Task, options: EvalOptions): Promise<TaskResult> {
  const root = mkdtempSync(join(tmpdir(), "gong-eval-"))
  const [workspace, home] = [join(root, "workspace"), join(root, "home")]
  const meter = await startMeter(options.baseUrl, options.key)
  try {
    for (const folder of [workspace, home]) mkdirSync(folder)
    writeFiles(workspace, { "package.json": '{ "type": "module" }\n', ...task.files })
    commit(workspace)
    const argv = agent.start({ ...options, prompt: task.prompt, baseUrl: meter.baseUrl, home })
    const began = performance.now()
    const { status, output } = await runAgent(argv, agent, workspace, home, options.timeout)
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const error = await runCheck(task, workspace)
    const why =
      error === null ? null : (error.split("\n").find((line) => /Error|exited/.test(line)) ?? error.slice(0, 200))
    const result = { agent: agent.name, task: task.id, solved: error === null, why, ...meter.usage() }
    return { ...result, failedCalls: agent.failedCalls(output), seconds, status }
  } finally {
    await meter.close()
    rmSync(root, { recursive: true, force: true })
  }
}

function commit(folder: string): void {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" })
  git("init", "-q")
  git("add", "-A")
  git("-c", "user.name=eval", "-c", "user.email=eval@localhost", "commit", "-qm", "The repository")
}

/** Only these variables of the caller reach an agent: no key does. */
const passed = ["PATH", "LANG", "LC_ALL", "TMPDIR"] as const

async function runAgent(argv: readonly string[], agent: Agent, cwd: string, home: string, timeout: number) {
  const [program = "", ...args] = argv
  const own = Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
  const env = { ...own, HOME: home, ...agent.env }
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"], detached: true })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), timeout * 1000)
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once("error", reject).once("close", resolve)
  try {
    return { status: await promise, output }
  } finally {
    clearTimeout(timer)
  }
}

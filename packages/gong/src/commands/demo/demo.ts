import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { type Event, projection } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { createLocalHost } from "@gong/tools/host/local"
import { type OpenedSession, openSession } from "@gong/app/compose/open-session"
import type { Options } from "../../command-line/flags.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { printUsageError } from "../../command-line/usage-error.ts"
import { seconds } from "@gong/texts/amounts"
import { report } from "../../modes/report.ts"
import { signalAfter, systemClock } from "@gong/app/ports"
import { shortId } from "@gong/session/short-id"
import { endSession } from "@gong/app/controller/end-session"
import { runSummary } from "@gong/session/result"
import type { Cli } from "../../cli.ts"
import { invocation } from "./invocation.ts"
import { sampleFor } from "./sample.ts"
import { demoPrompt, demoScript } from "./script.ts"
import { demoRows } from "./rows.ts"

/** Milliseconds between chunks of the scripted model's text, at reading speed. */
const pace = 40

/** `gong demo`: repairs a failing test in a copy of a sample project. Only the model is scripted, which the output states. */
export async function demo(cli: Cli, options: Options): Promise<number> {
  const clock = systemClock
  const startedAt = clock.now()
  const project = await copySample(cli, startedAt)
  cli.out(cli.t`Gong demo. The model is scripted (no key, no network); session, tools and files are real.\n`)
  cli.out(cli.t`Project: ${project.folder}  (3 files, 1 failing test)\n\n> ${demoPrompt(cli.t)}\n\n`)

  const paced = cli.outIsTerminal && options.fast !== true
  const model = { provider: "demo", id: "scripted" }
  const provider = scriptedProvider(demoScript(cli.t), { clock, model, deltaSize: 24, delayMs: paced ? pace : 0 })
  const opened = await openSession(demoSpec(project.folder, options), demoServices(cli), { provider })
  if (!opened.ok) return printUsageError(cli, opened.error)
  const app = opened.value
  let exit = 1
  let isStored = false
  try {
    const { done, calls } = await repairTest(cli, app)
    cli.out(cli.t`\n${seconds(clock.now() - startedAt)} · ${calls} tool calls · scripted model, $0.00\n`)
    cli.out(nextSteps(cli, options.noSession === true ? null : app.session.id, project))
    exit = done ? 0 : 1
  } finally {
    isStored = await endSession(cli, app)
  }
  return isStored ? exit : 1
}

interface Project {
  readonly folder: string
  readonly git: boolean
}

async function copySample(cli: Cli, seed: number): Promise<Project> {
  const folder = join(realpathSync(mkdtempSync(join(cli.temp, "gong-demo-"))), "shop")
  for (const [path, text] of Object.entries(sampleFor(seed).files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, git: await commitAll(cli, folder) }
}

/** Commits the sample, so that `git diff` shows the repair. False without git. */
async function commitAll(cli: Cli, folder: string): Promise<boolean> {
  const host = createLocalHost({ cwd: folder, project: cli.cwd, env: cli.env })
  const identity = ["-c", "user.name=gong demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"]
  const steps = [
    ["init", "--quiet"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message", "shop"],
  ]
  const signal = signalAfter(20_000)
  for (const step of steps) {
    const ended = await host
      .exec(["git", ...step], { cwd: folder, signal, onData: () => undefined })
      .catch(() => ({ code: 1 }))
    if (ended.code !== 0) return false
  }
  return true
}

/** Puts the Node of this process first in the PATH, so that the tests of the sample do not depend on the installed one. */
function demoServices(cli: Cli): Cli {
  const path = [dirname(cli.execPath), cli.env["PATH"] ?? ""].join(delimiter)
  return Object.assign(Object.create(cli) as Cli, { env: { ...cli.env, PATH: path } })
}

/** With full permission, since it works in a copy, and without the settings of the user. */
function demoSpec(folder: string, { noSession }: Options): SessionSpec {
  const tape = { kind: noSession === true ? "memory" : "new" } as const
  return { cwd: folder, bare: true, permission: "full", name: "demo", tape }
}

async function repairTest(cli: Cli, app: OpenedSession): Promise<{ readonly done: boolean; readonly calls: number }> {
  const collected = runSummary()
  const rows = demoRows(cli.t, cli.style)
  const events = projection({ partial: false, contextWindow: 0 })
  let lastExit: unknown = null
  const unsubscribe = app.session.subscribe(
    (step) => {
      if ("entries" in step) for (const entry of step.entries) collected.add(entry)
      for (const event of events.project(step)) {
        const exit = exitOf(event)
        if (exit !== undefined) lastExit = exit
        cli.styled(rows(event))
      }
    },
    { partials: false },
  )
  const end = await app.session.prompt(demoPrompt(cli.t))
  unsubscribe()
  const summary = collected.summary()
  report(cli, end, summary)
  // Success means that the tests of the sample pass, whatever the model reports.
  return { done: end.status === "done" && lastExit === 0, calls: summary.toolCalls }
}

function exitOf(event: Event): unknown {
  return event.type === "tool_execution_end" ? event.details?.["exit_code"] : undefined
}

/** `session`: null if none was stored. */
function nextSteps(cli: Cli, session: string | null, project: Project): string {
  const gong = invocation(cli)
  const id = session === null ? "" : shortId(session)
  const stored = [
    cli.t`Session: ${gong} sessions show ${id}        (every step, also after a crash)`,
    cli.t`Undo:    ${gong} undo --session ${id}`,
  ]
  const lines = [
    ...(project.git ? [cli.t`Changes: git -C ${project.folder} diff`] : []),
    ...(session === null ? [] : stored),
    cli.t`Now with a real model, in your own repository:`,
    cli.t`  export ANTHROPIC_API_KEY=sk-ant-...   then: ${gong} "what does this repository do?"`,
    cli.t`  or without a key, with Ollama:        ${gong} -m ollama/qwen3-coder "what does this repository do?"`,
  ]
  return `${lines.join("\n")}\n`
}

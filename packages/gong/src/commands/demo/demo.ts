import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { type Event, projection } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { createLocalHost } from "@gong/tools/host/local"
import { type App, openSession } from "@gong/app/compose/open-session"
import type { Options } from "../../command-line/flags.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Outcome } from "@gong/config/usage"
import { seconds } from "@gong/texts/amounts"
import { report } from "../../modes/report.ts"
import { signalAfter, systemClock } from "@gong/app/ports"
import { shortId } from "@gong/session/short-id"
import { leaveApp } from "@gong/app/controller/leave"
import { runSummary } from "@gong/session/result"
import type { World } from "../../world.ts"
import { invocation } from "./invocation.ts"
import { sampleFor } from "./sample.ts"
import { demoPrompt, demoScript } from "./script.ts"
import { demoRows } from "./rows.ts"
import { usageLines } from "@gong/config/usage"

/** Milliseconds between chunks of the scripted model's text, for readability. */
const pace = 40

/**
 * Gong repairs a failing test in a copy of a small project. Everything is real except the model, and the demo says so.
 */
export async function demo(world: World, options: Options): Promise<number> {
  const clock = systemClock
  const startedAt = clock.now()
  const project = await copySample(world, startedAt)
  world.out(world.t`Gong demo. The model is scripted (no key, no network); session, tools and files are real.\n`)
  world.out(world.t`Project: ${project.folder}  (3 files, 1 failing test)\n\n> ${demoPrompt(world.t)}\n\n`)

  const paced = world.outIsTerminal && options.fast !== true
  const model = { provider: "demo", id: "scripted" }
  const provider = scriptedProvider(demoScript(world.t), { clock, model, deltaSize: 24, delayMs: paced ? pace : 0 })
  const built = await openSession(demoSpec(project.folder, options), demoWorld(world), { provider })
  if (!built.ok) return refused(world, built)
  const app = built.value
  let exit = 1
  let kept = false
  try {
    const { done, calls } = await repairTest(world, app)
    world.out(world.t`\n${seconds(clock.now() - startedAt)} · ${calls} tool calls · scripted model, $0.00\n`)
    world.out(whatNext(world, options.noSession === true ? null : app.session.id, project))
    exit = done ? 0 : 1
  } finally {
    kept = await leaveApp(world, app)
  }
  return kept ? exit : 1
}

interface Project {
  readonly folder: string
  readonly git: boolean
}

async function copySample(world: World, seed: number): Promise<Project> {
  const folder = join(realpathSync(mkdtempSync(join(world.temp, "gong-demo-"))), "shop")
  for (const [path, text] of Object.entries(sampleFor(seed).files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, git: await commitAll(world, folder) }
}

/** A commit for comparison; false without git, and then the demo does not mention it. */
async function commitAll(world: World, folder: string): Promise<boolean> {
  const host = createLocalHost({ cwd: folder, project: world.cwd, env: world.env })
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

/** Puts the Node that runs Gong first, so that the sample's tests do not depend on the installed one. */
function demoWorld(world: World): World {
  const path = [dirname(world.execPath), world.env["PATH"] ?? ""].join(delimiter)
  return Object.assign(Object.create(world) as World, { env: { ...world.env, PATH: path } })
}

/** In its own copy, so with full permissions, and without the user's settings. */
function demoSpec(folder: string, { noSession }: Options): SessionSpec {
  const tape = { kind: noSession === true ? "memory" : "new" } as const
  return { cwd: folder, bare: true, permission: "full", name: "demo", tape }
}

async function repairTest(world: World, app: App): Promise<{ readonly done: boolean; readonly calls: number }> {
  const collected = runSummary()
  const rows = demoRows(world.t, world.style)
  const events = projection({ partial: false, contextWindow: 0 })
  let lastExit: unknown = null
  const unsubscribe = app.session.subscribe(
    (step) => {
      if ("entries" in step) for (const entry of step.entries) collected.add(entry)
      for (const event of events.project(step)) {
        const exit = exitOf(event)
        if (exit !== undefined) lastExit = exit
        world.styled(rows(event))
      }
    },
    { partials: false },
  )
  const end = await app.session.prompt(demoPrompt(world.t))
  unsubscribe()
  const summary = collected.summary()
  report(world, end, summary)
  // Success means that the sample's tests pass, not that the model says so.
  return { done: end.status === "done" && lastExit === 0, calls: summary.toolCalls }
}

function exitOf(event: Event): unknown {
  return event.type === "tool_execution_end" ? event.details?.["exit_code"] : undefined
}

/** `session`: null if none was stored. */
function whatNext(world: World, session: string | null, project: Project): string {
  const gong = invocation(world)
  const id = session === null ? "" : shortId(session)
  const kept = [
    world.t`Session: ${gong} sessions show ${id}        (every step, also after a crash)`,
    world.t`Undo:    ${gong} undo --session ${id}`,
  ]
  const lines = [
    ...(project.git ? [world.t`Look:    git -C ${project.folder} diff`] : []),
    ...(session === null ? [] : kept),
    world.t`Now with a real model, in your own repository:`,
    world.t`  export ANTHROPIC_API_KEY=sk-ant-...   then: ${gong} "what does this repository do?"`,
    world.t`  or without a key, with Ollama:        ${gong} -m ollama/qwen3-coder "what does this repository do?"`,
  ]
  return `${lines.join("\n")}\n`
}

function refused(world: World, outcome: Extract<Outcome<unknown>, { ok: false }>): number {
  for (const line of usageLines(world.t, outcome.error)) world.err(`${line}\n`)
  return outcome.error.exit
}

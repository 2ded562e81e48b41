import { type App, build } from "./build.ts"
import { readInput } from "./build/input.ts"
import { exitStatus } from "./config/exit.ts"
import type { Options } from "./config/flags.ts"
import type { UsageError } from "./config/usage.ts"
import { firstContact } from "./first-contact.ts"
import { confirmPlain, plain } from "./modes/plain.ts"
import { systemClock } from "./ports.ts"
import { abortOnEnding, endJobs, firstLine, unseenImages } from "./run.ts"
import { lineReader } from "./terminal/lines.ts"
import type { World } from "./world.ts"

/** A conversation at a terminal, line by line. */
export async function converse(world: World, options: Options, words: readonly string[]): Promise<number> {
  const first = words.length === 0 ? null : await readInput(world, systemClock, options, words)
  if (first && !first.ok) return refused(world, first.error)
  const lines = lineReader(world.openStdin(), world.openStdout())
  const begin = (wanted: Options) =>
    build(world, wanted, (request, signal) => confirmPlain(lines, world, request, signal))
  let built = await begin(options)
  if (!built.ok && built.error.noModel) {
    const contact = await firstContact(world, options, lines)
    if ("exit" in contact) {
      lines.close()
      return contact.exit
    }
    built = await begin(contact.options)
  }
  if (!built.ok) {
    lines.close()
    return refused(world, built.error)
  }
  const app = built.value
  abortOnEnding(world, app)
  world.onEnding(() => lines.close())
  try {
    const exit = await plain(app.session, world, lines, {
      first: first ? first.value : null,
      greeting: [
        `Gong ${world.version} · ${app.info.workspace} · ${firstLine(app)}`,
        ...app.lines,
        ...(first ? unseenImages(app, first.value) : []),
        hello(app.info),
      ],
      exitOf: (end) => exitStatus(end, world.ending ?? "interrupt"),
      now: () => systemClock.now(),
      idle: () => void app.catchUp(),
      undo: async () => (await import("./commands/undo.ts")).undoOn(world, app.session.tape),
      jobs: app.jobs,
      jobsCanStay: app.info.sandbox.mode === "off",
    })
    return world.ending === null ? exit : exitStatus({ status: "interrupted" }, world.ending)
  } finally {
    await endJobs(world, app)
    app.close()
  }
}

function hello({ workspace, permission, sandbox }: App["info"]): string {
  return `${mayDo(workspace, permission, sandbox.mode)} Ctrl+C stops, /undo takes changes back, Ctrl+D leaves.`
}

function mayDo(workspace: string, permission: string, sandbox: string): string {
  if (permission === "full") return "Nothing is asked for."
  if (permission === "plan") return `Nothing in ${workspace} is changed.`
  if (permission === "ask") return `Reading in ${workspace} needs no permission; what changes things is asked for.`
  const what = sandbox === "off" ? "Edits" : "Edits and commands"
  return `${what} inside ${workspace} run without asking; anything that leaves it asks.`
}

function refused(world: World, error: UsageError): number {
  for (const line of error.lines) world.err(`${line}\n`)
  return error.exit
}

import type { Command } from "./command-line/commands.ts"
import type { Options } from "./command-line/flags.ts"
import { excludeMemoryFromCoreDumps } from "@gong/tools/host/core-dump"
import { parseArgs } from "./command-line/args.ts"
import type { Outcome } from "@gong/config/usage"
import { processWorld, type World } from "./world.ts"
import { languageOf } from "@gong/texts/language"
import { usageLines } from "@gong/config/usage"

/** From a command line to an exit status. The only place that ends the process. */
export async function main(version: string): Promise<void> {
  excludeMemoryFromCoreDumps()
  const world = processWorld(version, (status) => process.exit(status))
  // What nobody waited for ends the program as well; the tape holds all that happened before.
  process.on("uncaughtException", (error) => process.exit(crashed(world, error)))
  let exit: number
  try {
    exit = await route(world)
  } catch (error) {
    exit = await ended(world, error)
  }
  await world.flush()
  process.exit(outLost[world.ending ?? ""] ?? exit)
}

/** What was answered has not arrived, whatever it was. */
const outLost: Readonly<Record<string, number>> = { "reader-gone": 141, unwritable: 1 }

/** The exit status of a command line; a disk that refuses and a broken promise are thrown. */
export async function route(world: World): Promise<number> {
  await world.setLocale(languageOf(world.env["GONG_LANG"] ?? "", world.env))
  const args = parseArgs(world.argv)
  if (!args.ok) return refused(world, args)
  const { options, command, words } = args.value
  if (isForPrograms(options, command)) world.keepEnglish()
  // A message learns of the settings on its way to the model; what is a command may ask for them at once.
  if (options.help === true || command !== null)
    await world.setLocale(await (await import("@gong/config/settings/language")).wantedLanguage(world))
  if (options.version === true) {
    const { versionJson } = await import("./commands/version.ts")
    world.out(options.json === true ? await versionJson(world) : `gong ${world.version}\n`)
    return 0
  }
  if (options.help === true || command?.name === "help") {
    const { helpText } = await import("./command-line/help.ts")
    world.out(helpText(world.t))
    return 0
  }
  switch (command?.name) {
    case "attach":
      return (await import("./commands/attach.ts")).attach(world, options, command.words)
    case "demo":
      return (await import("./commands/demo/demo.ts")).demo(world, options)
    case "doctor":
      return answered(world, await (await import("./commands/doctor.ts")).doctor(world, options))
    case "models":
      return answered(world, await (await import("./commands/models.ts")).models(world, options, command.words))
    case "login":
      return (await import("./commands/login.ts")).login(world, options, command.words)
    case "auth":
      return answered(world, await (await import("@gong/app/administration/keys")).auth(world, options, command.words))
    case "config":
      return answered(
        world,
        await (await import("@gong/app/administration/settings")).config(world, options, command.words),
      )
    case "import":
      return answered(world, await (await import("@gong/import")).importFrom(world, options))
    case "rpc":
      return (await import("./commands/rpc.ts")).rpcCommand(world, options)
    case "permissions":
      return answered(
        world,
        await (await import("./commands/permissions.ts")).permissions(world, options, command.words),
      )
    case "sessions":
      return (await import("./commands/sessions.ts")).sessions(world, options, command.words)
    case "skills":
      return answered(world, await (await import("./commands/skills.ts")).skills(world, options, command.words))
    case "trust":
      return answered(world, await (await import("./commands/trust.ts")).trust(world, options, command.words))
    case "undo":
      return (await import("./commands/undo.ts")).undo(world, options, command.words)
    default:
      return (await import("./run.ts")).runMessage(world, options, words)
  }
}

/** What programs read, and a session that one of them holds, is the same in every country. */
function isForPrograms({ json, output, help }: Options, command: Command | null): boolean {
  if (help === true) return false
  return json === true || (output !== undefined && output !== "text") || command?.name === "rpc"
}

/** Prints what a command answered, or why it could not. */
function answered(world: World, outcome: Outcome<string>): number {
  if (!outcome.ok) return refused(world, outcome)
  world.out(outcome.value)
  return 0
}

export function refused(world: World, { error }: Extract<Outcome<unknown>, { ok: false }>): number {
  for (const line of usageLines(world.t, error)) world.err(`${line}\n`)
  return error.exit
}

/** What the disk refused is the user's to mend; everything else is a crash. */
async function ended(world: World, error: unknown): Promise<number> {
  const { refusedByDisk } = await import("@gong/config/refused-disk")
  const line = refusedByDisk(world.t, error)
  if (line === null) return crashed(world, error)
  world.err(`${line}\n`)
  showStack(world, error)
  return 2
}

/** A broken promise inside Gong: one line, and the stack only for who asked for it. */
function crashed(world: World, error: unknown): number {
  const message = error instanceof Error ? error.message : String(error)
  world.err(world.t`gong: ${message.split("\n", 1)[0]} (GONG_DEBUG=1 shows where)\n`)
  showStack(world, error)
  return 1
}

function showStack(world: World, error: unknown): void {
  if (world.env["GONG_DEBUG"] && error instanceof Error) world.err(`${error.stack}\n`)
}

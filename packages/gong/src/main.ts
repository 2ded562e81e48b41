import { type Command, topicOf } from "./command-line/commands.ts"
import type { Options } from "./command-line/flags.ts"
import { excludeMemoryFromCoreDumps } from "@gong/tools/host/core-dump"
import { parseArgs } from "./command-line/args.ts"
import type { Outcome } from "@gong/config/usage"
import { createCli, type Cli } from "./cli.ts"
import { languageOf } from "@gong/texts/language"
import { printUsageError } from "./command-line/usage-error.ts"

/** Runs the command line of this process and exits; nothing else does. */
export async function main(version: string): Promise<void> {
  excludeMemoryFromCoreDumps()
  const cli = createCli(version, (status) => process.exit(status))
  // An uncaught error exits as well; the tape has everything before it.
  process.on("uncaughtException", (error) => process.exit(crashed(cli, error)))
  let exit: number
  try {
    exit = await route(cli)
  } catch (error) {
    exit = await exitOfError(cli, error)
  }
  await cli.flush()
  process.exit(outputLost[cli.shutdown ?? ""] ?? exit)
}

/** Lost output overrides the exit status of the command. */
const outputLost: Readonly<Record<string, number>> = { "broken-pipe": 141, "write-error": 1 }

/** Returns the exit status of a command line. Throws disk errors and internal errors. */
export async function route(cli: Cli): Promise<number> {
  await cli.setLocale(languageOf(cli.env["GONG_LANG"] ?? "", cli.env))
  const args = parseArgs(cli.argv)
  if (!args.ok) return printUsageError(cli, args.error)
  const { options, command, words } = args.value
  if (isForPrograms(options, command)) cli.keepEnglish()
  // A message reads the settings later anyway, so only commands read them here.
  if (options.help === true || command !== null)
    await cli.setLocale(await (await import("@gong/config/settings/language")).configuredLanguage(cli))
  if (options.version === true) {
    const { versionJson } = await import("./commands/version.ts")
    cli.out(options.json === true ? await versionJson(cli) : `gong ${cli.version}\n`)
    return 0
  }
  if (options.help === true || command?.name === "help") {
    const { commandHelp, helpText } = await import("./command-line/help.ts")
    const topic = command?.name === "help" ? topicOf(command.words) : command
    cli.out(topic === null ? helpText(cli.t) : commandHelp(cli.t, topic))
    return 0
  }
  switch (command?.name) {
    case "attach":
      return (await import("./commands/attach.ts")).attach(cli, options, command.words)
    case "demo":
      return (await import("./commands/demo/demo.ts")).demo(cli, options)
    case "completions": {
      const { completions, shells } = await import("./command-line/completions.ts")
      const shell = shells.find((one) => one === command.words[0])
      cli.out(
        shell === undefined ? (await import("./command-line/help.ts")).commandHelp(cli.t, command) : completions(shell),
      )
      return 0
    }
    case "doctor":
      return print(cli, await (await import("./commands/doctor.ts")).doctor(cli, options))
    case "models":
      return print(cli, await (await import("./commands/models.ts")).models(cli, options, command.words))
    case "login":
      return (await import("./commands/login.ts")).login(cli, options, command.words)
    case "auth":
      return print(cli, await (await import("@gong/app/administration/keys")).auth(cli, options, command.words))
    case "config":
      return print(cli, await (await import("@gong/app/administration/settings")).config(cli, options, command.words))
    case "import":
      return print(
        cli,
        await (await import("@gong/import")).importFrom(cli, options, (await import("./input.ts")).userAnswering(cli)),
      )
    case "mcp":
      return print(cli, await mcpCommand(cli, options, command.words))
    case "rpc":
      return (await import("./commands/rpc.ts")).rpcCommand(cli, options)
    case "permissions":
      return print(cli, await (await import("./commands/permissions.ts")).permissions(cli, options, command.words))
    case "sessions":
      return (await import("./commands/sessions.ts")).sessions(cli, options, command.words)
    case "skills":
      return print(cli, await (await import("./commands/skills.ts")).skills(cli, options, command.words))
    case "trust":
      return print(cli, await (await import("./commands/trust.ts")).trust(cli, options, command.words))
    case "undo":
      return (await import("./commands/undo.ts")).undo(cli, options, command.words)
    default:
      return (await import("./run.ts")).runMessage(cli, options, words)
  }
}

async function mcpCommand(cli: Cli, options: Options, words: readonly string[]): Promise<Outcome<string>> {
  const [{ mcp }, { lineOf }] = await Promise.all([import("@gong/app/administration/mcp"), import("./input.ts")])
  return mcp(cli, options, words, (question, signal) => lineOf(cli, `${cli.t(question)} `, signal))
}

/** Output for programs is English in every locale. */
function isForPrograms({ json, output, help }: Options, command: Command | null): boolean {
  if (help === true) return false
  return json === true || (output !== undefined && output !== "text") || command?.name === "rpc"
}

/** Prints the result of a command, or its usage error. */
function print(cli: Cli, outcome: Outcome<string>): number {
  if (!outcome.ok) return printUsageError(cli, outcome.error)
  cli.out(outcome.value)
  return 0
}

/** A disk error is shown with a remedy; any other error is an internal one. */
async function exitOfError(cli: Cli, error: unknown): Promise<number> {
  const { diskErrorLine } = await import("@gong/config/disk-error")
  const line = diskErrorLine(cli.t, error)
  if (line === null) return crashed(cli, error)
  cli.err(`${line}\n`)
  showStack(cli, error)
  return 2
}

/** One line for an internal error; its stack only with GONG_DEBUG. */
function crashed(cli: Cli, error: unknown): number {
  const message = error instanceof Error ? error.message : String(error)
  // A screen draws nothing any more; the line goes below it.
  if (cli.capture(null)) cli.err("\n")
  cli.err(cli.t`gong: ${message.split("\n", 1)[0]} (GONG_DEBUG=1 shows where)\n`)
  showStack(cli, error)
  return 1
}

function showStack(cli: Cli, error: unknown): void {
  if (cli.env["GONG_DEBUG"] && error instanceof Error) cli.err(`${error.stack}\n`)
}

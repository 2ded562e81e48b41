import { phrase } from "@gong/spec"
import { tapeStorage } from "@gong/app/compose/tapes/storage"
import type { Options } from "../command-line/flags.ts"
import { printUsageError } from "../command-line/usage-error.ts"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import type { Cli } from "../cli.ts"
import { exportSession, importSession } from "@gong/app/administration/session-files"
import { type CommandOutput, type CommandContext, type OutputLines, writeLines } from "./sessions/output.ts"
import { forkSession, sessionTree, verifySession } from "./sessions/branches.ts"
import { listSessions } from "./sessions/list.ts"
import { renameSession } from "./sessions/rename.ts"
import { replaySession } from "./sessions/replay.ts"
import { showSessionEvents } from "./sessions/show-events.ts"
import { searchSessions } from "./sessions/search.ts"
import { showSession } from "./sessions/show.ts"
import { rebuildIndex, sessionStats } from "./sessions/stats.ts"
import { removeSession, restoreSession } from "./sessions/trash.ts"
import { hasLightBackground } from "@gong/texts/colors"
import type { Translate } from "@gong/texts/translator"

/** `gong sessions VERB`. Returns the exit status. */
export async function sessions(plain: Cli, options: Options, words: readonly string[]): Promise<number> {
  const cli = await withThemeStyle(plain, options)
  const exit = await attempt(async () => {
    const place = must(await tapeStorage(cli, options))
    return writeOutput(cli, options, must(await runVerb(plain.t, { place, options, cli }, words)))
  })
  return exit.ok ? exit.value : printUsageError(cli, exit.error)
}

async function withThemeStyle(cli: Cli, options: Options): Promise<Cli> {
  if (!cli.outIsTerminal || options.json === true) return cli
  const { chosenStyles } = await import("@gong/app/compose/resources/theme")
  const { dark, light } = await chosenStyles(cli, options)
  return Object.assign(Object.create(cli) as Cli, { style: hasLightBackground(cli.env) ? light : dark })
}

async function writeOutput(cli: Cli, options: Options, output: CommandOutput | OutputLines): Promise<number> {
  if ("lines" in output) {
    await writeLines(cli, output.lines)
    return 0
  }
  if (options.json === true) cli.out(`${JSON.stringify(output.json)}\n`)
  else cli.styled(output.text)
  return output.exit ?? 0
}

async function runVerb(
  t: Translate,
  context: CommandContext,
  [verb, ...values]: readonly string[],
): Promise<Outcome<CommandOutput | OutputLines>> {
  const { place, options } = context
  const [wanted = "", step] = values
  if (options.substring === true && verb !== "search")
    return usage(phrase`--substring works only with "gong sessions search".`)
  const showsEvents = verb === "show" && options.output === "events"
  if (options.after !== undefined && !showsEvents)
    return usage(phrase`--after works only with "gong sessions show ID --output events".`)
  switch (verb) {
    case "search":
      return searchSessions(context, values.join(" "))
    case "show":
      return showsEvents ? showSessionEvents(context, wanted) : showSession(context, wanted)
    case "tree":
      return sessionTree(t, context, wanted)
    case "fork":
      return forkSession(context, wanted, step)
    case "replay":
      return replaySession(context, wanted)
    case "verify":
      return verifySession(context, wanted)
    case "export":
      return plainOutput(context, await exportSession(t, place, options, wanted))
    case "import":
      return plainOutput(context, await importSession(t, place, wanted))
    case "rename":
      return renameSession(context, wanted, values.slice(1).join(" "))
    case "rm":
      return removeSession(context, wanted)
    case "restore":
      return restoreSession(context, wanted)
    case "rebuild":
      return rebuildIndex(t, context)
    case "stats":
      return sessionStats(t, context)
    default:
      return listSessions(t, context)
  }
}

/** Output whose JSON value is the text itself. */
function plainOutput({ cli }: CommandContext, outcome: Outcome<string>): Outcome<CommandOutput> {
  return outcome.ok ? ok({ text: cli.style.text(outcome.value), json: { text: outcome.value } }) : outcome
}

import { phrase } from "@gong/spec"
import { tapeStorage } from "@gong/app/compose/tapes/storage"
import type { Options } from "../command-line/flags.ts"
import { attempt, must, ok, type Outcome, usage, usageLines } from "@gong/config/usage"
import type { Cli } from "../cli.ts"
import { exportSession, importSession } from "@gong/app/administration/session-files"
import { type Answer, type Asked, type Lines, writeLines } from "./sessions/answer.ts"
import { forkSession, sessionTree, verifySession } from "./sessions/branches.ts"
import { listSessions } from "./sessions/list.ts"
import { replaySession } from "./sessions/replay.ts"
import { retellSession } from "./sessions/retell.ts"
import { searchSessions } from "./sessions/search.ts"
import { showSession } from "./sessions/show.ts"
import { rebuildIndex, sessionStats } from "./sessions/stats.ts"
import { removeSession, restoreSession } from "./sessions/trash.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong sessions VERB`; gives the exit status. */
export async function sessions(plain: Cli, options: Options, words: readonly string[]): Promise<number> {
  const cli = await dressed(plain, options)
  const told = await attempt(async () => {
    const place = must(await tapeStorage(cli, options))
    return tell(cli, options, must(await answerTo(plain.t, { place, options, cli }, words)))
  })
  if (told.ok) return told.value
  for (const line of usageLines(cli.t, told.error)) cli.err(`${line}\n`)
  return told.error.exit
}

async function dressed(cli: Cli, options: Options): Promise<Cli> {
  if (!cli.outIsTerminal || options.json === true) return cli
  const { chosenStyle } = await import("@gong/app/compose/resources/theme")
  return Object.assign(Object.create(cli) as Cli, { style: await chosenStyle(cli, options) })
}

async function tell(cli: Cli, options: Options, answer: Answer | Lines): Promise<number> {
  if ("lines" in answer) {
    await writeLines(cli, answer.lines)
    return 0
  }
  if (options.json === true) cli.out(`${JSON.stringify(answer.json)}\n`)
  else cli.styled(answer.text)
  return answer.exit ?? 0
}

async function answerTo(
  t: Translate,
  asked: Asked,
  [verb, ...values]: readonly string[],
): Promise<Outcome<Answer | Lines>> {
  const { place, options } = asked
  const [wanted = "", step] = values
  if (options.substring === true && verb !== "search")
    return usage(phrase`--substring works only with "gong sessions search".`)
  const retells = verb === "show" && options.output === "events"
  if (options.after !== undefined && !retells)
    return usage(phrase`--after works only with "gong sessions show ID --output events".`)
  switch (verb) {
    case "search":
      return searchSessions(asked, values.join(" "))
    case "show":
      return retells ? retellSession(asked, wanted) : showSession(asked, wanted)
    case "tree":
      return sessionTree(t, asked, wanted)
    case "fork":
      return forkSession(asked, wanted, step)
    case "replay":
      return replaySession(asked, wanted)
    case "verify":
      return verifySession(asked, wanted)
    case "export":
      return plainAnswer(asked, await exportSession(t, place, options, wanted))
    case "import":
      return plainAnswer(asked, await importSession(t, place, wanted))
    case "rm":
      return removeSession(asked, wanted)
    case "restore":
      return restoreSession(asked, wanted)
    case "rebuild":
      return rebuildIndex(t, asked)
    case "stats":
      return sessionStats(t, asked)
    default:
      return listSessions(t, asked)
  }
}

/** Programs get the text as it is. */
function plainAnswer({ cli }: Asked, outcome: Outcome<string>): Outcome<Answer> {
  return outcome.ok ? ok({ text: cli.style.text(outcome.value), json: { text: outcome.value } }) : outcome
}

import type { Options } from "../../command-line/flags.ts"
import type { LineReader } from "../../terminal/lines.ts"
import type { Cli } from "../../cli.ts"
import { remember, type TrustPlace, trustPlace } from "@gong/app/administration/trust/place"
import { usageLines } from "@gong/config/usage"

/**
 * Asks a person once whether what this folder brings may act, and again, with what changed, when it is not what they
 * trusted. Without an answer nothing of it acts, and it is asked the next time.
 */
export async function askTrust(cli: Cli, options: Options, lines: LineReader): Promise<void> {
  if (options.trust !== undefined || options.bare === true) return
  const found = await trustPlace(cli, options)
  // What is wrong with the place is said when the session cannot be opened.
  if (!found.ok) return
  const place = found.value
  // No answer could be kept: what is wrong is said when the session opens.
  if (place.problem !== null) return
  const isOpen = (place.state === "undecided" || place.state === "changed") && !place.surface.tooLarge
  if (isOpen) await ask(cli, place, lines)
}

async function ask(cli: Cli, place: TrustPlace, lines: LineReader): Promise<void> {
  const [{ shownFiles, textOfShown }, { questionOf }] = await Promise.all([
    import("@gong/app/administration/trust/show"),
    import("@gong/app/administration/trust/words"),
  ])
  const files = await shownFiles(cli.t, place)
  cli.err(`${questionOf(cli.t, place, files)}\n`)
  const trust = place.state === "changed" ? cli.t`trust the new one` : cli.t`trust it, as it is now`
  for (;;) {
    // What was typed ahead is no answer to this.
    const answer = await lines.question(cli.t`[v] view  [t] ${trust}  [n] run without it: `, { fresh: true })
    if (answer === null) return
    switch (answer.normalize("NFKC").trim().toLowerCase()) {
      case "v":
        for (const line of textOfShown(cli.t, files)) cli.err(`${line}\n`)
        break
      case "t":
        return said(cli, await remember(cli.t, place, "yes"))
      case "n":
        return said(cli, await remember(cli.t, place, place.state === "changed" ? "later" : "no"))
      default:
        cli.err(cli.t`Type v, t or n.\n`)
    }
  }
}

function said(cli: Cli, kept: Awaited<ReturnType<typeof remember>>): void {
  if (!kept.ok) for (const line of usageLines(cli.t, kept.error)) cli.err(`${line}\n`)
}

import type { Options } from "../../command-line/flags.ts"
import type { LineReader } from "../../terminal/lines.ts"
import type { World } from "../../world.ts"
import { remember, type TrustPlace, trustPlace } from "@gong/app/administration/trust/place"
import { usageLines } from "@gong/config/usage"

/**
 * Asks a person once whether what this folder brings may act, and again, with what changed, when it is not what they
 * trusted. Without an answer nothing of it acts, and it is asked the next time.
 */
export async function askTrust(world: World, options: Options, lines: LineReader): Promise<void> {
  if (options.trust !== undefined || options.bare === true) return
  const found = await trustPlace(world, options)
  // What is wrong with the place is said when the session cannot be opened.
  if (!found.ok) return
  const place = found.value
  // No answer could be kept: what is wrong is said when the session opens.
  if (place.problem !== null) return
  const isOpen = (place.state === "undecided" || place.state === "changed") && !place.surface.tooLarge
  if (isOpen) await ask(world, place, lines)
}

async function ask(world: World, place: TrustPlace, lines: LineReader): Promise<void> {
  const [{ shownFiles, textOfShown }, { questionOf }] = await Promise.all([
    import("@gong/app/administration/trust/show"),
    import("@gong/app/administration/trust/words"),
  ])
  const files = await shownFiles(world.t, place)
  world.err(`${questionOf(world.t, place, files)}\n`)
  const trust = place.state === "changed" ? world.t`trust the new one` : world.t`trust it, as it is now`
  for (;;) {
    // What was typed ahead is no answer to this.
    const answer = await lines.ask(world.t`[v] view  [t] ${trust}  [n] run without it: `, { fresh: true })
    if (answer === null) return
    switch (answer.normalize("NFKC").trim().toLowerCase()) {
      case "v":
        for (const line of textOfShown(world.t, files)) world.err(`${line}\n`)
        break
      case "t":
        return said(world, await remember(world.t, place, "yes"))
      case "n":
        return said(world, await remember(world.t, place, place.state === "changed" ? "later" : "no"))
      default:
        world.err(world.t`Type v, t or n.\n`)
    }
  }
}

function said(world: World, kept: Awaited<ReturnType<typeof remember>>): void {
  if (!kept.ok) for (const line of usageLines(world.t, kept.error)) world.err(`${line}\n`)
}

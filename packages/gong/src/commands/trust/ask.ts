import type { Options } from "../../command-line/flags.ts"
import type { Dialogs } from "../../modes/dialogs.ts"
import type { Cli } from "../../cli.ts"
import { storeDecision, type FolderTrust, folderTrust } from "@gong/app/administration/trust/folder-trust"
import { printUsageError } from "../../command-line/usage-error.ts"

/**
 * Asks the user whether to trust the active content of this folder: once, and again when it has changed. Without an answer nothing is
 * loaded, and the question is repeated at the next start.
 */
export async function askTrust(cli: Cli, options: Options, dialogs: Pick<Dialogs, "key">): Promise<void> {
  if (options.trust !== undefined || options.bare === true) return
  const found = await folderTrust(cli, options)
  // An invalid workspace is reported when the session is opened.
  if (!found.ok) return
  const place = found.value
  // The answer could not be stored; the problem is reported when the session is opened.
  if (place.problem !== null) return
  const isOpen = (place.state === "undecided" || place.state === "changed") && !place.content.tooLarge
  if (isOpen) await question(cli, place, dialogs)
}

async function question(cli: Cli, place: FolderTrust, dialogs: Pick<Dialogs, "key">): Promise<void> {
  const [{ shownTrustFiles, trustFileLines }, { trustQuestion }] = await Promise.all([
    import("@gong/app/administration/trust/show"),
    import("@gong/app/administration/trust/texts"),
  ])
  const files = await shownTrustFiles(cli.t, place)
  cli.err(`${trustQuestion(cli.t, place, files)}\n`)
  const trust = place.state === "changed" ? cli.t`[t] trust the new content` : cli.t`[t] trust the current content`
  for (;;) {
    const labels = [cli.t`[v] view`, trust, cli.t`[n] run without it`]
    switch (await dialogs.key({ prompt: "", labels })) {
      case "v":
        for (const line of trustFileLines(cli.t, files)) cli.err(`${line}\n`)
        break
      case "t":
        return printProblem(cli, await storeDecision(cli.t, place, "yes"))
      case "n":
        return printProblem(cli, await storeDecision(cli.t, place, place.state === "changed" ? "later" : "no"))
      default:
        return undefined
    }
  }
}

function printProblem(cli: Cli, stored: Awaited<ReturnType<typeof storeDecision>>): void {
  if (!stored.ok) printUsageError(cli, stored.error)
}

import { type Person, usageErrorOutput, output, type SlashCommand } from "../../command.ts"
import { setTrust, type TrustState, trustState } from "../../trust-state.ts"
import type { Translate } from "@gong/texts/translator"

export const trust: SlashCommand = {
  name: "trust",
  about: "trust for active content of this folder",
  value: "[yes|no|forget|show]",
  complete: async () => ["yes", "no", "forget", "show"].map((value) => ({ value })),
  async run({ t, controller, user }, word) {
    const found = await trustState(controller)
    if (!found.ok) return usageErrorOutput(t, found)
    const { folder, ...state } = found.value
    const { standing, open, files } = state
    if (word === "show") return output([standing, ...open], state)
    if (files.length === 0 && word !== "forget") return output([standing], state)
    const decision = isDecision(word) ? word : await askTrust(t, user, state)
    if (decision === null) return output([t`Nothing has changed.`], state)
    const set = await setTrust(t, folder, decision)
    if (!set.ok) return usageErrorOutput(t, set)
    const opened = await controller.call("reload", {})
    const line = t(lines[decision])
    return output(opened.ok ? [line] : [line, t`It takes effect in the next session.`], { trusted: decision === "yes" })
  },
}

const lines = {
  yes: "The current content of this folder is trusted.",
  no: "This folder is not trusted; new sessions do not load its active content.",
  forget: "The trust decision for this folder was removed; the next conversation asks for a new one.",
} as const

function isDecision(word: string): word is keyof typeof lines {
  return Object.hasOwn(lines, word)
}

async function askTrust(
  t: Translate,
  person: Person,
  { standing, open, files }: TrustState,
): Promise<"yes" | "no" | null> {
  const what = open.length > 0 ? open : files.map((path) => `  ${path}`)
  const picked = await person.choose([standing, ...what].join("\n"), [
    t`trust the current content`,
    t`do not trust it, and do not ask again`,
  ])
  return picked === null ? null : picked === 0 ? "yes" : "no"
}

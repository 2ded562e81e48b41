import { type Person, refused, said, type SlashCommand } from "../../command.ts"
import { setTrust, type TrustState, trustState } from "../../trust-state.ts"
import type { Translate } from "@gong/texts/translator"

export const trust: SlashCommand = {
  name: "trust",
  about: "trust for active content of this folder",
  value: "[yes|no|forget|show]",
  complete: async () => ["yes", "no", "forget", "show"].map((value) => ({ value })),
  async run({ t, controller, person }, word) {
    const found = await trustState(controller)
    if (!found.ok) return refused(t, found)
    const { place, ...state } = found.value
    const { trustSummary, open, files } = state
    if (word === "show") return said([trustSummary, ...open], state)
    if (files.length === 0 && word !== "forget") return said([trustSummary], state)
    const wanted = isAnswer(word) ? word : await asked(t, person, state)
    if (wanted === null) return said([t`Nothing has changed.`], state)
    const set = await setTrust(t, place, wanted)
    if (!set.ok) return refused(t, set)
    const opened = await controller.call("reload", {})
    const line = t(lines[wanted])
    return said(opened.ok ? [line] : [line, t`The next session goes by it.`], { trusted: wanted === "yes" })
  },
}

const lines = {
  yes: "This folder is trusted, as it is now.",
  no: "This folder is not trusted; nothing of it acts in a session that begins.",
  forget: "Nothing is decided about this folder; the next conversation asks.",
} as const

function isAnswer(word: string): word is keyof typeof lines {
  return Object.hasOwn(lines, word)
}

async function asked(
  t: Translate,
  person: Person,
  { trustSummary, open, files }: TrustState,
): Promise<"yes" | "no" | null> {
  const what = open.length > 0 ? open : files.map((path) => `  ${path}`)
  const picked = await person.choose([trustSummary, ...what].join("\n"), [
    t`trust the current content`,
    t`do not trust it, and do not ask again`,
  ])
  return picked === null ? null : picked === 0 ? "yes" : "no"
}

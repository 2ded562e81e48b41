import { refused, said, type SlashCommand, type TrustState } from "../command.ts"
import type { Translate } from "../../texts/translator.ts"

export const trust: SlashCommand = {
  name: "trust",
  about: "whether what this folder brings may act",
  value: "[yes|no|forget|show]",
  async run({ t, app, asking }, word) {
    const state = await app.trust()
    if (!state.ok) return refused(t, state)
    const { standing, open, files } = state.value
    if (word === "show") return said([standing, ...open], state.value)
    if (files.length === 0 && word !== "forget") return said([standing], state.value)
    const wanted = isAnswer(word) ? word : await asked(t, asking, state.value)
    if (wanted === null) return said([t`Nothing has changed.`], state.value)
    const set = await app.setTrust(wanted)
    if (!set.ok) return refused(t, set)
    const opened = await app.open({ kind: "reload" })
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
  asking: Parameters<SlashCommand["run"]>[0]["asking"],
  { standing, open, files }: TrustState,
): Promise<"yes" | "no" | null> {
  const what = open.length > 0 ? open : files.map((path) => `  ${path}`)
  const picked = await asking.choose([standing, ...what].join("\n"), [
    t`trust it, as it is now`,
    t`do not trust it, and do not ask again`,
  ])
  return picked === null ? null : picked === 0 ? "yes" : "no"
}

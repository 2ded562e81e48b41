import { refused, said, type SlashCommand, type TrustState } from "../command.ts"

export const trust: SlashCommand = {
  name: "trust",
  about: "whether what this folder brings may act",
  value: "[yes|no]",
  async run({ app, asking }, word) {
    const state = await app.trust()
    if (!state.ok) return refused(state)
    if (state.value.files.length === 0) return said([`${state.value.root} brings nothing that acts.`], state.value)
    const wanted = word === "yes" || word === "no" ? word === "yes" : await asked(asking, state.value)
    if (wanted === null) return said(["Nothing has changed."], state.value)
    const set = await app.setTrust(wanted)
    if (!set.ok) return refused(set)
    const line = wanted
      ? "This folder is trusted, as it is now."
      : "This folder is not trusted; nothing of it acts in a session that begins."
    const opened = await app.open({ kind: "reload" })
    return said(opened.ok ? [line] : [line, "The next session goes by it."], { trusted: wanted })
  },
}

async function asked(
  asking: Parameters<SlashCommand["run"]>[0]["asking"],
  { root, summary, files, trusted }: TrustState,
): Promise<boolean | null> {
  const now = trusted ? "and they act" : "which do not act"
  const picked = await asking.choose(`${root} brings ${summary}, ${now}: ${files.join(", ")}.`, [
    "trust it, as it is now",
    "do not trust it, and do not ask again",
  ])
  return picked === null ? null : picked === 0
}

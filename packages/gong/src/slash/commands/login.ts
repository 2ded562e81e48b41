import { refused, said, type SlashCommand } from "../command.ts"

export const login: SlashCommand = {
  name: "login",
  about: "keep an API key, typed unseen",
  value: "[PROVIDER]",
  async run({ t, app, asking }, provider) {
    const done = await app.login(provider === "" ? null : provider, (prompt) => asking.line(prompt, true))
    if (!done.ok) return refused(t, done)
    const { kept, lines } = done.value
    if (!kept) return said(lines, { kept })
    const opened = await app.open({ kind: "reload" })
    const later = opened.ok ? [] : [t`The next session knows it.`]
    return said([...lines, ...later], { kept })
  },
}

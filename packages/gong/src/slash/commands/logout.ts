import { refused, said, type SlashCommand } from "../command.ts"

export const logout: SlashCommand = {
  name: "logout",
  about: "forget a key that is kept",
  value: "[PROVIDER]",
  async run({ t, app }, provider) {
    const done = await app.logout(provider === "" ? null : provider)
    return done.ok ? said(done.value.trimEnd().split("\n")) : refused(t, done)
  },
}

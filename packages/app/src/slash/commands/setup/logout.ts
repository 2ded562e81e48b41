import { auth } from "../../../administration/keys.ts"
import { usageErrorOutput, output, type SlashCommand } from "../../command.ts"

export const logout: SlashCommand = {
  name: "logout",
  about: "remove a stored key",
  value: "[PROVIDER]",
  async run({ t, controller: { services, spec } }, provider) {
    const done = await auth(services, spec, ["logout", ...(provider === "" ? [] : [provider])])
    return done.ok ? output(done.value.trimEnd().split("\n")) : usageErrorOutput(t, done)
  },
}

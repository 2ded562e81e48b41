import { keyFromLine, loginWithKey } from "../../../administration/login.ts"
import { usageErrorOutput, output, type SlashCommand } from "../../command.ts"

export const login: SlashCommand = {
  name: "login",
  about: "store an API key, typed without echo",
  value: "[PROVIDER]",
  async run({ t, controller, user }, provider) {
    const { services, spec } = controller
    const typed = async (prompt: string) => keyFromLine(t, await user.line(prompt, true))
    const done = await loginWithKey(services, spec, provider === "" ? undefined : provider, typed)
    if (!done.ok) return usageErrorOutput(t, done)
    const { stored, text, precedence } = done.value
    const lines = [text, ...(precedence === null ? [] : [precedence])]
    if (!stored) return output(lines, { kept: stored })
    const opened = await controller.call("reload", {})
    const later = opened.ok ? [] : [t`It takes effect in the next session.`]
    return output([...lines, ...later], { kept: stored })
  },
}

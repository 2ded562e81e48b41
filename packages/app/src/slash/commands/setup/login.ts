import { keyOfLine, takeKey } from "../../../administration/login.ts"
import { refused, said, type SlashCommand } from "../../command.ts"

export const login: SlashCommand = {
  name: "login",
  about: "store an API key, typed without echo",
  value: "[PROVIDER]",
  async run({ t, controller, person }, provider) {
    const { services, spec } = controller
    const typed = async (prompt: string) => keyOfLine(t, await person.line(prompt, true))
    const done = await takeKey(services, spec, provider === "" ? undefined : provider, typed)
    if (!done.ok) return refused(t, done)
    const { kept, text, first } = done.value
    const lines = [text, ...(first === null ? [] : [first])]
    if (!kept) return said(lines, { kept })
    const opened = await controller.call("reload", {})
    const later = opened.ok ? [] : [t`The next session knows it.`]
    return said([...lines, ...later], { kept })
  },
}

import { sessionName } from "@gong/tape"
import { output, type SlashCommand } from "../../command.ts"

export const name: SlashCommand = {
  name: "name",
  about: "name the session; without a name, show it",
  value: "[NAME]",
  async run({ t, controller }, wanted) {
    const { session } = controller.current
    if (wanted !== "") session.annotate({ type: "session_info", name: wanted })
    const now = session.history.follow(sessionName).value
    return output([now === null ? t`The session has no name.` : t`The session is called ${now}.`], { name: now })
  },
}

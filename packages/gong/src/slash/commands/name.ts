import { sessionName } from "@gong/tape"
import { said, type SlashCommand } from "../command.ts"

export const name: SlashCommand = {
  name: "name",
  about: "name the session; without a name, show it",
  value: "[NAME]",
  async run({ session }, wanted) {
    if (wanted !== "") session.note({ type: "session_info", name: wanted })
    const now = session.tape.follow(sessionName).value
    return said([now === null ? "The session has no name." : `The session is called ${now}.`], { name: now })
  },
}

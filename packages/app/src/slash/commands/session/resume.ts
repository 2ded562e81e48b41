import { titleOf } from "@gong/texts/listed-session"
import { type Answer, done } from "../../../controller/answer.ts"
import type { ControllerState } from "../../../controller/api.ts"
import type { StoredSession } from "../../../controller/stored-data.ts"
import type { Translate } from "@gong/texts/translator"
import { errorOutput, output, type SlashCommand } from "../../command.ts"
import { switchSession } from "../../switch-session.ts"

export const resume: SlashCommand = {
  name: "resume",
  about: "continue another session of this workspace",
  value: "[SESSION]",
  async complete({ t, controller }) {
    const found = await otherSessions(controller)
    return found.ok ? found.data.map((one) => ({ value: one.id, about: rowOf(t, one) })) : []
  },
  async run(context, query) {
    const { t, controller, user } = context
    if (query !== "") return switchSession(context, "switch_session", { session: query })
    const others = await otherSessions(controller)
    if (!others.ok) return errorOutput(t, others)
    if (others.data.length === 0) return output([t`There is no other session in this workspace.`])
    const rows = others.data.map((one) => rowOf(t, one))
    const picked = await user.choose(t`Which session?`, rows)
    const one = picked === null ? undefined : others.data[picked]
    return one === undefined
      ? output([t`The current session stays open.`])
      : switchSession(context, "switch_session", { session: one.id })
  },
}

const maxListed = 50

async function otherSessions(controller: ControllerState): Promise<Answer<readonly StoredSession[]>> {
  const found = await controller.call("list_sessions", { limit: maxListed })
  return found.ok ? done(found.data.sessions.filter(({ id }) => id !== controller.current.session.id)) : found
}

function rowOf(t: Translate, { name, title, modified }: StoredSession): string {
  return `${modified.slice(0, 16).replace("T", " ")}  ${titleOf(t, { name, title })}`
}

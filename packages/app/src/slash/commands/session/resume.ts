import { titleOf } from "@gong/texts/listed-session"
import { type Answer, done } from "../../../controller/answer.ts"
import type { ControllerState } from "../../../controller/api.ts"
import type { StoredSession } from "../../../controller/stored-data.ts"
import type { Translate } from "@gong/texts/translator"
import { recapLines } from "../../../recap.ts"
import { errorOutput, output, type SlashCommand, type SlashContext } from "../../command.ts"
import type { ChooseOptions } from "../../result.ts"
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
    const picked = await user.choose(t`Which session?`, rows, optionsFor(context, others.data))
    const one = picked === null ? undefined : others.data[picked]
    return one === undefined
      ? output([t`The current session stays open.`])
      : switchSession(context, "switch_session", { session: one.id })
  },
}

function optionsFor({ t, controller, user }: SlashContext, sessions: readonly StoredSession[]): ChooseOptions {
  const idAt = (at: number): string => sessions[at]?.id ?? ""
  return {
    async preview(at) {
      const read = await controller.call("get_recap", { session: idAt(at) })
      const recap = read.ok ? read.data.recap : null
      return recap === null ? [] : recapLines(t, recap).slice(1)
    },
    async rename(at) {
      const name = await user.line(t`New name: `)
      const session = sessions[at]
      if (name === null || session === undefined) return null
      const renamed = await controller.call("rename_session", { session: session.id, name })
      return renamed.ok ? rowOf(t, { ...session, name }) : null
    },
    async remove(at) {
      const session = sessions[at]
      if (session === undefined || !(await user.confirm(t`Move "${titleOf(t, session)}" to the trash?`))) return false
      return (await controller.call("remove_session", { session: session.id })).ok
    },
  }
}

const maxListed = 50

async function otherSessions(controller: ControllerState): Promise<Answer<readonly StoredSession[]>> {
  const found = await controller.call("list_sessions", { limit: maxListed })
  return found.ok ? done(found.data.sessions.filter(({ id }) => id !== controller.current.session.id)) : found
}

function rowOf(t: Translate, { name, title, modified }: StoredSession): string {
  return `${modified.slice(0, 16).replace("T", " ")}  ${titleOf(t, { name, title })}`
}

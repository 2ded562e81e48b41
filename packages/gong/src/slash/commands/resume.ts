import { refused, said, type SlashCommand } from "../command.ts"
import { goOn } from "../go-on.ts"

export const resume: SlashCommand = {
  name: "resume",
  about: "go on in another session of this workspace",
  value: "[SESSION]",
  async run(at, wanted) {
    if (wanted !== "") return goOn(at, { kind: "stored", session: wanted })
    const found = await at.app.sessions()
    if (!found.ok) return refused(at.t, found)
    const others = found.value.filter(({ id }) => id !== at.session.id)
    if (others.length === 0) return said([at.t`There is no other session in this workspace.`])
    const rows = others.map(({ title, modified }) => `${modified.replace("T", " ")}  ${title}`)
    const picked = await at.asking.choose(at.t`Which session?`, rows)
    const one = picked === null ? undefined : others[picked]
    return one === undefined ? said([at.t`This session goes on.`]) : goOn(at, { kind: "stored", session: one.id })
  },
}

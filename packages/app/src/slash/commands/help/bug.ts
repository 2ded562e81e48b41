import { table } from "@gong/texts/table"
import { output, type SlashCommand } from "../../command.ts"

export const bug: SlashCommand = {
  name: "bug",
  about: "facts for the report of a fault",
  async run({ t, controller: { current, services } }) {
    const { session, info } = current
    const { provider, id } = session.selection.provider.model
    const facts = {
      version: `Gong ${services.version}`,
      session: session.id,
      model: `${provider}/${id}`,
      sandbox: info.sandbox.mode,
    }
    const rows = Object.entries(facts).map(([what, value]) => [{ text: t(what) }, { text: value }])
    const how = t`Gong sends nothing. /share writes the session to a file that you may attach after you have read it; gong doctor shows more about this machine.`
    return output([...table(rows), how], facts)
  },
}

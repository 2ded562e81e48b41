import { estimateTokens } from "@gong/spec"
import { context as contextOf } from "@gong/tape"
import { count } from "../../terminal/amounts.ts"
import { table } from "../../terminal/table.ts"
import { said, type SlashCommand } from "../command.ts"

export const context: SlashCommand = {
  name: "context",
  about: "how full the model's window is, and of what",
  async run({ t, session, app }) {
    const { messages } = session.history.follow(contextOf).value
    const { contextWindow } = session.selection.provider.model
    const prompt = await app.promptTokens()
    const parts = {
      ...(prompt === null ? {} : { [t`system prompt`]: prompt.system, [t`tools`]: prompt.tools }),
      [t`${messages.length} message${messages.length === 1 ? "" : "s"}`]: estimateTokens(messages),
    }
    const used = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
    const rows = [...Object.entries(parts), [t`together`, used] as const, [t`window`, contextWindow] as const]
    const lines = table(rows.map(([what, tokens]) => [{ text: what }, { text: count(tokens), right: true }]))
    const share = t`About ${Math.round((100 * used) / contextWindow)} % of the window is used; the counts are estimates.`
    return said([...lines, share], { parts, used, contextWindow })
  },
}

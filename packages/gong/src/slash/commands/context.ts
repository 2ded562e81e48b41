import { estimateTokens } from "@gong/spec"
import { context as contextOf } from "@gong/tape"
import { count } from "../../terminal/amounts.ts"
import { table } from "../../terminal/table.ts"
import { said, type SlashCommand } from "../command.ts"
import { say } from "../../texts/say.ts"

export const context: SlashCommand = {
  name: "context",
  about: "how full the model's window is, and of what",
  async run({ session, app }) {
    const { messages } = session.history.follow(contextOf).value
    const { contextWindow } = session.asks.provider.model
    const prompt = await app.promptTokens()
    const parts = {
      ...(prompt === null ? {} : { [say`system prompt`]: prompt.system, [say`tools`]: prompt.tools }),
      [say`${messages.length} message${messages.length === 1 ? "" : "s"}`]: estimateTokens(messages),
    }
    const used = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
    const rows = [...Object.entries(parts), [say`together`, used] as const, [say`window`, contextWindow] as const]
    const lines = table(rows.map(([what, tokens]) => [{ text: what }, { text: count(tokens), right: true }]))
    const share = say`About ${Math.round((100 * used) / contextWindow)} % of the window is used; the counts are estimates.`
    return said([...lines, share], { parts, used, contextWindow })
  },
}

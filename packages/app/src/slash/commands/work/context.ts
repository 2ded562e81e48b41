import { estimateText, estimateTokens } from "@gong/spec"
import { context as contextOf } from "@gong/tape"
import { count } from "@gong/texts/amounts"
import { table } from "@gong/texts/table"
import { loadPrompt } from "@gong/session/runs/prompt-state"
import type { Session } from "@gong/session/session"
import { output, type SlashCommand } from "../../command.ts"

export const context: SlashCommand = {
  name: "context",
  about: "use of the context window, by kind of content",
  async run({ t, controller: { current } }) {
    const { messages } = current.session.history.follow(contextOf).value
    const { contextWindow } = current.session.selection.provider.model
    const prompt = await promptTokens(current.session)
    const parts = {
      ...(prompt === null ? {} : { [t`system prompt`]: prompt.system, [t`tools`]: prompt.tools }),
      [t`${messages.length} message${messages.length === 1 ? "" : "s"}`]: estimateTokens(messages),
    }
    const used = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
    const sizes = [
      ...Object.entries(parts),
      [t`total`, used] as const,
      [t`free`, Math.max(0, contextWindow - used)] as const,
    ]
    const rows = sizes.map(([what, tokens]) => [
      { text: what },
      { text: count(tokens), right: true as const },
      { text: bar(tokens / contextWindow) },
    ])
    const lines = table([...rows, [{ text: t`window` }, { text: count(contextWindow), right: true }]])
    const share = t`About ${Math.round((100 * used) / contextWindow)} % of the window is used; the counts are estimates.`
    return output([...lines, share], { parts, used, contextWindow })
  },
}

/** Marks for the whole window. */
const BAR = 40

/** A part that is not empty has a mark. */
function bar(share: number): string {
  return "#".repeat(Math.min(BAR, Math.ceil(BAR * share)))
}

/** Estimated tokens of the last system prompt and its tools; null before the first request. */
async function promptTokens({ history }: Session) {
  const prompt = await loadPrompt(history)
  return prompt && { system: estimateText(prompt.system), tools: estimateText(JSON.stringify(prompt.tools)) }
}

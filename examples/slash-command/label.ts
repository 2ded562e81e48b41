/**
 * A slash command with an argument in one file. To add it to Gong:
 *
 *   1. Copy this file to packages/app/src/slash/commands/session/label.ts, and shorten "../../packages/app/src/slash/" in its
 *      imports to "../../".
 *   2. Add `label` to the table in packages/app/src/slash/registry.ts and its name to packages/app/src/slash/names.ts.
 *   3. Add its texts to packages/texts/src/zh-CN/slash.ts. `npm run docs` adds it to docs/commands.md.
 *
 * It then works in the conversation, over `gong rpc` (`command`, `complete`) and in every other frontend.
 */
import { labels } from "@gong/tape"
import { output, type SlashCommand } from "../../packages/app/src/slash/command.ts"

export const label: SlashCommand = {
  name: "label",
  about: "label the last step; without a label, list all",
  value: "[LABEL]",
  async complete({ controller }) {
    const { history } = controller.current.session
    return [...history.follow(labels).value].map(([, text]) => ({ value: text }))
  },
  async run({ t, controller }, text) {
    const { session } = controller.current
    const { history } = session
    const { leaf } = history
    if (text !== "") {
      if (leaf === null) return output([t`This session has no step yet.`])
      session.annotate({ type: "label", targetId: leaf, label: text })
    }
    const all = [...history.follow(labels).value].map(([step, name]) => ({ step, name }))
    const lines = all.map(({ step, name }) => `${step}  ${name}`)
    return output(lines.length === 0 ? [t`This session has no labels.`] : lines, { labels: all })
  },
}

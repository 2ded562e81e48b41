// Removes e-mail addresses and tokens from tool results before the model sees them. More patterns, or replacements for the
// built-in ones, come from the settings:
//
//   "extensions": { "redactor": { "patterns": { "customer": "\\bC-\\d{6}\\b" } } }
import type { ExtensionApi } from "gong/extension"

const usual = {
  email: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  token: String.raw`\b(?:sk-|gh[pousr]_|github_pat_|xox[abpr]-|AKIA)[\w-]{12,}`,
}

export default function (gong: ExtensionApi): void {
  const patterns = Object.entries({ ...usual, ...(gong.settings["patterns"] as object | undefined) })
  const all = patterns.map(([name, pattern]) => ({ name, pattern: new RegExp(String(pattern), "g") }))
  const redact = (text: string): string =>
    all.reduce((rest, { name, pattern }) => rest.replace(pattern, `[${name} taken out]`), text)

  gong.hook({
    onToolResult: (_, result) => ({
      ...result,
      content: result.content.map((block) => (block.type === "text" ? { ...block, text: redact(block.text) } : block)),
    }),
  })
}

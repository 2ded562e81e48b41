// Asks before commands that match a pattern, and refuses paths, both from the settings:
//
//   "extensions": { "permission-gate": { "ask": ["\\bgit push\\b", "\\bterraform\\b"], "refuse": ["secrets/**", "**/.env"] } }
//
// It checks the arguments of calls only. A command can access a path in other ways; use the sandbox to prevent that.
import { matchesGlob, relative, resolve } from "node:path"
import type { ExtensionApi } from "gong/extension"

export default function (gong: ExtensionApi): void {
  const ask = texts(gong.settings["ask"]).map((pattern) => new RegExp(pattern))
  const refuse = texts(gong.settings["refuse"])

  gong.hook({
    beforeToolCall({ tool, arguments: { command, path } }) {
      if (typeof path === "string") {
        const inside = relative(gong.workspace, resolve(gong.cwd, path))
        const glob = refuse.find((one) => matchesGlob(inside, one))
        if (glob !== undefined) return { answer: "block", reason: `${path} is kept from you by ${glob}` }
      }
      if (tool === "bash" && typeof command === "string") {
        const pattern = ask.find((one) => one.test(command))
        if (pattern !== undefined) return { answer: "ask", reason: `it matches ${pattern.source}` }
      }
    },
  })
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

// Runs a checker on each written or edited file and adds its output to the result. One command per file extension, from the
// settings; the path of the file is its last argument:
//
//   "extensions": { "after-edit-diagnostics": { "check": { ".py": ["python3", "-m", "py_compile"], ".ts": ["oxlint"] } } }
import { execFile } from "node:child_process"
import { extname, resolve } from "node:path"
import type { ExtensionApi } from "gong/extension"

const usual = { ".js": ["node", "--check"], ".json": ["node", "-e", "JSON.parse(fs.readFileSync(process.argv[1]))"] }
const maxText = 4000

export default function (gong: ExtensionApi): void {
  const check = new Map(Object.entries({ ...usual, ...(gong.settings["check"] as object | undefined) }))

  gong.hook({
    tools: ["write", "edit"],
    timeMs: 20_000,
    async onToolResult(call, result, { signal }) {
      const file = resolve(gong.cwd, String(call.arguments["path"]))
      const command: unknown = check.get(extname(file))
      if (result.isError || !Array.isArray(command)) return
      const [program = "", ...args] = command.map(String)
      const said = await wrongBy(program, [...args, file], gong.cwd, signal)
      if (said === null) return
      const text = `${program} on ${file}:\n${said.slice(0, maxText)}`
      return { ...result, content: [...result.content, { type: "text", text }] }
    },
  })
}

/** The checker's output if it fails, or why it could not run; otherwise null. */
function wrongBy(program: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((done) => {
    execFile(program, args, { cwd, signal, timeout: 15_000 }, (error, out, err) => {
      done(error === null ? null : `${out}${err}`.trim() || error.message)
    })
  })
}

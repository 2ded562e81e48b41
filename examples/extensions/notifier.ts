// Calls a command when a run that took long has ended:
//
//   "extensions": { "notifier": { "seconds": 30, "command": ["notify-send", "Gong"] } }
//
// The command gets one argument more, which says how the run ended. Without a command a line says it.
import { execFile } from "node:child_process"
import type { ExtensionApi } from "gong/extension"

export default function (gong: ExtensionApi): void {
  const { seconds = 30, command } = gong.settings
  const [program, ...args] = Array.isArray(command) ? command.map(String) : []

  gong.on("agent.end", ({ duration_ms, status }) => {
    if (duration_ms < Number(seconds) * 1000) return
    const text = `${status} after ${Math.round(duration_ms / 1000)} s`
    if (program === undefined) return gong.say(text)
    // At its end Gong waits for what a watcher returns, and for 5 s at most.
    return new Promise<void>((done) => {
      execFile(program, [...args, text], { timeout: 4000 }, (error) => {
        if (error) gong.say(error.message, "warn")
        done()
      })
    })
  })
}

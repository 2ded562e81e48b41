// Runs a command after a long run:
//
//   "extensions": { "notifier": { "seconds": 30, "command": ["notify-send", "Gong"] } }
//
// The command gets an additional argument with the status of the run. Without a command a line is shown.
import { execFile } from "node:child_process"
import type { ExtensionApi } from "gong/extension"

export default function (gong: ExtensionApi): void {
  const { seconds = 30, command } = gong.settings
  const [program, ...args] = Array.isArray(command) ? command.map(String) : []

  gong.on("agent.end", ({ duration_ms, status }) => {
    if (duration_ms < Number(seconds) * 1000) return
    const text = `${status} after ${Math.round(duration_ms / 1000)} s`
    if (program === undefined) return gong.say(text)
    // At its end Gong awaits the result of an observer, for at most 5 s.
    return new Promise<void>((done) => {
      execFile(program, [...args, text], { timeout: 4000 }, (error) => {
        if (error) gong.say(error.message, "warn")
        done()
      })
    })
  })
}

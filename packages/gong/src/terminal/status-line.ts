import { createLocalHost } from "@gong/tools/host/local"
import type { Cli } from "../cli.ts"

/** Milliseconds after which the command is ended. */
const TIMEOUT_MS = 300
const OUTPUT_MAX = 4_096

/** The first line that the user's command prints for these facts, which are JSON on its stdin. Null: it failed, or was too slow. */
export async function statusLine(cli: Cli, command: string, facts: object): Promise<string | null> {
  const host = createLocalHost({ cwd: cli.cwd, env: cli.env })
  const stop = new AbortController()
  const cancel = cli.clock.timer(TIMEOUT_MS, () => stop.abort())
  let text = ""
  try {
    const { code } = await host.exec(command, {
      cwd: cli.cwd,
      signal: stop.signal,
      input: `${JSON.stringify(facts)}\n`,
      onData(bytes, stream) {
        if (stream === "stdout" && text.length < OUTPUT_MAX) text += new TextDecoder().decode(bytes)
      },
    })
    return code === 0 ? (text.split("\n", 1)[0] ?? "") : null
  } catch {
    return null
  } finally {
    cancel()
  }
}

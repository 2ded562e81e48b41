import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { RecordedRequest, Turn } from "../../testing/src/model-server.ts"

export interface ModelLog {
  readonly requests: readonly Pick<RecordedRequest, "at" | "endedAt" | "bytes">[]
  readonly problems: readonly string[]
  readonly left: number
}

/** The model server in a separate process: its cost must not be measured. */
export interface ModelProcess {
  readonly url: string
  begin(turns: readonly Turn[]): Promise<void>
  log(): Promise<ModelLog>
  close(): void
}

export async function startModel(): Promise<ModelProcess> {
  const program = join(import.meta.dirname, "../../testing/src/model-server.ts")
  const child = spawn(process.execPath, [program, "--no-bodies"], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  const url = line.toString().trim()
  const post = async (path: string, body: unknown) =>
    (await fetch(url + path, { method: "POST", body: JSON.stringify(body) })).json()
  return {
    url,
    begin: async (turns) => {
      await post("/__script", { turns })
    },
    log: async () => (await post("/__log", {})) as ModelLog,
    close: () => child.kill(),
  }
}

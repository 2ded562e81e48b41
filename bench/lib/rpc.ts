import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { gong } from "./agents.ts"
import { type Bench, type Figure, median } from "./lines.ts"
import { monotonic } from "./run.ts"

/** The time until the first line of `gong rpc` and until the answer to the first command, compared with an empty Node. */
export async function rpcReady({ model, node, folder, n }: Bench): Promise<Figure[]> {
  const place = join(folder, "rpc")
  const home = join(place, "home")
  for (const path of [home, join(place, "repo/.git"), join(place, "tmp")]) mkdirSync(path, { recursive: true })
  const [script = ""] = gong.command(model.url, "", false)
  const options = ["--base-url", `${model.url}/v1`, "--api", "openai-completions", "--api-key", "mock", "-m", "mock"]
  const env = { PATH: "/usr/bin:/bin", HOME: home, TMPDIR: join(place, "tmp"), ...gong.environment(model.url, home) }
  const begin = (args: readonly string[]) => timedStart(node, args, { cwd: join(place, "repo"), env })
  const times = { bare: [] as number[], ready: [] as number[], answered: [] as number[] }
  for (let i = 0; i <= n * 2; i++) {
    const bare = await begin(["-e", "0"])
    const rpc = await begin([script, "rpc", ...options])
    if (i === 0) continue
    times.bare.push(bare.ended)
    times.ready.push(rpc.lines[0] ?? Number.NaN)
    times.answered.push(rpc.lines[1] ?? Number.NaN)
  }
  const bare = median(times.bare)
  const figure = (line: string, own: number, limit: number): Figure => {
    const shown = (value: number) => `${value.toFixed(0)} ms`
    return { line, budget: `<= ${limit} x`, floor: shown(bare), gong: shown(own), judged: own / bare, limit }
  }
  return [
    figure("rpc: spawn to ready, against bare node", median(times.ready), 3),
    figure("rpc: spawn to the answer of a first command", median(times.answered), 4),
  ]
}

/** Sends one command at the first line, and closes its end at the second. */
function timedStart(
  node: string,
  args: readonly string[],
  given: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly lines: readonly number[]; readonly ended: number }> {
  return new Promise((resolve, reject) => {
    const began = monotonic()
    const lines: number[] = []
    const child = spawn(node, args, { ...given, stdio: ["pipe", "pipe", "ignore"] })
    child.stdin.on("error", () => undefined)
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      for (let left = text.split("\n").length - 1; left > 0; left--) {
        lines.push(monotonic() - began)
        if (lines.length === 1) child.stdin.write('{"type":"get_state"}\n')
        else child.stdin.end()
      }
    })
    child.once("error", reject)
    child.once("exit", () => resolve({ lines, ended: monotonic() - began }))
  })
}

import { setTimeout as sleep } from "node:timers/promises"
import { openEmulator } from "../../testing/src/emulator.ts"
import type { Bench, Figure } from "./lines.ts"
import { pssOf } from "./memory.ts"
import { monotonic } from "./run.ts"
import { cpuMs, ended, figure, median, ready, type Session, size, start } from "./terminal-session.ts"

const numbered = (lines: number): readonly string[] =>
  Array.from({ length: lines }, (_, at) => `line ${at} ${"word ".repeat(at % 17)}end${at}.`)

/** 200 sizes in 5 s while 65 lines a second stream. Lines are counted in the scrollback of the emulator. */
export async function resizing(bench: Bench): Promise<readonly Figure[]> {
  const sizes = bench.smoke ? 40 : 200
  const said = numbered((65 * sizes) / 40)
  const costs: number[] = []
  const lost: number[] = []
  const doubled: number[] = []
  for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
    const text = said.join("\n")
    await bench.model.begin([{ text, delta: 20, delayMs: Math.round((sizes * 25 * 20) / text.length) }])
    const gong = await ready(bench)
    const emulator = openEmulator(size.cols, size.rows)
    let fed = 0
    const feed = async (): Promise<void> => {
      const bytes = gong.output().slice(fed)
      fed += bytes.length
      await emulator.write(bytes)
    }
    const cpu = cpuMs(gong.pty.pid)
    gong.pty.write("go\r")
    for (let change = 0; change < sizes; change++) {
      await feed()
      const columns = 60 + ((change * 37) % 90)
      const rows = 20 + ((change * 13) % 25)
      emulator.resize(columns, rows)
      gong.pty.resize(columns, rows)
      await sleep(25)
    }
    await ended(gong, bench, 1)
    costs.push((cpuMs(gong.pty.pid) - cpu) / 1_000)
    await feed()
    const shown = emulator.lines().join(" ").replaceAll(/\s+/g, " ")
    const counts = said.map((line) => shown.split(line).length - 1)
    lost.push(counts.filter((count) => count === 0).length)
    doubled.push(counts.filter((count) => count > 1).length)
    await gong.end()
  }
  const name = `${sizes} sizes in ${(sizes * 25) / 1_000} s while text streams`
  return [
    figure(`${name}: CPU`, median(costs), { limit: 1.5, unit: "s" }),
    figure(`${name}: lines lost`, median(lost), { limit: 0, unit: "" }),
    figure(`${name}: lines doubled`, median(doubled), { limit: 0, unit: "" }),
  ]
}

/** Bytes a second that a slow terminal takes. */
const SLOW_BYTES = 10_000

/** 100 KB in pieces of 1 KB, and each key at once behind the current one: what the terminal itself holds back. */
const slowProgram = `process.stdin.setRawMode(true);let left=100;
const next=()=>{if(left-->0){process.stdout.write("x".repeat(99)+"\\r\\n"+"y".repeat(900)+"\\r\\n");setImmediate(next)}};
process.stdin.on("data",(d)=>process.stdout.write("> "+d+"\\r\\n"));process.stdout.write("> \\r\\n");setTimeout(next,100)`

/** Milliseconds to a key on the screen of a terminal that takes 10 KB a second. */
async function slowKey(gong: Session): Promise<number> {
  const before = monotonic()
  gong.pty.write("Z")
  const emulator = openEmulator(size.cols, size.rows)
  for (let fed = 0; ; await sleep(5)) {
    const bytes = gong.output().slice(fed)
    fed += bytes.length
    await emulator.write(bytes)
    if (emulator.rows().some((row) => row.text === "> Z")) return monotonic() - before
    if (monotonic() - before > 60_000) throw new Error("the key was never shown")
  }
}

/** A terminal that takes 10 KB a second while text streams ten times as fast. */
export async function slowReader(bench: Bench): Promise<readonly Figure[]> {
  const text = numbered(bench.smoke ? 400 : 2_000).join("\n")
  const lags: number[] = []
  const floors: number[] = []
  const quick: number[] = []
  const growths: number[] = []
  for (let at = 0; at < (bench.smoke ? 1 : 5); at++) {
    const bare = start(bench, [bench.node, "-e", slowProgram])
    await bare.until("> ")
    const stopBare = slowed(bare)
    await sleep(2_000)
    floors.push(await slowKey(bare))
    stopBare()
    await bare.end()
    quick.push(await growthOf(bench, text))
    await bench.model.begin([{ text, delta: 200, delayMs: 2 }])
    const gong = await ready(bench)
    const pss = pssOf(gong.pty.pid)
    const stop = slowed(gong)
    gong.pty.write("go\r")
    await ended(gong, bench, 1)
    lags.push(await slowKey(gong))
    growths.push((pssOf(gong.pty.pid) - pss) / 1e6)
    stop()
    await gong.end()
  }
  return [
    figure("terminal that takes 10 KB/s: lag of a key over that of the terminal", median(lags) - median(floors), {
      floor: median(floors),
      limit: 1_000,
      unit: "ms",
    }),
    figure("terminal that takes 10 KB/s: memory (PSS) over that of a quick one", median(growths) - median(quick), {
      floor: median(quick),
      limit: 5,
      unit: "MB",
    }),
  ]
}

/** The same reply on a terminal that takes all at once. */
async function growthOf(bench: Bench, text: string): Promise<number> {
  await bench.model.begin([{ text, delta: 200, delayMs: 2 }])
  const gong = await ready(bench)
  const pss = pssOf(gong.pty.pid)
  gong.pty.write("go\r")
  await ended(gong, bench, 1)
  const growth = (pssOf(gong.pty.pid) - pss) / 1e6
  await gong.end()
  return growth
}

/** Reads at most so many bytes a second. Returns a function that ends this. */
function slowed({ pty }: Session): () => void {
  let taken = 0
  const startedAt = monotonic()
  const listener = pty.onData((data) => {
    taken += data.length
    if (taken > ((monotonic() - startedAt) * SLOW_BYTES) / 1_000) pty.pause()
  })
  const timer = setInterval(() => {
    if (taken <= ((monotonic() - startedAt) * SLOW_BYTES) / 1_000) pty.resume()
  }, 20)
  return () => {
    clearInterval(timer)
    listener.dispose()
    pty.resume()
  }
}

/** 1,000 runs in one conversation, each with a call. */
export async function manyRuns(bench: Bench): Promise<readonly Figure[]> {
  const runs = bench.smoke ? 20 : 1_000
  const turn = (at: number) => [
    { calls: [{ name: "read", args: { path: "a.txt" } }] },
    { text: `## Answer ${at}\n\nSome **text** with \`code\`.\n\n- one\n- two\n\nDONE${at}.` },
  ]
  const gong = await ready(bench)
  const early = bench.smoke ? 5 : 50
  let pss = 0
  for (let at = 0; at < runs; at++) {
    if (at === early) pss = pssOf(gong.pty.pid)
    await bench.model.begin(turn(at))
    gong.pty.write(`go ${at}\r`)
    await gong.until(`DONE${at}.`)
    await sleep(5)
  }
  const growth = (pssOf(gong.pty.pid) - pss) / 1e6
  await gong.end()
  return [
    figure(`${runs} runs in one conversation: memory (PSS) after run ${early}`, growth, { limit: 20, unit: "MB" }),
  ]
}

import { setTimeout as sleep } from "node:timers/promises"
import { openEmulator } from "../../testing/src/emulator.ts"
import type { Bench, Figure } from "./lines.ts"
import { pssOf } from "./memory.ts"
import { monotonic } from "./run.ts"
import {
  cpuMs,
  ended,
  figure,
  frameEnd,
  median,
  open,
  percentile,
  type Session,
  size,
  start,
} from "./terminal-session.ts"
import { longText } from "./work.ts"

/** The bare start of Node with a raw terminal and one line: the floor of the first paint. */
const floorProgram =
  'process.stdin.setRawMode(true);process.stdout.write("\\x1b[?2004h> ");setTimeout(()=>process.exit(),400)'

/** A row of text in raw mode, written anew for each key: the floor of the echo. */
const echoProgram = `process.stdin.setRawMode(true);let t="";process.stdin.setEncoding("utf8");
process.stdin.on("data",(d)=>{for(const c of d)t=c==="\\x15"?"":t+c;process.stdout.write("\\r\\x1b[K> "+t)})`

/** A conversation on the screen of a real pseudo-terminal, 120 x 40. */
export async function terminalStart(bench: Bench): Promise<readonly Figure[]> {
  const n = bench.smoke ? 2 : 9
  const floors: number[] = []
  const paints: number[] = []
  const readies: number[] = []
  for (let at = 0; at <= n; at++) {
    const bare = start(bench, [bench.node, "-e", floorProgram])
    const bareAt = (await bare.until("> ")) - bare.startedAt
    await bare.end()
    await bench.model.begin([{ text: "Hello." }])
    const gong = open(bench)
    // Typed before anything is shown.
    gong.pty.write("hello\r")
    const paintedAt = (await gong.until(frameEnd)) - gong.startedAt
    await gong.until("Hello.")
    const log = await bench.model.log()
    if (at > 0) {
      floors.push(bareAt)
      paints.push(paintedAt)
      readies.push((log.requests[0]?.at ?? Number.NaN) - gong.startedAt)
    }
    await gong.end()
  }
  return [
    figure("first paint of the input", median(paints), { floor: median(floors), limit: 90, unit: "ms" }),
    figure("typed at once, to the first request", median(readies), { limit: 180, unit: "ms" }),
    ...(await idle(bench)),
  ]
}

async function idle(bench: Bench): Promise<readonly Figure[]> {
  const seconds = bench.smoke ? 3 : 60
  const gong = open(bench)
  await gong.until(frameEnd)
  await sleep(1_500)
  const [cpu, bytes] = [cpuMs(gong.pty.pid), gong.bytes()]
  await sleep(seconds * 1_000)
  const used = cpuMs(gong.pty.pid) - cpu
  const pss = pssOf(gong.pty.pid) / 1e6
  const written = gong.bytes() - bytes
  await gong.end()
  return [
    figure(`idle for ${seconds} s: memory (PSS)`, pss, { limit: 70, unit: "MB" }),
    figure(`idle for ${seconds} s: CPU`, used, { limit: 10, unit: "ms" }),
    figure(`idle for ${seconds} s: bytes written`, written, { limit: 0, unit: "" }),
  ]
}

/** 1,500 deltas in 15 s while a key is typed every 50 ms. */
export async function terminalStream(bench: Bench): Promise<readonly Figure[]> {
  const deltas = bench.smoke ? 300 : 1_500
  const work = longText(deltas * 20, deltas, 10)
  const costs: number[] = []
  const sizes: number[] = []
  for (let at = 0; at < (bench.smoke ? 1 : 3); at++) {
    await bench.model.begin([...work.turns])
    const gong = open(bench)
    await gong.until(frameEnd)
    await sleep(300)
    const [cpu, bytes] = [cpuMs(gong.pty.pid), gong.bytes()]
    gong.pty.write("go\r")
    await ended(gong, bench, 1)
    costs.push((cpuMs(gong.pty.pid) - cpu) / 1_000)
    sizes.push((gong.bytes() - bytes) / 1e6)
    await gong.end()
  }
  const bareEcho = await echoes(bench, start(bench, [bench.node, "-e", echoProgram]))
  const echo = await streamingEchoes(bench, deltas)
  const echoFloor = (percent: number): number => percentile(bareEcho, percent)
  return [
    figure(`${deltas} deltas in ${deltas / 100} s: CPU`, median(costs), { limit: 1.2, unit: "s" }),
    figure(`${deltas} deltas in ${deltas / 100} s: bytes`, median(sizes), { limit: 0.08, unit: "MB" }),
    figure("echo of a key while that streams, p50", percentile(echo, 50), {
      floor: echoFloor(50),
      limit: 4,
      unit: "ms",
    }),
    figure("echo of a key while that streams, p99", percentile(echo, 99), {
      floor: echoFloor(99),
      limit: 16,
      unit: "ms",
    }),
  ]
}

/** Milliseconds from a typed key to its cell in the emulator. */
async function streamingEchoes(bench: Bench, deltas: number): Promise<readonly number[]> {
  await bench.model.begin([...longText(deltas * 20, deltas, 10).turns])
  const gong = open(bench)
  await gong.until(frameEnd)
  await sleep(300)
  gong.pty.write("go\r")
  await sleep(500)
  return echoes(bench, gong)
}

/** Milliseconds from a key to its cell in the emulator, a key each 50 ms. Ends the session. */
async function echoes(bench: Bench, gong: Session): Promise<readonly number[]> {
  const times: number[] = []
  const emulator = openEmulator(size.cols, size.rows)
  let typed = ""
  let fed = 0
  for (let at = 0; at < (bench.smoke ? 20 : 200); at++) {
    const key = "abcdefghij"[at % 10] ?? "a"
    typed = typed.length >= 60 ? "" : typed
    if (typed === "") {
      gong.pty.write("\u0015")
      await sleep(50)
    }
    typed += key
    const before = monotonic()
    gong.pty.write(key)
    for (;;) {
      const bytes = gong.output().slice(fed)
      fed += bytes.length
      await emulator.write(bytes)
      const { active } = emulator.terminal.buffer
      // The cursor is in the input. To read all rows would take longer than the echo.
      if (active.getLine(active.baseY + active.cursorY)?.translateToString(true) === `> ${typed}`) break
      if (monotonic() - before > 2_000) throw new Error(`the key ${at} was not shown: ${typed}`)
      await sleep(0.5)
    }
    times.push(monotonic() - before)
    await sleep(50)
  }
  await gong.end()
  return times
}

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Entry } from "@gong/spec"
import { createTape, type Tape } from "@gong/tape"
import { killDescendant } from "@gong/testing/processes"
import { nodeDisk, nodeMachine, openStore, verifyTape } from "@gong/tape/file"
import { systemClock, systemIds } from "@gong/app/ports"
import type { Run, Stage } from "../program/harness.ts"
import { damagedFile, type Place } from "./place.ts"
import { original } from "./scenarios.ts"
import { type Call, callsIn, effects, under } from "./strace.ts"

/** Something that happens at one call of a run. */
export interface Point {
  readonly scenario: string
  readonly call: string
  readonly number: number
  /** `KILL`, or how the call fails. */
  readonly what: string
}

export const named = ({ scenario, call, number, what }: Point): string => `${scenario}: ${what} at ${call} ${number}`

/** The faults that each call may meet; all of them once. */
const faults: Readonly<Record<string, readonly string[]>> = {
  write: ["EIO", "ENOSPC"],
  fsync: ["EIO", "ENOSPC"],
  fdatasync: ["EIO", "ENOSPC"],
  rename: ["EROFS", "EIO"],
  link: ["EROFS", "ENOSPC"],
  unlink: ["EROFS", "EIO"],
  mkdir: ["EROFS", "ENOSPC"],
  openat: ["EMFILE", "EROFS"],
}

/** Every point of a scenario, from a run that nothing happens to. */
export async function pointsOf(place: Place): Promise<readonly Point[]> {
  const { stage, scenario } = place
  const log = join(stage.root, "trace")
  for (let n = 0; n < 2; n++) {
    place.reset()
    const run = await runUnder(place, under({ log }))
    if (run.status !== 0) throw new Error(`${scenario.name} does not even run: ${run.status} ${run.err}`)
  }
  const calls = callsIn(log)
  const point = ({ name, number }: Call, what: string): Point => ({ scenario: scenario.name, call: name, number, what })
  const kills = calls.filter(({ name }) => effects.some((effect) => effect === name)).map((call) => point(call, "KILL"))
  const ours = calls.filter(({ on }) => on.includes(stage.gongHome) || on.includes(stage.repo))
  return [...kills, ...ours.flatMap((call) => (faults[call.name] ?? []).map((what) => point(call, what)))]
}

/** A call is found by its number, and how often the runtime writes to its own pipes differs from run to run. */
const maxTries = 3

/** The result of one point: null if every guarantee held, or if the fault never hit a file of ours. */
export async function tryPoint(place: Place, point: Point): Promise<string | null> {
  for (let tried = 1; tried <= maxTries; tried++) {
    const problem = await tryOnce(place, point)
    if (problem === null || !struckElsewhere(place.stage)) return problem
  }
  return null
}

/** A runtime that cannot write to its own pipe hangs; no disk fault causes that. */
function struckElsewhere(stage: Stage): boolean {
  const log = join(stage.root, "trace")
  const struck = existsSync(log) ? readFileSync(log, "utf8").split("\n") : []
  const lines = struck.filter((line) => line.includes("(INJECTED)"))
  return lines.length > 0 && !lines.some((line) => line.includes(stage.gongHome) || line.includes(stage.repo))
}

async function tryOnce(place: Place, point: Point): Promise<string | null> {
  const { stage } = place
  place.reset()
  const base = baseOf(stage)
  const how = point.what === "KILL" ? "signal=KILL" : `error=${point.what}`
  const inject = [`${point.call}:${how}:when=${point.number}`]
  const began = performance.now()
  const run = await runUnder(place, under({ log: join(stage.root, "trace"), inject }))
  if (performance.now() - began > maxRunMs) return `hangs: ${run.err}${run.out}`
  const found = sessionsIn(stage).map((id) => ({ id, ...look(stage, id) }))
  const acknowledged = acknowledgedIn(run)
  const ids = new Set(found.flatMap((one) => one.ids))
  const lost = acknowledged.filter((id) => !ids.has(id))
  // A reported fault is no silent loss; a kill reports nothing.
  const notified =
    point.what !== "KILL" && /cannot|disk|storage|read-only|EMFILE|EROFS|EIO|ENOSPC/i.test(run.err + run.out)
  if (lost.length > 0 && !notified) return `${lost.length} of ${acknowledged.length} acknowledged entries lost`
  for (const { id, problem } of found) if (problem !== null) return `session ${id}: ${problem}`
  if (base !== null && baseOf(stage)?.startsWith(base) !== true)
    return "the session that was there is no longer what it was"
  const damaged = damagedFile(stage)
  if (damaged !== null) return damaged
  return place.scenario.name === "undo" ? undoneAgain(stage) : goesOn(stage, acknowledged.length)
}

async function goesOn(stage: Stage, acknowledged: number): Promise<string | null> {
  const run = await stage.gong(["-c", "-p", "-q", "go on"])
  if (run.status === 0 && run.out === "Still here.\n") return null
  if (acknowledged === 0 && run.status === 2 && /no session in /.test(run.err)) return null
  return `does not go on: ${run.status} ${run.err}${run.out}`
}

async function undoneAgain(stage: Stage): Promise<string | null> {
  const run = await stage.gong(["undo"])
  const isBack = stage.read("a.txt") === original && !existsSync(join(stage.repo, "new/d.txt"))
  return run.status === 0 && isBack ? null : `undo again: ${run.status} ${run.err}${run.out}${stage.read("a.txt")}`
}

/** A longer run counts as hanging. */
const maxRunMs = 15_000

/** Runs the scenario with this command prefix; at a terminal if one is needed. */
async function runUnder({ stage, scenario }: Place, words: readonly string[]): Promise<Run> {
  const { typed } = scenario
  const { child, ended } = stage.start(scenario.args(stage), {
    under: words,
    ...(typed === undefined ? {} : { typed }),
  })
  const timer = setTimeout(() => endAll(child.pid), maxRunMs)
  const run = await ended
  clearTimeout(timer)
  return run
}

/** strace alone would leave its child running, which may hang. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
  for (const one of [...children.filter((child) => child !== "").map(Number), pid]) {
    killDescendant(one)
  }
}

/** The entries whose ids are in complete lines on stdout. */
function acknowledgedIn({ out }: Run): readonly string[] {
  return out
    .slice(0, out.lastIndexOf("\n") + 1)
    .split("\n")
    .flatMap((line) => /^\{"type".*"entry":"([0-9a-z]{12})"/.exec(line)?.[1] ?? [])
}

function sessionsIn({ gongHome }: Stage): readonly string[] {
  const folder = join(gongHome, "sessions")
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => !name.startsWith(".") && existsSync(join(folder, name, "tape.json")))
}

const ports = { disk: nodeDisk(), clock: systemClock, ids: systemIds(systemClock), machine: nodeMachine() }

/** The entries of a session, and its damage apart from a truncated last line. */
function look({ gongHome }: Stage, id: string): { readonly ids: readonly string[]; readonly problem: string | null } {
  const path = join(gongHome, "sessions", id)
  const { problems, artifacts } = verifyTape(ports, path)
  const [bad] = problems.filter(({ kind }) => kind !== "torn")
  const tape: Tape = createTape(openStore(ports, { path, readOnly: true }), ports)
  const ids = Array.from({ length: tape.all.length }, (_, at) => tape.all.head(at).id)
  const names = tape.entriesOfBranch().length
  tape.close()
  if (bad !== undefined) return { ids, problem: `${bad.file}:${bad.line}: ${bad.reason}` }
  if (artifacts.damaged.length + artifacts.missing.length > 0)
    return { ids, problem: `artifacts: ${JSON.stringify(artifacts)}` }
  return { ids, problem: names > ids.length ? "a branch longer than the session" : null }
}

/** The lines of the session that was there before. */
function baseOf(stage: Stage): string | null {
  const path = join(stage.gongHome, "sessions/base")
  if (!existsSync(join(path, "tape.json"))) return null
  const store = openStore(ports, { path, readOnly: true })
  const entries: Entry[] = store.heads().map((_, at) => store.entry(at))
  store.close()
  return entries.map((entry) => JSON.stringify(entry)).join("\n")
}

import { phrase, type Text } from "@gong/spec"
import { type Call, type Offers, type Problem, silenceTime, type WorkerExtension } from "../protocol.ts"
import type { FailedLoad } from "../reporter.ts"
import { heartbeat } from "./heartbeat.ts"
import { extensionOf, type ExtensionHostDeps, type Hosting, loadingOf, remaining, turnOff } from "./hosting.ts"
import { heard } from "./messages.ts"
import { type CallOptions, ExtensionError, openCalls, sessionOver } from "./open-calls.ts"

export type { Asleep } from "./hosting.ts"

/** Extensions in one worker thread: of one session, or of several that share it (`shared-hosts.ts`). */
export interface ExtensionHost {
  /** Starts the thread and loads all of them, `first` before the others. Only the first call has an effect. */
  begin(first?: readonly number[]): void
  /** What is registered when these were loaded or failed. Never rejects, and waits for `begin`. */
  loaded(extensions: readonly number[]): Promise<ReadonlyMap<number, Offers>>
  /** What each registers, after all were loaded or failed. Never rejects, and waits for `begin`. */
  readonly offers: Promise<ReadonlyMap<number, Offers>>
  /** Known data of extensions that are not started: their gates stay closed. */
  readonly asleep: ReadonlyMap<number, Offers>
  /** Rejects with `ExtensionError`. Waits for the extension, and starts the thread unless `patient` is set. */
  call(call: Call, options?: CallOptions): Promise<unknown>
  /** Whether it failed to load, or was turned off because it hung or crashed the thread. */
  isOff(extension: number): boolean
  readonly ended: boolean
  end(): void
}

/** Unexpected exits of the thread per session; after the last one all extensions are off. */
const maxEnds = 5

/** One thread, started on demand, and restarted without the culprit when it crashes or hangs. */
export function extensionHost(parts: ExtensionHostDeps): ExtensionHost {
  const at: Hosting = {
    ...parts,
    offers: new Map(),
    off: new Set(),
    calls: openCalls(parts.clock, (message) => at.thread?.post(message)),
    beat: heartbeat({
      clock: parts.clock,
      silence: silenceTime,
      busy: () => at.calls.size > 0 || loadingOf(at) !== null,
      ping: () => at.thread?.post({ kind: "ping" }),
      silent: () => void hung(at),
    }),
    first: Promise.withResolvers(),
    thread: null,
    order: null,
    tried: new Set(),
    callable: new Map(parts.begin.extensions.map(({ id }) => [id, Promise.withResolvers()])),
    leaving: null,
    ends: 0,
    ended: false,
  }
  for (const { extension, problem } of parts.asleep) turnOff(at, extension, problem, "asleep")
  const asleep = new Map(at.offers)
  if (parts.begin.extensions.length === 0) nobodyLeft(at)
  return {
    begin: (first = []) => begin(at, first),
    async loaded(extensions) {
      for (const id of extensions) await at.callable.get(id)?.promise
      return at.offers
    },
    offers: at.first.promise,
    asleep,
    isOff: (extension) => at.off.has(extension),
    get ended() {
      return at.ended
    },
    async call(call, options = {}) {
      if (options.patient !== true) begin(at, [])
      await at.callable.get(call.extension)?.promise
      if (at.ended) throw sessionOver()
      if (at.off.has(call.extension)) {
        const { name } = extensionOf(at, call.extension) ?? { name: "" }
        throw new ExtensionError(phrase`the extension ${name} is off; /reload loads it again`, null, true)
      }
      const answer = at.calls.begin(call, options)
      at.beat.begin()
      return answer
    },
    end() {
      at.ended = true
      stop(at)
      at.calls.fail(sessionOver)
      nobodyLeft(at)
    },
  }
}

function begin(at: Hosting, first: readonly number[]): void {
  if (at.ended || at.order !== null) return
  const isFirst = ({ id }: WorkerExtension): boolean => first.includes(id)
  const { extensions } = at.begin
  at.order = [...extensions.filter(isFirst), ...extensions.filter((one) => !isFirst(one))]
  start(at)
}

function start(at: Hosting): void {
  const left = remaining(at)
  at.tried.clear()
  at.leaving = null
  if (left.length > 0 && at.ends < maxEnds) {
    // The memory is valid for the complete set only.
    const memory = left.length === at.begin.extensions.length ? at.begin.memory : null
    at.thread = at.open(
      { ...at.begin, memory, extensions: left },
      { message: (one) => heard(at, one), gone: (why) => lost(at, why) },
    )
    at.beat.begin()
    return
  }
  for (const { id } of at.begin.extensions) at.off.add(id)
  nobodyLeft(at)
}

function nobodyLeft(at: Hosting): void {
  for (const { resolve } of at.callable.values()) resolve()
  at.first.resolve(at.offers)
}

function stop(at: Hosting): void {
  at.beat.end()
  at.thread?.end()
  at.thread = null
}

/**
 * The thread is silent. The culprit is the extension whose code runs, otherwise the one being loaded or called last.
 */
async function hung(at: Hosting): Promise<void> {
  const silent = at.thread
  if (silent === null) return
  const frames = await silent.where()
  if (silent !== at.thread) return
  const frame = frames.find(({ path }) => ownerOf(at, path) !== null) ?? null
  const message = phrase`it gave no sign for ${silenceTime / 1000} s and was ended. Do not block: wait with await, and bound every loop`
  const stack = frames.map(({ name, path, line }) => `    at ${name || "<anonymous>"} (${path}:${line})`).join("\n")
  const problem = { message, stack, path: frame?.path ?? null, line: frame?.line ?? null }
  // On an overloaded machine a thread may not have started; then nobody hangs.
  again(at, (frame && ownerOf(at, frame.path)) ?? suspect(at), problem, frame === null ? "threw" : "late")
}

function lost(at: Hosting, reason: Text): void {
  const message = phrase`it ended the thread of extensions: ${reason}`
  again(at, suspect(at), { message, stack: "", path: null, line: null }, "threw")
}

function suspect(at: Hosting): number | null {
  return at.leaving ?? loadingOf(at) ?? at.calls.last
}

function ownerOf({ begin: { extensions } }: Hosting, path: string): number | null {
  const exact = extensions.find((one) => one.path === path)
  return (exact ?? extensions.find(({ folder }) => path.startsWith(`${folder}/`)))?.id ?? null
}

/** `load`: the outcome if the culprit was being loaded. */
function again(at: Hosting, culprit: number | null, problem: Problem, load: FailedLoad): void {
  const loading = loadingOf(at)
  stop(at)
  at.ends += 1
  const extension = culprit === null ? null : extensionOf(at, culprit)
  if (extension === null) at.notify({ kind: "stray", extension: null, problem }, null)
  else turnOff(at, extension, problem, culprit === loading ? load : null)
  const other = phrase`another extension ended the thread that it shares`
  at.calls.fail(({ extension }) => new ExtensionError(extension === culprit ? problem.message : other, null, true))
  // Callers that wait for this thread wait for the next one.
  for (const id of at.tried) at.callable.set(id, Promise.withResolvers())
  start(at)
  for (const id of at.off) at.callable.get(id)?.resolve()
}

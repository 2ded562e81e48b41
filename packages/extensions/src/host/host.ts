import { phrase, type Text } from "@gong/spec"
import { type Call, type Registrations, type Problem, silenceTime, type WorkerExtension } from "../protocol.ts"
import type { FailedLoad } from "../reporter.ts"
import { heartbeat } from "./heartbeat.ts"
import { extensionOf, type ExtensionHostDeps, type HostState, loadingOf, remaining, turnOff } from "./hosting.ts"
import { handleMessage } from "./messages.ts"
import { type CallOptions, ExtensionError, openCalls, sessionOver } from "./open-calls.ts"

export type { KnownTimeout as Asleep } from "./hosting.ts"

/** Extensions in one worker thread: of one session, or of several that share it (`shared-hosts.ts`). */
export interface ExtensionHost {
  /** Starts the thread and loads all of them, `first` before the others. Only the first call has an effect. */
  begin(first?: readonly number[]): void
  /** What is registered when these were loaded or failed. Never rejects, and waits for `begin`. */
  loaded(extensions: readonly number[]): Promise<ReadonlyMap<number, Registrations>>
  /** What each registers, after all were loaded or failed. Never rejects, and waits for `begin`. */
  readonly registrations: Promise<ReadonlyMap<number, Registrations>>
  /** Known data of extensions that are not started: their gates stay closed. */
  readonly assumed: ReadonlyMap<number, Registrations>
  /** Rejects with `ExtensionError`. Waits for the extension, and starts the thread unless `patient` is set. */
  call(call: Call, options?: CallOptions): Promise<unknown>
  /** Whether it failed to load, or was turned off because it hung or crashed the thread. */
  isOff(extension: number): boolean
  readonly ended: boolean
  end(): void
}

/** Unexpected exits of the thread per session; after the last one all extensions are off. */
const maxExits = 5

/** One thread, started on demand, and restarted without the culprit when it crashes or hangs. */
export function extensionHost(parts: ExtensionHostDeps): ExtensionHost {
  const state: HostState = {
    ...parts,
    registrations: new Map(),
    off: new Set(),
    calls: openCalls(parts.clock, (message) => state.thread?.post(message)),
    heartbeat: heartbeat({
      clock: parts.clock,
      silence: silenceTime,
      busy: () => state.calls.size > 0 || loadingOf(state) !== null,
      ping: () => state.thread?.post({ kind: "ping" }),
      onSilence: () => void handleSilence(state),
    }),
    first: Promise.withResolvers(),
    thread: null,
    order: null,
    attempted: new Set(),
    callable: new Map(parts.begin.extensions.map(({ id }) => [id, Promise.withResolvers()])),
    exiting: null,
    exits: 0,
    ended: false,
  }
  for (const { extension, problem } of parts.knownTimeouts) turnOff(state, extension, problem, "known-timeout")
  const assumed = new Map(state.registrations)
  if (parts.begin.extensions.length === 0) resolveWaiting(state)
  return {
    begin: (first = []) => begin(state, first),
    async loaded(extensions) {
      for (const id of extensions) await state.callable.get(id)?.promise
      return state.registrations
    },
    registrations: state.first.promise,
    assumed: assumed,
    isOff: (extension) => state.off.has(extension),
    get ended() {
      return state.ended
    },
    async call(call, options = {}) {
      if (options.waitForThread !== true) begin(state, [])
      await state.callable.get(call.extension)?.promise
      if (state.ended) throw sessionOver()
      if (state.off.has(call.extension)) {
        const { name } = extensionOf(state, call.extension) ?? { name: "" }
        throw new ExtensionError(phrase`the extension ${name} is off; /reload loads it again`, null, true)
      }
      const answer = state.calls.begin(call, options)
      state.heartbeat.begin()
      return answer
    },
    end() {
      state.ended = true
      stop(state)
      state.calls.fail(sessionOver)
      resolveWaiting(state)
    },
  }
}

function begin(state: HostState, first: readonly number[]): void {
  if (state.ended || state.order !== null) return
  const isFirst = ({ id }: WorkerExtension): boolean => first.includes(id)
  const { extensions } = state.begin
  state.order = [...extensions.filter(isFirst), ...extensions.filter((one) => !isFirst(one))]
  start(state)
}

function start(state: HostState): void {
  const left = remaining(state)
  state.attempted.clear()
  state.exiting = null
  if (left.length > 0 && state.exits < maxExits) {
    // The memory is valid for the complete set only.
    const memory = left.length === state.begin.extensions.length ? state.begin.memory : null
    state.thread = state.open(
      { ...state.begin, memory, extensions: left },
      { message: (one) => handleMessage(state, one), exited: (why) => handleExit(state, why) },
    )
    state.heartbeat.begin()
    return
  }
  for (const { id } of state.begin.extensions) state.off.add(id)
  resolveWaiting(state)
}

function resolveWaiting(state: HostState): void {
  for (const { resolve } of state.callable.values()) resolve()
  state.first.resolve(state.registrations)
}

function stop(state: HostState): void {
  state.heartbeat.end()
  state.thread?.end()
  state.thread = null
}

/**
 * The thread is silent. The culprit is the extension whose code runs, otherwise the one being loaded or called last.
 */
async function handleSilence(state: HostState): Promise<void> {
  const silent = state.thread
  if (silent === null) return
  const frames = await silent.where()
  if (silent !== state.thread) return
  const frame = frames.find(({ path }) => ownerOf(state, path) !== null) ?? null
  const message = phrase`it gave no sign for ${silenceTime / 1000} s and was ended. Do not block: wait with await, and bound every loop`
  const stack = frames.map(({ name, path, line }) => `    at ${name || "<anonymous>"} (${path}:${line})`).join("\n")
  const problem = { message, stack, path: frame?.path ?? null, line: frame?.line ?? null }
  // On an overloaded machine a thread may not have started; then nobody hangs.
  restart(
    state,
    (frame && ownerOf(state, frame.path)) ?? likelyCulprit(state),
    problem,
    frame === null ? "threw" : "timeout",
  )
}

function handleExit(state: HostState, reason: Text): void {
  const message = phrase`it ended the thread of extensions: ${reason}`
  restart(state, likelyCulprit(state), { message, stack: "", path: null, line: null }, "threw")
}

function likelyCulprit(state: HostState): number | null {
  return state.exiting ?? loadingOf(state) ?? state.calls.last
}

function ownerOf({ begin: { extensions } }: HostState, path: string): number | null {
  const exact = extensions.find((one) => one.path === path)
  return (exact ?? extensions.find(({ folder }) => path.startsWith(`${folder}/`)))?.id ?? null
}

/** `load`: the outcome if the culprit was being loaded. */
function restart(state: HostState, culprit: number | null, problem: Problem, load: FailedLoad): void {
  const loading = loadingOf(state)
  stop(state)
  state.exits += 1
  const extension = culprit === null ? null : extensionOf(state, culprit)
  if (extension === null) state.notify({ kind: "unhandled", extension: null, problem }, null)
  else turnOff(state, extension, problem, culprit === loading ? load : null)
  const other = phrase`another extension ended the thread that it shares`
  state.calls.fail(({ extension }) => new ExtensionError(extension === culprit ? problem.message : other, null, true))
  // Callers that wait for this thread wait for the next one.
  for (const id of state.attempted) state.callable.set(id, Promise.withResolvers())
  start(state)
  for (const id of state.off) state.callable.get(id)?.resolve()
}

import { AsyncLocalStorage } from "node:async_hooks"
import { phrase } from "@gong/spec"
import { parentPort } from "node:worker_threads"
import { type FromWorker, type Problem, silenceTime, type ToWorker, type WorkerBegin } from "../protocol.ts"
import { type Calls, callsOf } from "./calls.ts"
import { setEnvironment } from "./environment.ts"
import { loadExtension } from "./load.ts"
import { loadModules } from "./modules.ts"
import { captureOutput } from "./output.ts"
import { isBelow, problemOf } from "./problem.ts"
import type { LoadedFunctions } from "./registrar.ts"
import { type LoadRecorder, createLoadRecorder } from "./remember.ts"

/**
 * The thread for all extensions of a session. It is idle until its first message, and survives errors of extensions.
 */
interface WorkerState {
  readonly begin: WorkerBegin
  readonly loaded: Map<number, LoadedFunctions>
  readonly memory: LoadRecorder
  readonly calls: Calls
}

/** The extension whose code is running. */
const current = new AsyncLocalStorage<{ readonly extension: number; readonly session: number | null }>()
const extensionNow = () => current.getStore()?.extension ?? null
const sessionNow = () => current.getStore()?.session ?? null
let started: WorkerState | null = null

parentPort?.on("message", (message: ToWorker) => {
  if (message.kind !== "begin") return started === null ? undefined : handle(started, message)
  const state = begin(message.begin, message.env)
  started = state
  loadAll(state).catch((error: unknown) => send({ kind: "unhandled", ...attribute(state, error) }))
})

function handle(state: WorkerState, message: Exclude<ToWorker, { kind: "begin" }>): void {
  switch (message.kind) {
    case "ping":
      return send({ kind: "pong" })
    case "call":
      return state.calls.begin(message)
    case "stop":
      return state.calls.stop(message.id)
    case "taken":
      return state.calls.taken(message.id, message.size)
    case "reply":
      return state.calls.reply(message.id, message.value)
  }
}

function send(message: FromWorker): void {
  parentPort?.postMessage(message)
}

function begin(given: WorkerBegin, env: Readonly<Record<string, string>>): WorkerState {
  setEnvironment(env)
  const memory = createLoadRecorder(given.memory)
  captureOutput(extensionNow, (extension, text) => send({ kind: "printed", extension, text, session: sessionNow() }))
  process.on("warning", () => undefined)
  process.on("exit", () => send({ kind: "exiting", extension: extensionNow() }))
  const boundaries = given.extensions.flatMap(({ boundary }) => (boundary === null ? [] : [boundary]))
  loadModules(given.cache, boundaries, memory.loaded)
  const folders = new Map(given.extensions.map(({ id, folder }) => [id, folder]))
  const loaded = new Map<number, LoadedFunctions>()
  const calls = callsOf({
    send,
    functionOf: (extension, target) => loaded.get(extension)?.functionOf(target) ?? null,
    runAs: ({ extension, session = null }, work) => current.run({ extension, session }, work),
    problem: (extension, error) => problemOf(error, folders.get(extension) ?? null),
  })
  const state = { begin: given, loaded, memory, calls }
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => send({ kind: "unhandled", ...attribute(state, error) }))
  return state
}

/** One after another, so that a slow one can be identified. */
async function loadAll(state: WorkerState): Promise<void> {
  const { extensions } = state.begin
  for (const extension of extensions) {
    const { id } = extension
    try {
      const say = (level: "info" | "warn", text: string) =>
        send({ kind: "notice", extension: id, level, text, session: sessionNow() })
      const registered = await current.run({ extension: id, session: null }, () =>
        loadExtension(extension, state.begin, say),
      )
      if (registered === null) send({ kind: "failed", extension: id, problem: loadTimeout, timedOut: true })
      else {
        state.loaded.set(id, registered)
        send({ kind: "loaded", extension: id, json: JSON.stringify(registered.registrations) })
      }
    } catch (error) {
      send({ kind: "failed", extension: id, problem: problemOf(error, extension.folder), timedOut: false })
    }
  }
  // In whichever order they were loaded, since the memory compares loads.
  const registrations = [...state.loaded]
    .toSorted(([a], [b]) => a - b)
    .map(([id, one]) => [id, one.registrations] as const)
  // The receiver of the last message may end this thread.
  state.memory.end(registrations.length < extensions.length ? null : registrations)
  send({ kind: "ready" })
}

const loadTimeout: Problem = {
  message: phrase`it was not loaded after ${silenceTime / 1000} s. Do not wait in the default export or at the top of the file`,
  stack: "",
  path: null,
  line: null,
}

/** The extension responsible for an unhandled error: from its stack, otherwise the one that was running. */
function attribute(
  { begin: { extensions } }: WorkerState,
  error: unknown,
): { readonly extension: number | null; readonly problem: Problem; readonly session: number | null } {
  const problem = problemOf(error, null)
  const { path } = problem
  const exact = extensions.find((one) => one.path === path)
  const near = path === null ? undefined : extensions.find(({ folder }) => isBelow(path, folder))
  return { extension: (exact ?? near)?.id ?? extensionNow(), problem, session: sessionNow() }
}

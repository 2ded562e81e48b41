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
import type { Registered } from "./registrar.ts"
import { type Remembering, remembering } from "./remember.ts"

/**
 * The thread for all extensions of a session. It is idle until its first message, and survives errors of extensions.
 */
interface Begun {
  readonly given: WorkerBegin
  readonly loaded: Map<number, Registered>
  readonly memory: Remembering
  readonly calls: Calls
}

/** The extension whose code is running. */
const current = new AsyncLocalStorage<{ readonly extension: number; readonly session: number | null }>()
const extensionNow = () => current.getStore()?.extension ?? null
const sessionNow = () => current.getStore()?.session ?? null
let begun: Begun | null = null

parentPort?.on("message", (message: ToWorker) => {
  if (message.kind !== "begin") return begun === null ? undefined : heard(begun, message)
  const at = begin(message.begin, message.env)
  begun = at
  loadAll(at).catch((error: unknown) => tell({ kind: "stray", ...whose(at, error) }))
})

function heard(at: Begun, message: Exclude<ToWorker, { kind: "begin" }>): void {
  switch (message.kind) {
    case "ping":
      return tell({ kind: "pong" })
    case "call":
      return at.calls.begin(message)
    case "stop":
      return at.calls.stop(message.id)
    case "taken":
      return at.calls.taken(message.id, message.size)
    case "reply":
      return at.calls.reply(message.id, message.value)
  }
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}

function begin(given: WorkerBegin, env: Readonly<Record<string, string>>): Begun {
  setEnvironment(env)
  const memory = remembering(given.memory)
  captureOutput(extensionNow, (extension, text) => tell({ kind: "printed", extension, text, session: sessionNow() }))
  process.on("warning", () => undefined)
  process.on("exit", () => tell({ kind: "leaving", extension: extensionNow() }))
  const fences = given.extensions.flatMap(({ fence }) => (fence === null ? [] : [fence]))
  loadModules(given.cache, fences, memory.loaded)
  const folders = new Map(given.extensions.map(({ id, folder }) => [id, folder]))
  const loaded = new Map<number, Registered>()
  const calls = callsOf({
    tell,
    inside: (extension, door) => loaded.get(extension)?.inside(door) ?? null,
    within: ({ extension, session = null }, work) => current.run({ extension, session }, work),
    problem: (extension, error) => problemOf(error, folders.get(extension) ?? null),
  })
  const at = { given, loaded, memory, calls }
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => tell({ kind: "stray", ...whose(at, error) }))
  return at
}

/** One after another, so that a slow one can be identified. */
async function loadAll(at: Begun): Promise<void> {
  const { extensions } = at.given
  for (const extension of extensions) {
    const { id } = extension
    try {
      const say = (level: "info" | "warn", text: string) =>
        tell({ kind: "said", extension: id, level, text, session: sessionNow() })
      const registered = await current.run({ extension: id, session: null }, () =>
        loadExtension(extension, at.given, say),
      )
      if (registered === null) tell({ kind: "failed", extension: id, problem: tooLate, late: true })
      else {
        at.loaded.set(id, registered)
        tell({ kind: "loaded", extension: id, json: JSON.stringify(registered.offers) })
      }
    } catch (error) {
      tell({ kind: "failed", extension: id, problem: problemOf(error, extension.folder), late: false })
    }
  }
  // In whichever order they were loaded, since the memory compares loads.
  const offers = [...at.loaded].toSorted(([a], [b]) => a - b).map(([id, one]) => [id, one.offers] as const)
  // The receiver of the last message may end this thread.
  at.memory.end(offers.length < extensions.length ? null : offers)
  tell({ kind: "ready" })
}

const tooLate: Problem = {
  message: phrase`it was not loaded after ${silenceTime / 1000} s. Do not wait in the default export or at the top of the file`,
  stack: "",
  path: null,
  line: null,
}

/** The extension responsible for an unhandled error: from its stack, otherwise the one that was running. */
function whose(
  { given: { extensions } }: Begun,
  error: unknown,
): { readonly extension: number | null; readonly problem: Problem; readonly session: number | null } {
  const problem = problemOf(error, null)
  const { path } = problem
  const exact = extensions.find((one) => one.path === path)
  const near = path === null ? undefined : extensions.find(({ folder }) => isBelow(path, folder))
  return { extension: (exact ?? near)?.id ?? extensionNow(), problem, session: sessionNow() }
}

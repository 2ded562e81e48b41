import { AsyncLocalStorage } from "node:async_hooks"
import { parentPort, workerData } from "node:worker_threads"
import { type FromWorker, type Problem, silenceTime, type ToWorker, type WorkerBegin } from "../protocol.ts"
import { callsOf } from "./calls.ts"
import { loadExtension } from "./load.ts"
import { loadModules } from "./modules.ts"
import { captureOutput } from "./output.ts"
import { isBelow, problemOf } from "./problem.ts"
import type { Registered } from "./registrar.ts"
import { remembering } from "./remember.ts"

/** The thread in which all extensions of a session live. Whatever they throw, it goes on. */
const begin = workerData as WorkerBegin
const current = new AsyncLocalStorage<number>()
const folders = new Map(begin.extensions.map(({ id, folder }) => [id, folder]))
const loaded = new Map<number, Registered>()

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}

const memory = remembering(begin.memory)
captureOutput(
  () => current.getStore() ?? null,
  (extension, text) => tell({ kind: "printed", extension, text }),
)
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => tell({ kind: "stray", ...whose(error) }))
process.on("warning", () => undefined)

const fences = begin.extensions.flatMap(({ fence }) => (fence === null ? [] : [fence]))
loadModules(begin.cache, fences, memory.loaded)

const calls = callsOf({
  tell,
  inside: (extension, door) => loaded.get(extension)?.inside(door) ?? null,
  within: (extension, work) => current.run(extension, work),
  problem: (extension, error) => problemOf(error, folders.get(extension) ?? null),
})
parentPort?.on("message", (message: ToWorker) => {
  switch (message.kind) {
    case "ping":
      return tell({ kind: "pong" })
    case "call":
      return calls.begin(message)
    case "stop":
      return calls.stop(message.id)
    case "taken":
      return calls.taken(message.id, message.size)
    case "reply":
      return calls.reply(message.id, message.value)
  }
})

loadAll().catch((error: unknown) => tell({ kind: "stray", ...whose(error) }))

/** One after the other: which of them holds up the others is then known. */
async function loadAll(): Promise<void> {
  for (const extension of begin.extensions) {
    const { id, folder } = extension
    tell({ kind: "loading", extension: id })
    try {
      const say = (level: "info" | "warn", text: string) => tell({ kind: "said", extension: id, level, text })
      const registered = await current.run(id, () => loadExtension(extension, begin, say))
      if (registered === null) tell({ kind: "failed", extension: id, problem: tooLate, late: true })
      else {
        loaded.set(id, registered)
        tell({ kind: "loaded", extension: id, offers: registered.offers })
      }
    } catch (error) {
      tell({ kind: "failed", extension: id, problem: problemOf(error, folder), late: false })
    }
  }
  // Whoever hears that all are there may end this thread.
  const offers = [...loaded].map(([id, registered]) => [id, registered.offers] as const)
  memory.end(offers.length < begin.extensions.length ? null : offers)
  tell({ kind: "ready" })
}

const tooLate: Problem = {
  message: `it was not loaded after ${silenceTime / 1000} s. Do not wait in the default export or at the top of the file.`,
  stack: "",
  path: null,
  line: null,
}

/** Who is to blame for what nobody waited for: the stack says it, or else who ran when it was begun. */
function whose(error: unknown): { readonly extension: number | null; readonly problem: Problem } {
  const problem = problemOf(error, null)
  const { path } = problem
  const exact = begin.extensions.find((one) => one.path === path)
  const near = path === null ? undefined : begin.extensions.find(({ folder }) => isBelow(path, folder))
  return { extension: (exact ?? near)?.id ?? current.getStore() ?? null, problem }
}

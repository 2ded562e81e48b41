import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { fileURLToPath } from "node:url"

/** A bug that is inserted into the code while it is loaded, to prove that the simulator finds it. */
interface PlantedBug {
  /** Under `packages/`. */
  readonly file: string
  /** Occurs exactly once. */
  readonly good: string
  readonly bad: string
  /** The simulator's message. */
  readonly symptom: RegExp
}

export const plants = {
  /** The start of a tool is written, but not synced before the tool takes effect. */
  "sync-skipped": {
    file: "session/src/writer.ts",
    good: `const sync = times.includes("before")`,
    bad: `const sync = times.includes("before") && !bodies.some(({ type }) => type === "tool_start")`,
    symptom: /the tape knows no start of call|happened before its start was durable|after a power cut this was lost/,
  },
  /** A steer that arrives while the results of a batch are written is dequeued and never sent to the model. */
  "steer-lost": {
    file: "loop/src/calls/calls.ts",
    good: `    results.push(...done.results)`,
    bad: `    results.push(...done.results); if (!stopped) ports.inbox.take("steer")`,
    symptom: /messages that the session knows of, and those that wait/,
  },
  /** The results of an aborted batch are on the tape in another order than their calls. */
  "results-turned": {
    file: "loop/src/calls/calls.ts",
    good: `  return { deferred: ran.deferred, results }`,
    bad: `  return { deferred: ran.deferred, results: ports.signal.aborted ? results.toReversed() : results }`,
    symptom: /answers the next open call/,
  },
  /** An input is acknowledged before it is durable. */
  "input-unsynced": {
    file: "session/src/writer.ts",
    good: `const sync = times.includes("before")`,
    bad: `const sync = times.includes("before") && !bodies.some(({ type }) => type === "input")`,
    symptom: /after a power cut this was lost/,
  },
  /** A process writes without looking whether the session is still its own. */
  "lock-forgotten": {
    file: "tape/src/store/store.ts",
    good: `if (found.lock?.isOurs() === false) loseLock()`,
    bad: `void loseLock`,
    symptom: /a process that lost its session shows/,
  },
  /** A gate that does not answer lets the call pass. */
  "gate-open": {
    file: "loop/src/hooks/hook-gates.ts",
    good: 'return { answer: "block", reason: phrase`the gate "${hook.name}" gave no answer in time.` }',
    bad: "return passed",
    symptom: /runs, and was refused/,
  },
  /** The timer of a run's time limit is not cancelled at the end of the run. */
  "timer-left": {
    file: "loop/src/limits/time-limit.ts",
    good: `    close: cancel,`,
    bad: `    close: () => void cancel,`,
    symptom: /what a session at rest holds/,
  },
  /** The partial of a reply that failed is shown on with the next. */
  "partial-kept": {
    file: "spec/src/session/step.ts",
    good: `  if (partial.type === "start") return {`,
    bad: `  if (partial.type === "start" && live === null) return {`,
    symptom: /without its partials|was shown as/,
  },
  /** A run that switched to a fallback returns to the failed model. */
  "fallback-left": {
    file: "session/src/runs/fallback.ts",
    good: `      return changeOf(before, current, failure)`,
    bad: `      const change = changeOf(before, current, failure)
      queueMicrotask(() => void (current = selected))
      return change`,
    symptom: /is asked (after it refused|in a run that has model)|answers in a run that asked/,
  },
  /** The run after a switch to a fallback begins with the fallback. */
  "fallback-kept": {
    file: "session/src/runs/session-models.ts",
    good: `      run = null
      return entries`,
    bad: `      selected = run?.current ?? selected
      run = null
      return entries`,
    symptom: /the chosen model holds again|the model of the next run/,
  },
  /** A run continues while the sync of its entries is in progress in the thread pool: it makes requests that were never shown. */
  "run-unsettled": {
    file: "session/src/runs/drive.ts",
    good: `if (open !== null) await open`,
    bad: `void open?.catch(() => undefined)`,
    symptom:
      /is asked in a run that has model|happened before its start was durable|changed a file before the change was durable/,
  },
  /** Entries are shown while their sync is still under way in the thread pool. */
  "shown-unsettled": {
    file: "session/src/events/publish.ts",
    good: `const open = "entries" in step ? settled() : null`,
    bad: `const open = null as Promise<void> | null`,
    symptom: /after a power cut this was lost/,
  },
  /** A steer is acknowledged while its sync is still under way in the thread pool. */
  "steer-unsettled": {
    file: "session/src/input/input.ts",
    good: `writer.settled(accept("steer", expand(expander, text), options).id)`,
    bad: `accept("steer", expand(expander, text), options).id`,
    symptom: /the acknowledged input \S+ was lost/,
  },
  /** A sync in the thread pool counts for entries written after its start. */
  "sync-overrated": {
    file: "tape/src/store/write/background-sync.ts",
    good: `() => over(upTo),`,
    bad: `() => over(Math.max(upTo, written)),`,
    symptom: /after a power cut this was lost|before its start was durable|before the change was durable/,
  },
  /** A reader that joins while a step is shown gets it twice: from the tape, or from its live state, and as a new one. */
  "reader-doubled": {
    file: "session/src/events/publish.ts",
    good: `const now = [...listeners]`,
    bad: `const now = listeners`,
    symptom: /the events of the reader|joined late was shown/,
  },
  /** A reader that joins between the publication of an entry and its projection misses it. */
  "reader-between": {
    file: "session/src/events/publish.ts",
    good: `if ("entries" in step) published.take(step.entries)`,
    bad: `if ("entries" in step) queueMicrotask(() => published.take(step.entries))`,
    symptom: /the events of the reader/,
  },
  /** A reader that joins in the middle of a reply gets its pieces without its beginning. */
  "reply-forgotten": {
    file: "session/src/events/live-state.ts",
    good: `...(reply === null ? [] : stepsOf(reply))`,
    bad: `...(reply === null ? [] : stepsOf(reply).slice(0, 1))`,
    symptom: /a reader that joined late/,
  },
  // The following bugs were in the code and were found by the simulator.
  /** A steer that arrives during the hooks at the end of a run is not answered. */
  "steer-unanswered": {
    file: "loop/src/run.ts",
    good: `if (!held && !hasWaitingInput(state)) return`,
    bad: `if (!held) return`,
    symptom: /a run is done, and messages wait/,
  },
  /** Ids of calls that a server uses again differ on the tape, and not in the request. */
  "ids-doubled": {
    file: "loop/src/calls/call-ids.ts",
    good: `return bar < 0 ? id : id.slice(0, bar)`,
    bad: `return bar < 0 ? id : id`,
    symptom: /the call id \S+ occurs twice/,
  },
  /** A resumed session assumes that its folders, created by a killed process, are durable. */
  "folders-believed": {
    file: "tape/src/store/open.ts",
    good: `ancestorSyncs: () => tapeSyncs(disk, path),`,
    bad: `ancestorSyncs: function* () {},`,
    symptom: /after a power cut this was lost/,
  },
  /** A folder that other sessions lie in is taken for durable. */
  "home-believed": {
    file: "tape/src/store/write/ancestor-syncs.ts",
    good: `  if (hasDurableMark(disk, folder)) return`,
    bad: `  if (disk.list(folder).length > 1) return`,
    symptom: /after a power cut this was lost/,
  },
  /** The simulator assumes that entries written after a power cut are durable once the process is killed. */
  "cut-remembered": {
    file: "session/test/sim/journal.ts",
    good: `      verify(found, powerCut)
      const levelOf = (id: string): Level => (powerCut ?`,
    bad: `      verify(found, powerCut)
      const cut = starts.delete("cut") || powerCut
      if (powerCut) starts.set("cut", "")
      const levelOf = (id: string): Level => (cut ?`,
    symptom: /after a power cut this was lost: .*"session-start"/,
  },
  /** The end of a run that waited for a full disk counts as stored while its sync is still in progress in the thread pool. */
  "end-unsettled": {
    file: "session/src/notifications.ts",
    good: `await tape.settled()`,
    bad: `void tape.settled()`,
    symptom: /what a run says that is not kept/,
  },
  /** Entries that are not synced yet stay so when the session is closed. */
  "close-unsynced": {
    file: "tape/src/store/write/writer.ts",
    good: `if (tail.unsynced) disk.sync(file)`,
    bad: `void tail.unsynced`,
    symptom: /after a power cut this was lost/,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>

export type Plant = keyof typeof plants

/** To be called before the file is loaded. Throws when the code it is meant for has changed. */
export function plantBug(name: Plant): void {
  const { file, good, bad }: PlantedBug = plants[name]
  const url = new URL(`../../../${file}`, import.meta.url).href
  const text = readFileSync(fileURLToPath(url), "utf8")
  if (text.split(good).length !== 2) throw new Error(`The bug "${name}" cannot be planted: ${file} has changed.`)
  const source = stripTypeScriptTypes(text.replace(good, () => bad))
  registerHooks({
    load: (from, context, next) =>
      from === url ? { format: "module", source, shortCircuit: true } : next(from, context),
  })
}

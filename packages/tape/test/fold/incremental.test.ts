import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Message } from "@gong/spec"
import {
  type AppendEntry,
  branchOf,
  type Context,
  context,
  cost,
  filesChanged,
  filesSeen,
  removedCallIds,
  type Fold,
  foldBranch,
  messageIds,
  pending,
  runs,
  type Tape,
  transcript,
  unfinished,
} from "../../src/index.ts"
import { input, newTape, reopen, reply, result, start, testIds, testPorts, user } from "../world.ts"

const folds: Readonly<Record<string, Fold<unknown>>> = {
  context,
  cost,
  filesChanged,
  filesSeen,
  removedCallIds,
  pending,
  runs,
  transcript,
  unfinished,
}

type Act =
  | { readonly kind: "append"; readonly make: (tape: Tape) => AppendEntry }
  | { readonly kind: "navigate"; readonly to: number }
  | { readonly kind: "read" }
  | { readonly kind: "reopen" }

const place = fc.nat(1000)
const callId = fc.constantFrom("c1", "c2", "c3")
const path = fc.constantFrom("/a", "/b")

/** An entry of the active branch, so that references mostly point at something. */
function idAt(tape: Tape, at: number): string {
  return tape.branch.length === 0 ? "000000000000" : tape.branch.head(at % tape.branch.length).id
}

const body: fc.Arbitrary<(tape: Tape) => AppendEntry> = fc.oneof(
  fc.string().map((text) => () => input(text)),
  place.map((at) => (tape: Tape) => user(`user ${at}`, idAt(tape, at))),
  fc.string().map((text) => () => user(text)),
  fc.tuple(fc.uniqueArray(callId), fc.constantFrom(0.25, null)).map(
    ([calls, price]) =>
      () =>
        reply("r", calls, price),
  ),
  callId.map((id) => () => start(id)),
  fc.tuple(callId, path, fc.nat(2), fc.boolean()).map(([id, file, mtimeMs, hash]) => () => {
    const seen = { path: file, size: 1, mtimeMs, ...(hash ? { sha256: `h${mtimeMs}` } : {}) }
    return result(id, { seen: hash ? [seen] : seen })
  }),
  fc.tuple(callId, path, fc.constantFrom("created" as const, "modified" as const, "deleted" as const)).map(
    ([id, file, change]) =>
      () =>
        result(id, null, [{ path: file, change, added: 2, removed: 1 }]),
  ),
  place.map((at) => (tape: Tape): AppendEntry => ({
    type: "compaction",
    summary: "s",
    firstKeptEntryId: idAt(tape, at),
    tokensBefore: 1,
    callIds: [`gone-${at % 5}`],
  })),
  fc.tuple(callId, fc.nat(900)).map(
    ([id, length]) =>
      () =>
        longResult(id, length),
  ),
  place.map((at) => (tape: Tape): AppendEntry => ({
    type: "prune",
    upTo: at % 4 === 0 ? null : idAt(tape, at),
    chars: (at % 3) * 100,
    whole: [idAt(tape, at >> 1)],
    skills: [{ id: idAt(tape, at + 1), line: "[a skill]" }],
    tokensBefore: 2,
    tokensAfter: 1,
  })),
  fc.constant(() => ({ type: "model_change" as const, provider: "acme", modelId: "m9" })),
  fc.constant(() => ({ type: "thinking_level_change" as const, thinkingLevel: "low" as const })),
  fc.constant(() => ({ type: "run_end" as const, status: "done" as const, turns: 1 })),
  place.map((at) => (tape: Tape): AppendEntry => ({ type: "input_drop", inputId: idAt(tape, at), reason: "x" })),
)

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: body.map((make): Act => ({ kind: "append", make })) },
  { weight: 1, arbitrary: place.map((to): Act => ({ kind: "navigate", to })) },
  { weight: 2, arbitrary: fc.constant<Act>({ kind: "read" }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: "reopen" }) },
)

test("[SESSION-18] whatever happens, a followed value is the value of the fold over all entries from nothing", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const ports = testPorts()
      let tape = newTape(ports)
      let followed = follow(tape)
      for (const [at, step] of acts.entries()) {
        if (step.kind === "append") tape.append([step.make(tape)], { sync: false })
        else if (step.kind === "navigate") tape.navigate(idAt(tape, step.to), step.to % 2 === 0 ? "was left" : "")
        else if (step.kind === "read") for (const name of Object.keys(folds)) void followed[name]?.value
        else {
          tape.close()
          tape = reopen({ ...ports, ids: testIds(`b${at.toString(36).padStart(2, "0")}`) })
          followed = follow(tape)
        }
      }
      for (const [name, fold] of Object.entries(folds)) {
        assert.deepEqual(shown(name, followed[name]?.value), shown(name, fromNothing(fold, tape)), name)
      }
    }),
    { seed: 20250101, numRuns: 300 },
  )
})

function longResult(id: string, length: number): AppendEntry {
  const body = result(id, null)
  if (body.type !== "message") return body
  const content = [{ type: "text" as const, text: "x".repeat(length) }]
  return { ...body, message: { ...body.message, content } as Message }
}

function follow(tape: Tape): Readonly<Record<string, { readonly value: unknown }>> {
  return Object.fromEntries(Object.entries(folds).map(([name, fold]) => [name, tape.follow(fold)]))
}

/** Every entry stepped, without `needs`. */
function fromNothing(fold: Fold<unknown>, tape: Tape): unknown {
  const all = tape.store.heads().map((_, at) => tape.store.entry(at))
  const { needs: _, ...plain } = fold
  return foldBranch(plain, branchOf(fold.scope === "tape" ? all : tape.entriesOfBranch()))
}

/** The public value of the fold, without its internal fields. */
function shown(name: string, value: unknown): unknown {
  if (name === "context") {
    const { messages, model, thinking, countedFrom } = value as ReturnType<typeof context.initial>
    return { messages, ids: messageIds(value as Context), model, thinking, countedFrom }
  }
  if (name === "transcript") return (value as ReturnType<typeof transcript.initial>).rows
  if (name === "cost") {
    const { total, models } = value as ReturnType<typeof cost.initial>
    return { total, models }
  }
  return value
}

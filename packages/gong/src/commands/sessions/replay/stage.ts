import { type EntryOf, maxWrappedDepth, type Model, parseJson, type Provider, type ThinkingLevel } from "@gong/spec"
import { openProvider } from "@gong/llm"
import { context, createTape, type Tape } from "@gong/tape"
import { createMemoryHost } from "@gong/tools/host/memory"
import { systemIds } from "@gong/app/ports"
import type { RecordedSettings } from "@gong/app/record/lines"
import { type BuiltPrompt, loadPrompt } from "@gong/session/runs/prompt-state"
import { noTemplates } from "@gong/session/input/template-expander"
import { createSession, type Session, type LiveSettings } from "@gong/session/session"
import { callsIn, type RecordedCalls, standInPolicy, standInDeclarations, standInTools } from "./calls.ts"
import { type ReplayClock, replayClock } from "./clock.ts"
import { createHolds, type Holds } from "./holds.ts"
import { standInHooks } from "./hooks.ts"
import { overlay } from "./overlay.ts"
import { isFallback, type Segment, type RecordedRun } from "./plan.ts"
import { type Answers, replayTransport } from "./transport.ts"

/** The real session, on the tape as it was before a segment, with stand-ins for all that it can reach. */
export interface Stage {
  readonly session: Session
  readonly clock: ReplayClock
  readonly holds: Holds
  readonly calls: RecordedCalls
  /** Calls that were let pass or refused. */
  readonly judged: ReadonlySet<string>
}

export interface StageParts {
  /** As it was recorded; only read. */
  readonly tape: Tape
  readonly segment: Segment
  /** The run that is being replayed, or comes next. */
  run(): RecordedRun
  readonly answers: Omit<Answers, "holds">
  /** The next entry that the tape has. */
  expected: Parameters<typeof standInHooks>[2]
}

export async function stageOf({ tape: recorded, segment, run, answers, expected }: StageParts): Promise<Stage> {
  const [first] = segment.runs
  const { first: length } = first
  const { all } = recorded
  const clock = replayClock(Date.parse(all.entry(first.prompt).timestamp))
  const ids = systemIds(clock)
  const tape = createTape(overlay(recorded.store, length), { clock, ids })
  const holds = createHolds()
  const judged = new Set<string>()
  const calls = callsIn(all, length, segment.runs.at(-1)?.last ?? length)
  const prompts = await promptsOf(recorded, segment, await loadPrompt(tape))
  const promptNow = (): BuiltPrompt => prompts.get(run()) ?? noPrompt
  const [exchange] = first.exchanges
  if (exchange === undefined) throw new RangeError("A segment without an exchange")
  const { set } = exchange
  const tools = () => standInTools(promptNow(), set.tools, calls, holds)
  const { compaction, ...models } = await modelsOf(tape, recorded, segment, {
    answers: { ...answers, holds },
    clock,
    set,
  })
  const { retry, queue, limits, strict, toolExecution } = set
  const settings: LiveSettings = {
    answerTime: null,
    writeGuard: false,
    retry: { ...retry, random: () => 0 },
    queue,
    compaction,
  }
  const session = createSession({
    ...models,
    limits,
    strict,
    toolExecution,
    settings: () => settings,
    tape,
    tools,
    declared: standInDeclarations(set.tools),
    bash: null,
    prompt: { build: () => promptNow().system },
    // What stands on the tape was expanded before it came there.
    expander: noTemplates,
    lastPrompt: await loadPrompt(tape),
    hooks: standInHooks(all, run, expected),
    telemetry: null,
    policy: standInPolicy(calls, judged, tools, holds),
    interactive: true,
    redact: (text) => text,
    files: { host: async () => createMemoryHost({}), remake: async () => null },
    changeDetector: null,
    clock,
    ids,
  })
  return { session, clock, holds, calls, judged }
}

const noPrompt: BuiltPrompt = { system: "", tools: [], builtAt: 0 }

/** What each run was sent with: what it stored itself, or what was stored last before it. */
async function promptsOf(tape: Tape, { runs }: Segment, before: BuiltPrompt | null) {
  const prompts = new Map<RecordedRun, BuiltPrompt>()
  let last = before
  for (const run of runs) {
    for (let place = run.first; place < run.prompt; place++) {
      const entry = tape.all.entry(place)
      const bytes = entry.type === "prompt" ? await tape.store.artifacts.get(entry.artifact) : null
      if (bytes) last = (parseJson(new TextDecoder().decode(bytes), maxWrappedDepth) ?? last) as BuiltPrompt | null
    }
    if (last) prompts.set(run, last)
  }
  return prompts
}

interface ForModels {
  readonly answers: Answers
  readonly clock: ReplayClock
  readonly set: RecordedSettings
}

/** The session's model is the one that the tape names; another one that was asked wrote the summaries. */
async function modelsOf(tape: Tape, recorded: Tape, { runs }: Segment, { answers, clock, set }: ForModels) {
  const transport = replayTransport(answers)
  const open = (model: Model): Promise<Provider> =>
    openProvider(model, { transport, clock, credential: null, silence: set.silence })
  const asked = runs.flatMap(({ exchanges }) => exchanges.map(({ model }) => model))
  const chosen = chosenIn(recorded, runs[0]) ?? tape.follow(context).value.model
  const isChosen = ({ provider, id }: Model): boolean => provider === chosen?.provider && id === chosen.id
  const own = asked.find(isChosen) ?? asked[0]
  const named = fallbacksIn(recorded, runs)
  const other = asked.find((model) => !isChosen(model) && !named.some(({ name }) => name === nameOf(model)))
  if (own === undefined) throw new RangeError("A segment without an exchange")
  const level = lastIn(recorded, runs[0], "thinking_level_change")?.thinkingLevel
  const thinking = level ?? tape.follow(context).value.thinking ?? "off"
  const fallbacks = named.flatMap((one) => {
    const model = asked.find((each) => nameOf(each) === one.name)
    return model ? [{ thinking: one.thinking ?? thinking, open: () => open(model) }] : []
  })
  return {
    provider: await open(own),
    thinking,
    fallbacks,
    compaction: { ...set.compaction, provider: other === undefined ? null : () => open(other) },
  }
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`
}

interface NamedFallback {
  readonly name: string
  readonly thinking: ThinkingLevel | null
}

/** The models that took over in a run, in their order: the run that needed the most of them names them all. */
function fallbacksIn({ all }: Tape, runs: Segment["runs"]): readonly NamedFallback[] {
  const lists = runs.map(({ prompt, last }) => {
    const list: NamedFallback[] = []
    for (let place = prompt; place < last; place++) {
      const entry = all.entry(place)
      if (!isFallback(entry)) continue
      const next = all.entry(place + 1)
      const thinking = next.type === "thinking_level_change" ? next.thinkingLevel : null
      list.push({ name: `${entry.provider}/${entry.modelId}`, thinking })
    }
    return list
  })
  return lists.toSorted((a, b) => b.length - a.length)[0] ?? []
}

function chosenIn(tape: Tape, run: RecordedRun): { readonly provider: string; readonly id: string } | null {
  const change = lastIn(tape, run, "model_change")
  return change && { provider: change.provider, id: change.modelId }
}

function lastIn<T extends "model_change" | "thinking_level_change">(
  { all }: Tape,
  run: RecordedRun,
  type: T,
): EntryOf<T> | null {
  for (let place = run.prompt; place >= run.first; place--) {
    const entry = all.entry(place)
    if (entry.type === type) return entry as EntryOf<T>
  }
  return null
}

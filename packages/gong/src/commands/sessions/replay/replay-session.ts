import { type EntryOf, maxWrappedDepth, type Model, parseJson, type Provider, type ThinkingLevel } from "@gong/spec"
import { openProvider } from "@gong/llm"
import { context, createTape, type Tape } from "@gong/tape"
import { createMemoryHost } from "@gong/tools/host/memory"
import { systemIds } from "@gong/app/ports"
import type { RecordedSettings } from "@gong/app/record/lines"
import { type BuiltPrompt, loadPrompt } from "@gong/session/runs/prompt-state"
import { noTemplates } from "@gong/session/input/template-expander"
import { createSession, type LiveSettings, type Session } from "@gong/session/session"
import { callsIn, type RecordedCalls, replayPolicy, replayDeclarations, replayTools } from "./calls.ts"
import { type ReplayClock, replayClock } from "./clock.ts"
import { createBlockedOperations, type BlockedOperations } from "./blocked.ts"
import { replayHooks } from "./hooks.ts"
import { overlay } from "./overlay.ts"
import { isFallback, type Segment, type RecordedRun } from "./plan.ts"
import { type RecordedReplies, replayTransport } from "./transport.ts"

/** A real session on the tape before a segment, with replay implementations of all ports. */
export interface ReplaySession {
  readonly session: Session
  readonly clock: ReplayClock
  readonly blocked: BlockedOperations
  readonly calls: RecordedCalls
  /** Ids of calls that were allowed or refused. */
  readonly decided: ReadonlySet<string>
}

export interface ReplaySessionDeps {
  /** The recorded tape; read-only. */
  readonly tape: Tape
  readonly segment: Segment
  /** The current or next run. */
  run(): RecordedRun
  readonly replies: Omit<RecordedReplies, "blocked">
  /** The next entry on the tape. */
  expected: Parameters<typeof replayHooks>[2]
}

export async function createReplaySession({
  tape: recorded,
  segment,
  run,
  replies,
  expected,
}: ReplaySessionDeps): Promise<ReplaySession> {
  const [first] = segment.runs
  const { first: length } = first
  const { all } = recorded
  const clock = replayClock(Date.parse(all.entry(first.prompt).timestamp))
  const ids = systemIds(clock)
  const tape = createTape(overlay(recorded.store, length), { clock, ids })
  const blocked = createBlockedOperations()
  const decided = new Set<string>()
  const calls = callsIn(all, length, segment.runs.at(-1)?.last ?? length)
  const prompts = await promptsOf(recorded, segment, await loadPrompt(tape))
  const promptNow = (): BuiltPrompt => prompts.get(run()) ?? noPrompt
  const [exchange] = first.exchanges
  if (exchange === undefined) throw new RangeError("A segment without an exchange")
  const { set } = exchange
  const tools = () => replayTools(promptNow(), set.tools, calls, blocked)
  const { compaction, ...models } = await modelsOf(tape, recorded, segment, {
    replies: { ...replies, blocked },
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
    declared: replayDeclarations(set.tools),
    bash: null,
    prompt: { build: () => promptNow().system },
    // Inputs on the tape are already expanded.
    expander: noTemplates,
    lastPrompt: await loadPrompt(tape),
    hooks: replayHooks(all, run, expected),
    telemetry: null,
    policy: replayPolicy(calls, decided, tools, blocked),
    interactive: true,
    redact: (text) => text,
    files: { host: async () => createMemoryHost({}), remake: async () => null },
    changeDetector: null,
    clock,
    ids,
  })
  return { session, clock, blocked, calls, decided }
}

const noPrompt: BuiltPrompt = { system: "", tools: [], builtAt: 0 }

/** The prompt of each run: its own, or the last one before it. */
async function promptsOf(tape: Tape, { runs }: Segment, before: BuiltPrompt | null) {
  const prompts = new Map<RecordedRun, BuiltPrompt>()
  let last = before
  for (const run of runs) {
    for (let position = run.first; position < run.prompt; position++) {
      const entry = tape.all.entry(position)
      const bytes = entry.type === "prompt" ? await tape.store.artifacts.get(entry.artifact) : null
      if (bytes) last = (parseJson(new TextDecoder().decode(bytes), maxWrappedDepth) ?? last) as BuiltPrompt | null
    }
    if (last) prompts.set(run, last)
  }
  return prompts
}

interface ModelReplayDeps {
  readonly replies: RecordedReplies
  readonly clock: ReplayClock
  readonly set: RecordedSettings
}

/** The model of the session is the one on the tape; another recorded model wrote the summaries. */
async function modelsOf(tape: Tape, recorded: Tape, { runs }: Segment, { replies, clock, set }: ModelReplayDeps) {
  const transport = replayTransport(replies)
  const open = (model: Model): Promise<Provider> =>
    openProvider(model, { transport, clock, credential: null, silence: set.silence })
  const models = runs.flatMap(({ exchanges }) => exchanges.map(({ model }) => model))
  const chosen = chosenIn(recorded, runs[0]) ?? tape.follow(context).value.model
  const isChosen = ({ provider, id }: Model): boolean => provider === chosen?.provider && id === chosen.id
  const own = models.find(isChosen) ?? models[0]
  const named = fallbacksIn(recorded, runs)
  const other = models.find((model) => !isChosen(model) && !named.some(({ name }) => name === nameOf(model)))
  if (own === undefined) throw new RangeError("A segment without an exchange")
  const level = lastIn(recorded, runs[0], "thinking_level_change")?.thinkingLevel
  const thinking = level ?? tape.follow(context).value.thinking ?? "off"
  const fallbacks = named.flatMap((one) => {
    const model = models.find((each) => nameOf(each) === one.name)
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

/** The fallback models in order, from the run that used the most of them. */
function fallbacksIn({ all }: Tape, runs: Segment["runs"]): readonly NamedFallback[] {
  const lists = runs.map(({ prompt, last }) => {
    const list: NamedFallback[] = []
    for (let position = prompt; position < last; position++) {
      const entry = all.entry(position)
      if (!isFallback(entry)) continue
      const next = all.entry(position + 1)
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
  for (let position = run.prompt; position >= run.first; position--) {
    const entry = all.entry(position)
    if (entry.type === type) return entry as EntryOf<T>
  }
  return null
}

import { failure, type ImageContent, type RunEnd, type Tool } from "@gong/spec"
import { endedByHook, type LoopPorts, run, type RunStart } from "@gong/loop"
import { addedMessages, type InputOptions, modelEntries } from "../input/entries.ts"
import { drive } from "./drive.ts"
import { loopPorts } from "./loop-ports.ts"
import type { BuiltPrompt } from "./prompt-state.ts"
import type { RunContext } from "./run-context.ts"

/** Runs one prompt to its end: hooks, the system prompt, the input on the tape, the loop. */
export async function runPrompt(
  context: RunContext,
  text: string,
  options: InputOptions,
  stop: AbortController,
): Promise<RunEnd> {
  const { core, input, compaction } = context
  core.hooks.beginRun(stop.signal)
  const message = await messageOf(context, text, options)
  if ("status" in message) return message
  const prepared = await prepare(context, message.text)
  if ("status" in prepared) return prepared
  const { begin, sent, tools } = prepared
  await core.prompt.store(sent)
  const before = [...modelEntries(core.folds.context.value, core.models.current), ...addedMessages(begin)]
  await core.writer.settled(input.accept("prompt", begin.prompt, { ...options, images: message.images }, before))
  await compaction.beginRun()
  const ports = loopPorts(context, { sent, tools, models: core.models.beginRun(), signal: stop.signal })
  try {
    return await withEvents(context, begin.prompt, () => driveLoop(context, ports, stop))
  } finally {
    // The selection of the session holds again.
    const changes = core.models.endRun()
    if (changes.length > 0) core.writer.write(changes)
  }
}

interface Message {
  readonly text: string
  readonly images: readonly ImageContent[]
}

/** The message after hooks and templates; the end of the run where one of them refuses it. */
async function messageOf({ deps, core }: RunContext, text: string, options: InputOptions): Promise<Message | RunEnd> {
  const { hooks, notify } = core
  const input = await hooks.onInput({ text, images: options.images ?? [] })
  const refused = input ? null : hooks.stopping()
  if (refused !== null) return { status: "failed", turns: 0, failure: failure("bad-request", refused) }
  if (!input) return { status: "done", turns: 0 }
  for (const notification of await deps.expander.refresh()) notify(notification)
  const expanded = deps.expander.expand(input.text)
  if (!expanded.ok) return { status: "failed", turns: 0, failure: expanded.failure }
  return { text: expanded.text, images: input.images }
}

interface Prepared {
  readonly begin: RunStart
  /** The prompt with the changes that hooks made. */
  readonly sent: BuiltPrompt
  readonly tools: readonly Tool[]
}

async function prepare({ deps, core }: RunContext, text: string): Promise<Prepared | RunEnd> {
  const { hooks, notify, prompt } = core
  const tools = deps.tools()
  const built = await prompt.build(tools, deps.clock.now())
  const begin = await hooks.onBeforeAgent({ prompt: text, system: built.system, added: [] })
  for (const notification of hooks.takeNotifications()) notify(notification)
  const refused = hooks.stopping()
  if (refused !== null) return { status: "failed", turns: 0, failure: failure("denied", endedByHook(refused)) }
  return { begin, sent: begin.system === built.system ? built : { ...built, system: begin.system }, tools }
}

function driveLoop({ core, commandChanges }: RunContext, ports: LoopPorts, stop: AbortController): Promise<RunEnd> {
  const { write } = core.writer
  return drive(run(ports), stop, {
    write,
    publish: core.publication.publish,
    commandChanges,
    settled: core.tape.settled,
  })
}

/** Emits the events of a run, and shows what its hooks reported. */
async function withEvents({ deps, core }: RunContext, prompt: string, work: () => Promise<RunEnd>): Promise<RunEnd> {
  const { hooks, notify } = core
  const startedAt = deps.clock.now()
  hooks.emit("agent.start", () => ({ prompt }))
  const end = await work()
  const { status, turns } = end
  hooks.emit("agent.end", () => ({ duration_ms: deps.clock.now() - startedAt, steps: turns, status }))
  for (const notification of hooks.takeNotifications()) notify(notification)
  return end
}

import { failure, type ImageContent, type RunEnd, type Tool } from "@gong/spec"
import { endedByHook, type LoopPorts, run, type RunStart } from "@gong/loop"
import type { SessionCore } from "../core.ts"
import type { Exclusive } from "../exclusive.ts"
import { addedMessages, type InputOptions, modelEntries } from "../input/entries.ts"
import type { Session } from "../session-api.ts"
import { drive } from "./drive.ts"
import { loopPorts } from "./loop-ports.ts"
import type { BuiltPrompt } from "./prompt-state.ts"
import type { RunContext } from "./run-context.ts"

/** Makes `Session.prompt`, which runs one prompt to its end. */
export function promptRunner(context: RunContext, exclusive: Exclusive): Session["prompt"] {
  const { deps, core, commandChanges } = context
  const { hooks, tape, writer, publication, notify } = core
  const driveDeps = { write: writer.write, publish: publication.publish, commandChanges, settled: tape.settled }
  return async function prompt(text, options = {}) {
    const stop = exclusive.begin()
    try {
      const begun = await beginRun(context, text, options, stop.signal)
      if ("status" in begun) return begun
      const startedAt = deps.clock.now()
      hooks.emit("agent.start", () => ({ prompt: begun.prompt }))
      const end = await drive(run(begun.ports), stop, driveDeps)
      const { status, turns } = end
      hooks.emit("agent.end", () => ({ duration_ms: deps.clock.now() - startedAt, steps: turns, status }))
      for (const notification of hooks.takeNotifications()) notify(notification)
      return end
    } finally {
      endRun(core, exclusive)
    }
  }
}

interface Begun {
  readonly ports: LoopPorts
  readonly prompt: string
}

/** What precedes the loop: hooks, the system prompt, the input on the tape. Returns the end of a run that a hook or a template refuses. */
async function beginRun(
  context: RunContext,
  text: string,
  options: InputOptions,
  signal: AbortSignal,
): Promise<Begun | RunEnd> {
  const { core, input, compaction } = context
  core.hooks.beginRun(signal)
  const message = await messageOf(context, text, options)
  if ("status" in message) return message
  const prepared = await prepare(context, message.text)
  if ("status" in prepared) return prepared
  const { begin, sent, tools } = prepared
  await core.prompt.store(sent)
  const before = [...modelEntries(core.folds.context.value, core.models.current), ...addedMessages(begin)]
  await core.writer.settled(input.accept("prompt", begin.prompt, { ...options, images: message.images }, before))
  await compaction.beginRun()
  return { ports: loopPorts(context, { sent, tools, models: core.models.beginRun(), signal }), prompt: begin.prompt }
}

/** The selection of the session holds again, and other work may run. */
function endRun({ models, writer, hooks }: SessionCore, exclusive: Exclusive): void {
  try {
    const changes = models.endRun()
    if (changes.length > 0) writer.write(changes)
  } finally {
    hooks.endRun()
    exclusive.end()
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

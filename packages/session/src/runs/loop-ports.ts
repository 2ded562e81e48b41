import type { FilesSeen, Tool } from "@gong/spec"
import type { LoopPorts } from "@gong/loop"
import { refusesChanges } from "../settled.ts"
import type { RunModels } from "./fallback.ts"
import type { BuiltPrompt } from "./prompt-state.ts"
import { type RequestDeps, requestsWithRetry } from "./request-with-retry.ts"
import type { RunContext } from "./run-context.ts"

/** What one run begins with. */
export interface RunInput {
  readonly sent: BuiltPrompt
  readonly tools: readonly Tool[]
  readonly models: RunModels
  readonly signal: AbortSignal
}

/** The ports of the loop over one session. */
export function loopPorts(context: RunContext, { sent, tools, models, signal }: RunInput): LoopPorts {
  const { deps, core, compaction, interaction } = context
  const { tape, hooks, folds, writer, publication } = core
  const { limits, strict, toolExecution, policy, clock } = deps
  const { system, tools: specs } = sent
  const frame = { system, tools: specs, sessionId: tape.id, call: { purpose: "turn" } } as const
  return {
    context: () => folds.context.value.messages,
    request: requestsWithRetry(requestDeps(context, models), frame),
    removedCallIds: () => folds.removedCallIds.value,
    fit: compaction.fit,
    tools: () => tools,
    inbox: core.queue,
    policy,
    hooks,
    confirm: deps.interactive ? interaction.questions.ask : null,
    dialog: deps.interactive ? interaction.dialogs.ask : null,
    show: (inside, step) => publication.publish({ inside, step }),
    // Called before each change: the disk may accept entries again.
    refuseChanges: () => refusesChanges(tape, writer.settled),
    seen: () => seenFiles(context),
    artifacts: tape.store.artifacts,
    redact: (text) => deps.redact(text),
    clock,
    limits,
    strict,
    toolExecution,
    signal,
  }
}

/** The files that the write guard compares with; null when it is off. */
export function seenFiles({ deps, core }: Pick<RunContext, "deps" | "core">): FilesSeen | null {
  return deps.settings().writeGuard ? core.folds.filesSeen.value : null
}

function requestDeps({ deps, core }: RunContext, models: RunModels): RequestDeps {
  const { clock, ids } = deps
  const { retry } = deps.settings()
  const { publish, partialsWanted } = core.publication
  return { models, clock, ids, retry, output: { publish, partialsWanted, emit: core.hooks.emit } }
}

import type { FilesSeen, Notification } from "@gong/spec"
import { type HookRunner, hookRunner } from "@gong/loop"
import { type Context, context, filesSeen, type Followed, removedCallIds, type Tape } from "@gong/tape"
import type { SessionDeps } from "./deps.ts"
import { type Publication, publication } from "./events/publish.ts"
import { type InputQueue, inputQueue } from "./input/inbox.ts"
import { type PromptState, promptState } from "./runs/prompt-state.ts"
import { type SessionModels, sessionModels } from "./runs/session-models.ts"
import { type SessionWriter, sessionWriter } from "./writer.ts"

/** The state of one session, which its parts share. */
export interface SessionCore {
  readonly tape: Tape
  readonly writer: SessionWriter
  readonly publication: Publication
  readonly hooks: HookRunner
  readonly queue: InputQueue
  readonly models: SessionModels
  readonly prompt: PromptState
  readonly folds: SessionFolds
  notify(notification: Notification): void
}

export interface SessionFolds {
  readonly context: Followed<Context>
  readonly filesSeen: Followed<FilesSeen>
  readonly removedCallIds: Followed<ReadonlySet<string>>
}

export function sessionCore(deps: SessionDeps): SessionCore {
  const { tape, clock, telemetry } = deps
  const models = sessionModels({ provider: deps.provider, thinking: deps.thinking }, deps.fallbacks)
  const published = publication(tape, () => models.current.provider.model.contextWindow)
  const { publish } = published
  return {
    tape,
    writer: sessionWriter(tape, (tool) => isReadOnly(deps, tool), publish),
    publication: published,
    hooks: hookRunner(deps.hooks, { clock, sessionId: tape.id, telemetry }),
    queue: inputQueue(() => deps.settings().queue),
    models,
    prompt: promptState(tape, deps.prompt, deps.lastPrompt),
    folds: {
      context: tape.follow(context),
      filesSeen: tape.follow(filesSeen),
      removedCallIds: tape.follow(removedCallIds),
    },
    notify: (notification) => publish({ notification }),
  }
}

/** Whether an active tool only reads; false for an unknown one. */
export function isReadOnly({ tools }: Pick<SessionDeps, "tools">, name: string): boolean {
  return tools().find((tool) => tool.name === name)?.readOnly === true
}

import { FailureError } from "@gong/spec"
import { readonlyTape } from "@gong/tape"
import { changesOf } from "./changes/changes.ts"
import { sessionCommandChanges } from "./changes/command-changes.ts"
import { compactionOf } from "./compaction/compaction.ts"
import { sessionCore } from "./core.ts"
import type { LiveSettings, SessionDeps } from "./deps.ts"
import type { EventOptions, EventStream } from "./events/event-stream.ts"
import { exclusiveWork } from "./exclusive.ts"
import type { InputOptions } from "./input/entries.ts"
import { sessionInput } from "./input/input.ts"
import { busy, unwritten, waitingIn } from "./notifications.ts"
import { createInteraction } from "./questions/interaction.ts"
import { modelOf } from "./runs/request-with-retry.ts"
import { promptRunner } from "./runs/run.ts"
import type { Session } from "./session-api.ts"
import { sessionSettings } from "./session-settings.ts"
import { endSession } from "./end-session.ts"
import { runUserCommand } from "./user-command.ts"

export type { EventOptions, EventStream, InputOptions, LiveSettings, Session, SessionDeps }

/** A session over one tape: it accepts input, pulls runs of the loop, and writes each step before it publishes it. */
export function createSession(deps: SessionDeps): Session {
  const core = sessionCore(deps)
  const { tape, hooks, models, notify, publication, queue, writer } = core
  const exclusive = exclusiveWork()
  const interaction = createInteraction(deps, core)
  const { questions, dialogs } = interaction
  const compaction = compactionOf({ core, deps })
  const input = sessionInput(core, deps.expander)
  const run = { deps, core, input, compaction, interaction, commandChanges: sessionCommandChanges(deps, core) }
  const running = (): boolean => exclusive.running || compaction.working
  const assertIdle = (): void => {
    if (running()) throw new FailureError(busy())
  }
  hooks.emit("session.start", () => ({}))
  hooks.emit("model.select", () => modelOf(models.current))
  return {
    id: tape.id,
    history: readonlyTape(tape),
    declared: deps.declared,
    get running() {
      return running()
    },
    get selection() {
      return models.current
    },
    unwritten: () => unwritten(tape),
    subscribe: publication.subscribe,
    events: publication.events,
    prompt: promptRunner(run, exclusive),
    steer: input.steer,
    followUp: input.followUp,
    get waiting() {
      return waitingIn(queue)
    },
    ...sessionSettings({ context: { core, deps }, exclusive, assertIdle }),
    ...changesOf({ tape, files: deps.files, declared: deps.declared, writer, exclusive, assertIdle }),
    command: (wanted) => exclusive.run((stop) => runUserCommand(run, wanted, stop.signal)),
    async compact(focus = "") {
      if (exclusive.running && !compaction.working) throw new FailureError(busy())
      return compaction.compact(focus.trim())
    },
    get questions() {
      return questions.open
    },
    reply: questions.reply,
    get dialogs() {
      return dialogs.open
    },
    answer: dialogs.reply,
    ask: interaction.ask,
    permit: interaction.permit,
    get permission() {
      return deps.policy.level
    },
    setPermission: interaction.setPermission,
    async mayLeave(op, meta) {
      const gate = await hooks.beforeSessionOp(op, meta)
      return gate.answer === "ok" ? null : gate.reason
    },
    abort() {
      exclusive.abort()
      compaction.abort()
    },
    notify(notification) {
      notify(notification)
      return publication.hasSubscribers
    },
    end: () => endSession(deps, core),
  }
}

import type { Hook, Model, Provider } from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Tape } from "@gong/tape"
import type { Settings } from "@gong/config/settings/resolve"
import type { Outcome } from "@gong/config/usage"
import type { Session, SessionDeps } from "@gong/session/session"
import type { ModelDeps, Openable } from "../models/model.ts"
import type { OpenedTape, TapeStorage } from "../tapes/tape.ts"

/** What the sessions of tasks are made of: the parts of the session that wants them, and what they have of their own. */
export interface TaskDeps {
  readonly session: Session
  readonly parts: SessionDeps
  readonly opened: OpenedTape
  readonly place: TapeStorage
  readonly settings: Settings
  models(): ModelDeps
  /** Over a network that is not recorded: what a task asks is no part of the session's own requests. */
  openModel(model: Openable): Promise<Provider>
  limitsFor(model: Model): Outcome<Limits>
  /** Those that look at files of instructions, for a tape of its own. */
  contextHooks(tape: Tape): readonly Hook[]
  /** Of a session that has a model of its program's own; null: models are opened. */
  readonly provider: Provider | null
}

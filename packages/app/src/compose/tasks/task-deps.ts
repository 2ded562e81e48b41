import type { Hook, Model, Provider } from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Tape } from "@gong/tape"
import type { Settings } from "@gong/config/settings/resolve"
import type { Outcome } from "@gong/config/usage"
import type { Session, SessionDeps } from "@gong/session/session"
import type { ModelDeps, Openable } from "../models/model.ts"
import type { TapeStorage } from "../tapes/storage.ts"
import type { OpenedTape } from "../tapes/tape.ts"

/** The dependencies of sessions of tasks, based on those of the parent session. */
export interface TaskDeps {
  readonly session: Session
  /** Of the parent session. */
  readonly sessionDeps: SessionDeps
  readonly opened: OpenedTape
  readonly storage: TapeStorage
  readonly settings: Settings
  models(): ModelDeps
  /** Over a network without recording, since requests of tasks are not requests of the session. */
  openModel(model: Openable): Promise<Provider>
  limitsFor(model: Model): Outcome<Limits>
  /** The hooks for context files, on the tape of the task. */
  contextHooks(tape: Tape): readonly Hook[]
  /** The model that the program supplied; null: models are opened. */
  readonly provider: Provider | null
}

import type { Dialog, DialogOutcome, PermissionLevel } from "@gong/spec"
import type { SessionCore } from "../core.ts"
import type { SessionDeps } from "../deps.ts"
import { createDialogs, type Dialogs } from "./dialogs.ts"
import { type Permit, permitted } from "./permit.ts"
import { createQuestions, type Questions } from "./questions.ts"

/** What a program asks a person through a session. */
export interface PersonApi {
  /** Asks the person something on behalf of the program; never rejects. Null: the session is not interactive. */
  readonly ask: ((dialog: Dialog, signal: AbortSignal) => Promise<DialogOutcome>) | null
  /** Asks the person for permission where the policy does not decide. Null: the session is not interactive. */
  readonly permit: Permit | null
  /** Takes effect with the next call, and closes open questions that it decides. The sandbox does not change. */
  setPermission(level: PermissionLevel): Promise<void>
}

/** Everything that a session asks a person. */
export interface Interaction extends PersonApi {
  readonly questions: Questions
  readonly dialogs: Dialogs
}

export function createInteraction(deps: SessionDeps, { notify }: Pick<SessionCore, "notify">): Interaction {
  const { clock, ids, interactive, policy } = deps
  const asking = { clock, answerTime: () => deps.settings().answerTime }
  const questions = deps.questions ?? createQuestions(asking)
  const dialogs = createDialogs(asking, notify)
  return {
    questions,
    dialogs,
    ask: interactive ? (dialog, signal) => dialogs.ask({ id: `u-${ids.entry()}`, ...dialog }, signal) : null,
    permit: permitted(deps, questions, notify),
    async setPermission(level) {
      const before = policy.level
      policy.setLevel(level)
      if (level !== before) notify({ code: "permission_level", level })
      await questions.reconsider(({ tool, args, title }) => policy.decide({ tool, arguments: args, title }))
    },
  }
}

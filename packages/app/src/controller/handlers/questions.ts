import { type PermissionAnswer, phrase, type Text } from "@gong/spec"
import type { ReplyOutcome } from "@gong/session/questions/questions"
import { type Answer, done, refuse } from "../answer.ts"
import type { Empty } from "../data.ts"
import type { HandlersOf } from "./handler.ts"

/** Commands that answer questions and dialogs. */
export const questions: HandlersOf<"permission_reply" | "ui_reply"> = {
  permission_reply({ current }, { target, choice, wider, message }, answer) {
    if (target === undefined) return answer(refuse("bad_arguments", phrase`Say which question: its id, or target.`))
    const reply: PermissionAnswer = {
      choice,
      ...(wider === undefined ? {} : { wider }),
      ...(message === undefined ? {} : { message }),
    }
    const unknown = phrase`No question ${target} is open.`
    const notOffered = phrase`"${choice}" is not among the choices of ${target}.`
    return answer(answerFor(current.session.reply(target, reply), unknown, notOffered))
  },
  ui_reply({ current }, { target, ...reply }, answer) {
    if (target === undefined) return answer(refuse("bad_arguments", phrase`Say which dialog: its id, or target.`))
    const unknown = phrase`No dialog ${target} is open.`
    const notOffered = phrase`This is no answer that ${target} offers.`
    return answer(answerFor(current.session.answer(target, reply), unknown, notOffered))
  },
}

function answerFor(outcome: ReplyOutcome, unknown: Text, notOffered: Text): Answer<Empty> {
  switch (outcome) {
    case "taken":
      return done({})
    case "unknown":
      return refuse("not_found", unknown, phrase`get_state lists those that are`)
    case "not-offered":
      return refuse("bad_arguments", notOffered)
  }
}

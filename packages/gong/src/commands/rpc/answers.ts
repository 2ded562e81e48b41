import type { Outcome, UsageError } from "../../config/usage.ts"
import { type Answer, done, type ErrorCode, refuse } from "../../modes/rpc/protocol.ts"

/** What a person would read as lines, as an answer for programs: one sentence, without the program's name in front. */
export function answerOf<T>(outcome: Outcome<T>, code: ErrorCode = "bad_arguments"): Answer<T> {
  return outcome.ok ? done(outcome.value) : refuse(code, sentenceOf(outcome.error))
}

function sentenceOf({ lines }: UsageError): string {
  return lines.map((line) => line.replace(/^gong: /, "").trim()).join(" ")
}

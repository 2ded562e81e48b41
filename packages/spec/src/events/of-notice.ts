import type { Notice } from "../step.ts"
import type { Event } from "./event.ts"
import { publicFailure } from "./event.ts"

/** What is said to the user, as an event. */
export function ofNotice(notice: Notice): Event {
  switch (notice.code) {
    case "permission_request": {
      const { code: _, ...rest } = notice
      return { type: "permission_request", ...rest }
    }
    case "permission_end": {
      const { code: _, ...rest } = notice
      return { type: "permission_end", ...rest }
    }
    case "ui_request": {
      const { code: _, ...rest } = notice
      return { type: "ui_request", ...rest }
    }
    case "ui_end": {
      const { code: _, ...rest } = notice
      return { type: "ui_end", ...rest }
    }
    case "retry_start":
      return {
        type: "retry_start",
        attempt: notice.attempt,
        of: notice.of,
        delayMs: notice.delayMs,
        failure: publicFailure(notice.failure),
        draftId: notice.draftId,
      }
    case "retry_end":
      return { type: "retry_end", attempt: notice.attempt, ok: notice.ok }
    case "compaction_start":
      return { type: "compaction_start", reason: notice.reason, tokens: notice.tokens }
    case "compaction_end": {
      const { status, tokensBefore } = notice
      return { type: "compaction_end", status, tokensBefore, failure: publicFailure(notice.failure) }
    }
    case "queue":
      return { type: "queue_update", steer: notice.steer, followUp: notice.followUp }
    case "failure":
      return { type: "failure", failure: publicFailure(notice.failure) }
    default:
      return {
        type: "notice",
        level: notice.level,
        code: notice.code,
        text: notice.text,
        ...(notice.phrase && { phrase: notice.phrase }),
      }
  }
}

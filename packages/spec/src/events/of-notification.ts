import type { Notification } from "../session/step.ts"
import type { Event } from "./event.ts"
import { publicFailure } from "./event.ts"

/** A notification as an event. */
export function ofNotification(notification: Notification): Event {
  switch (notification.code) {
    case "permission_request": {
      const { code: _, ...rest } = notification
      return { type: "permission_request", ...rest }
    }
    case "permission_end": {
      const { code: _, ...rest } = notification
      return { type: "permission_end", ...rest }
    }
    case "permission_level":
      return { type: "permission_level", level: notification.level }
    case "ui_request": {
      const { code: _, ...rest } = notification
      return { type: "ui_request", ...rest }
    }
    case "ui_end": {
      const { code: _, ...rest } = notification
      return { type: "ui_end", ...rest }
    }
    case "retry_start":
      return {
        type: "retry_start",
        attempt: notification.attempt,
        of: notification.of,
        delayMs: notification.delayMs,
        failure: publicFailure(notification.failure),
        draftId: notification.draftId,
      }
    case "retry_end":
      return { type: "retry_end", attempt: notification.attempt, ok: notification.ok }
    case "compaction_start":
      return { type: "compaction_start", reason: notification.reason, tokens: notification.tokens }
    case "compaction_end": {
      const { status, tokensBefore } = notification
      return { type: "compaction_end", status, tokensBefore, failure: publicFailure(notification.failure) }
    }
    case "queue":
      return { type: "queue_update", steer: notification.steer, followUp: notification.followUp }
    case "failure":
      return { type: "failure", failure: publicFailure(notification.failure) }
    default:
      return {
        type: "notice",
        level: notification.level,
        code: notification.code,
        text: notification.text,
        ...(notification.phrase && { phrase: notification.phrase }),
      }
  }
}

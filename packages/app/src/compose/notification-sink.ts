import { isTextNotification, type Notification } from "@gong/spec"
import type { Services } from "../services.ts"
import type { OpenedSession } from "./opened-session.ts"

/** Notifications without a subscriber, after the answer or at a prompt, go to stderr. */
export function notificationSink(session: OpenedSession["session"], services: Services) {
  return (notification: Notification): void => {
    if (!session.notify(notification) && isTextNotification(notification))
      services.warn(`gong: ${services.t.text(notification.phrase ?? notification.text)}`)
  }
}

import type { RunStatus, ToolStatus } from "@gong/spec"
import type { Translate } from "./translator.ts"

/** How calls and runs end, in words for users. */
export const statuses: Readonly<Record<ToolStatus | RunStatus, string>> = {
  ok: "ok",
  error: "error",
  refused: "refused",
  skipped: "skipped",
  aborted: "aborted",
  timeout: "timeout",
  background: "background",
  done: "done",
  failed: "failed",
  limit: "limit",
  interrupted: "interrupted",
}

export function statusText(t: Translate, status: ToolStatus | RunStatus): string {
  return t(statuses[status])
}

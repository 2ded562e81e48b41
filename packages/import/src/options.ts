import type { SessionSpec } from "@gong/config/session-spec"
import type { Agent } from "./agents.ts"

/** Where to import from, and into what. */
export interface ImportOptions extends SessionSpec {
  readonly from?: Agent | undefined
  /** Into the workspace instead of the user's home. */
  readonly project?: boolean | undefined
  /** Conversations instead of the configuration. */
  readonly sessions?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly json?: boolean | undefined
}

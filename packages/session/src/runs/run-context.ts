import type { CommandChanges } from "../changes/command-changes.ts"
import type { Compaction } from "../compaction/compaction.ts"
import type { SessionCore } from "../core.ts"
import type { SessionDeps } from "../deps.ts"
import type { SessionInput } from "../input/input.ts"
import type { Interaction } from "../questions/interaction.ts"

/** What runs of a session use. */
export interface RunContext {
  readonly deps: SessionDeps
  readonly core: SessionCore
  readonly input: SessionInput
  readonly compaction: Compaction
  readonly interaction: Interaction
  /** Null: changes by commands are not recorded. */
  readonly commandChanges: CommandChanges | null
}

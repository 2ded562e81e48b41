import type {
  Declarations,
  Hook,
  Ids,
  Clock,
  LeveledPolicy,
  TelemetrySubscriber,
  Provider,
  ThinkingLevel,
  Tool,
  ChangeDetector,
} from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Tape } from "@gong/tape"
import type { ChangedFiles } from "./changes/changes.ts"
import type { CompactionPolicy } from "./compaction/deps.ts"
import type { TemplateExpander } from "./input/template-expander.ts"
import type { Fallback } from "./runs/fallback.ts"
import type { Questions } from "./questions/questions.ts"
import type { QueueModes } from "./input/inbox.ts"
import type { BuiltPrompt, PromptSource } from "./runs/prompt-state.ts"
import type { RetryPolicy } from "./runs/retry.ts"

/** All that a session is made of; `build.ts` chooses it. */
export interface SessionDeps {
  readonly tape: Tape
  readonly provider: Provider
  readonly thinking: ThinkingLevel
  /** Asked in this order when a run cannot go on with the one before. */
  readonly fallbacks: readonly Fallback[]
  /** The active tools, in catalogue order. Asked at each run: what changed takes effect at once. */
  tools(): readonly Tool[]
  /** What tools declare, also those that are not active. */
  readonly declared: Declarations
  /** What runs the user's own commands, whether the model may call it or not; null: nothing does. */
  readonly bash: Tool | null
  readonly prompt: PromptSource
  /** What prompts, steers and follow-ups that begin with `/` stand for. */
  readonly expander: TemplateExpander
  /** The prompt that the tape already holds. */
  readonly lastPrompt: BuiltPrompt | null
  readonly hooks: readonly Hook[]
  /** Those outside who look on; null: nobody can. */
  readonly telemetry: TelemetrySubscriber | null
  readonly policy: LeveledPolicy
  /** Somebody subscribes who answers questions; otherwise none is asked, and the policy must decide without. */
  readonly interactive: boolean
  /** Those of a session that this one works for: they are asked and answered there. */
  readonly questions?: Questions
  /** Milliseconds for which a question stays open; null: without limit. */
  readonly answerTime: number | null
  redact(text: string): string
  readonly limits: Limits
  /** Refuses, once, to write over what this session has not looked at (interface 5 A). */
  readonly writeGuard: boolean
  readonly strict: boolean
  readonly toolExecution: "parallel" | "sequential"
  readonly files: ChangedFiles
  /** Finds what commands changed, where undo could use it. */
  readonly changeDetector: ChangeDetector | null
  readonly retry: RetryPolicy
  readonly queue: QueueModes
  readonly compaction: CompactionPolicy
  readonly clock: Clock
  readonly ids: Ids
}

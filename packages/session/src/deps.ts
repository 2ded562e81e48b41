import type {
  ChangeDetector,
  Clock,
  Declarations,
  Hook,
  Ids,
  LeveledPolicy,
  Provider,
  TelemetrySubscriber,
  ThinkingLevel,
  Tool,
} from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Tape } from "@gong/tape"
import type { ChangedFiles } from "./changes/changes.ts"
import type { CompactionPolicy } from "./compaction/policy.ts"
import type { QueueModes } from "./input/inbox.ts"
import type { TemplateExpander } from "./input/template-expander.ts"
import type { Questions } from "./questions/questions.ts"
import type { Fallback } from "./runs/fallback.ts"
import type { BuiltPrompt, PromptSource } from "./runs/prompt-state.ts"
import type { RetryPolicy } from "./runs/retry.ts"

/** Everything that a session receives. Each part of a session takes only the groups that it needs. */
export interface SessionDeps extends ModelDeps, PromptDeps, ToolDeps, PermissionDeps, HookDeps, ChangeDeps {
  readonly tape: Tape
  readonly clock: Clock
  readonly ids: Ids
  /** Read when they are used: they may be replaced between runs. */
  settings(): LiveSettings
  /** Removes known secrets from a text. */
  redact(text: string): string
}

export interface ModelDeps {
  /** The model and thinking level of the first run. */
  readonly provider: Provider
  readonly thinking: ThinkingLevel
  /** Used in this order when a run cannot continue with the model before. */
  readonly fallbacks: readonly Fallback[]
}

export interface PromptDeps {
  readonly prompt: PromptSource
  /** The prompt that the tape already has. */
  readonly lastPrompt: BuiltPrompt | null
  /** Expands messages that begin with `/`. */
  readonly expander: TemplateExpander
}

export interface ToolDeps {
  /** The active tools, in catalogue order. Called at each run, so that a change takes effect at once. */
  tools(): readonly Tool[]
  /** The declarations of all tools, including inactive ones. */
  readonly declared: Declarations
  /** Runs the user's own commands, even where the model may not call it; null: user commands are refused. */
  readonly bash: Tool | null
  readonly toolExecution: "parallel" | "sequential"
  readonly limits: Limits
  /** The first refusal ends a run. */
  readonly strict: boolean
}

export interface PermissionDeps {
  readonly policy: LeveledPolicy
  /** A subscriber answers questions. Otherwise none is asked, and the policy decides alone. */
  readonly interactive: boolean
  /** The questions of the parent session, where this session does a task for one. */
  readonly questions?: Questions
}

export interface HookDeps {
  readonly hooks: readonly Hook[]
  /** Null: telemetry is off. */
  readonly telemetry: TelemetrySubscriber | null
}

export interface ChangeDeps {
  readonly files: ChangedFiles
  /** Finds what commands changed; null: undo covers only the changes of tools. */
  readonly changeDetector: ChangeDetector | null
}

/** Settings that may change between runs. */
export interface LiveSettings {
  /** Milliseconds until a question without an answer is closed; null: no limit. */
  readonly answerTime: number | null
  /** Refuses, once, to write over content that the session has not seen (interface 5 A). */
  readonly writeGuard: boolean
  readonly retry: RetryPolicy
  readonly queue: QueueModes
  readonly compaction: CompactionPolicy
}

import { type CompactionBody, estimateText } from "@gong/spec"
import { type Context, compactTape } from "@gong/tape"
import type { SessionCore } from "../core.ts"
import type { SessionDeps } from "../deps.ts"

/** What compactions and branch summaries use of a session. */
export interface CompactionContext {
  readonly core: SessionCore
  readonly deps: Pick<SessionDeps, "settings" | "expander" | "declared" | "clock" | "ids">
}

export function conversationOf({ core }: CompactionContext): Context {
  return core.folds.context.value
}

/** Estimated tokens of the system prompt and the tools; 0 before the first run. */
export function headTokens({ core }: CompactionContext): number {
  const { built } = core.prompt
  return built ? estimateText(built.system) + estimateText(JSON.stringify(built.tools)) : 0
}

/** Writes and publishes a compaction; resolves when it is durable. */
export async function writeCompaction(
  { core }: CompactionContext,
  compaction: Omit<CompactionBody, "type">,
): Promise<void> {
  const { tape, writer } = core
  await writer.settled(writer.publishWritten(() => compactTape(tape, compaction)))
}

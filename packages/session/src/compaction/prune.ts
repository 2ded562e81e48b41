import { estimateMessage, type Message, type PruneBody } from "@gong/spec"
import { type Context, messageIds, shortened, withoutSkill } from "@gong/tape"
import type { Budget } from "./budget.ts"
import { fallbackChars } from "./compact.ts"
import type { SkillUse } from "./skills.ts"

/** The newest messages are never pruned: up to this multiple of what a compaction keeps, and at most this share of the limit. */
const protectedKeeps = 2
const protectedShare = 1 / 3
/** Characters that remain of an old tool result. */
const oldChars = 400

/**
 * Reduces the context without a summary: shortens old tool results, except skills in use, and replaces the text of a skill whose
 * scope has ended by a line. Null unless this alone brings the context well below the limit: each time the provider's cache is
 * lost from the first shortened result on, so it happens seldom, in big steps, and never shortly before a compaction.
 */
export function planPrune(
  context: Context,
  tokens: number,
  { limit, keep }: Budget,
  skills: readonly SkillUse[],
): PruneBody | null {
  const untouched = Math.min(protectedKeeps * keep, protectedShare * limit)
  const plan = planOver(context, { to: olderThan(context.messages, untouched), chars: oldChars, tokens, skills })
  return plan !== null && plan.tokensAfter <= limit - keep ? plan : null
}

/** Without a summary: shortens results before the newest `keep` tokens (contract section 13). Null when none gets shorter. */
export function planFallback(
  context: Context,
  tokens: number,
  keep: number,
  skills: readonly SkillUse[],
): PruneBody | null {
  const { messages } = context
  // When all results are shortened, skills in use are shortened, too.
  if (keep > 0) return planOver(context, { to: olderThan(messages, keep), chars: fallbackChars, tokens, skills })
  return planOver(context, {
    to: messages.length,
    chars: fallbackChars,
    tokens,
    skills: skills.filter(({ over }) => over),
  })
}

/** The number of messages before the newest ones of this many tokens. */
function olderThan(messages: readonly Message[], tokens: number): number {
  let kept = 0
  let at = messages.length
  while (at > 0 && kept <= tokens) kept += tokensAt(messages, --at)
  return at
}

interface PruneOptions {
  /** The number of old messages. */
  readonly to: number
  readonly chars: number
  readonly tokens: number
  readonly skills: readonly SkillUse[]
}

function planOver(context: Context, { to, chars, tokens, skills: uses }: PruneOptions): PruneBody | null {
  const ids = messageIds(context)
  const used = new Map(uses.map((use) => [use.at, use]))
  const whole: string[] = []
  const skills: { id: string; line: string }[] = []
  let saved = 0
  for (const [at, message] of context.messages.entries()) {
    const id = ids[at] ?? ""
    const use = used.get(at)
    const line = use?.over === true ? use.line : null
    const lined = line === null ? 0 : less(message, withoutSkill(message, line))
    if (line !== null && lined > 0) {
      saved += lined
      skills.push({ id, line })
    } else if (at < to && message.role === "tool") {
      if (use?.over === false) whole.push(id)
      else saved += less(message, shortened(message, chars))
    }
  }
  if (saved === 0) return null
  return {
    type: "prune",
    upTo: ids[to - 1] ?? null,
    chars,
    ...(whole.length > 0 ? { whole } : {}),
    ...(skills.length > 0 ? { skills } : {}),
    tokensBefore: tokens,
    tokensAfter: Math.max(0, tokens - saved),
  }
}

/** Tokens that the second form of a message saves. */
function less(message: Message, other: Message): number {
  return Math.max(0, estimateMessage(message) - estimateMessage(other))
}

function tokensAt(messages: readonly Message[], at: number): number {
  const message = messages[at]
  return message === undefined ? 0 : estimateMessage(message)
}

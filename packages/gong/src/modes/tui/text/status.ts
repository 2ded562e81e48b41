import { type Clock, todoLines } from "@gong/spec"
import type { Session } from "@gong/session/session"
import { cost, type Spent, todos } from "@gong/tape"
import { amountText } from "@gong/texts/amounts"
import type { Translate } from "@gong/texts/translator"

/** What the status row is made of, for the user's own command. */
export function statusFacts(session: Session, { sandbox, contextTokens, jobs, spent }: StatusFacts): object {
  const { provider, thinking } = session.selection
  const { model } = provider
  return {
    session: session.id,
    model: `${model.provider}/${model.id}`,
    permission: session.permission,
    sandbox,
    thinking,
    jobs,
    contextTokens,
    contextWindow: model.contextWindow,
    cost: spent?.cost ?? null,
  }
}

export interface StatusFacts {
  /** Of commands: `off` or a mode. */
  readonly sandbox: string
  /** Of the next request; null: unknown. */
  readonly contextTokens: number | null
  /** Running background commands. */
  readonly jobs: number
  /** Null: not counted yet. */
  readonly spent: Spent | null
}

/** What the session has cost. Reads all replies when it is asked for first. */
export function spentIn(session: Session): Spent {
  return session.history.follow(cost).value.total
}

/** Parts of the status row, the most important first. */
export function statusParts(
  t: Translate,
  session: Session,
  { sandbox, contextTokens, jobs, spent }: StatusFacts,
): readonly string[] {
  const { provider, thinking } = session.selection
  const { model } = provider
  const share = contextTokens === null ? 0 : Math.round((contextTokens / model.contextWindow) * 100)
  return [
    `${model.provider}/${model.id}`,
    session.permission,
    ...(sandbox === "off" ? [t`sandbox: off`] : []),
    ...(jobs === 0 ? [] : [jobs === 1 ? t`1 job` : t`${jobs} jobs`]),
    ...(thinking === "off" ? [] : [t`thinking ${thinking}`]),
    ...(share > 0 ? [t`context ${share} %`] : []),
    ...(spent === null || spent.cost === 0 || spent.cost === null ? [] : [amountText(t, spent)]),
  ]
}

/** The current items of the to-do list, then the next ones. */
export function openTodos(session: Session): readonly string[] {
  const items = session.history.follow(todos).value
  const of = (wanted: string) => items.filter(({ status }) => status === wanted)
  return todoLines([...of("in_progress"), ...of("pending")]).slice(1)
}

/** Milliseconds between two starts of the user's command. */
const INTERVAL_MS = 1_000

/** The status row as the user's command prints it, at most once a second. */
export function ownStatusLine(
  clock: Clock,
  run: (facts: object) => Promise<string | null>,
  show: (line: string | null) => void,
): { update(facts: object): void; close(): void } {
  let next: object | null = null
  let isWaiting = false
  let isClosed = false
  async function start(): Promise<void> {
    isWaiting = true
    while (next !== null && !isClosed) {
      const facts = next
      next = null
      const line = await run(facts).catch(() => null)
      if (!isClosed) show(line)
      await clock.sleep(INTERVAL_MS)
    }
    isWaiting = false
  }
  return {
    update(facts) {
      next = facts
      if (!isWaiting) start().catch(() => undefined)
    },
    close: () => void (isClosed = true),
  }
}

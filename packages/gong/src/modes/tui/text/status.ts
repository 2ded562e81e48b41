import type { Session } from "@gong/session/session"
import { cost } from "@gong/tape"
import { amountText } from "@gong/texts/amounts"
import type { Translate } from "@gong/texts/translator"

interface StatusFacts {
  /** Of commands: `off` or a mode. */
  readonly sandbox: string
  /** Of the next request; null: unknown. */
  readonly contextTokens: number | null
}

/** Parts of the status row, the most important first. */
export function statusParts(
  t: Translate,
  session: Session,
  { sandbox, contextTokens }: StatusFacts,
): readonly string[] {
  const { provider, thinking } = session.selection
  const { model } = provider
  const { total } = session.history.follow(cost).value
  const share = contextTokens === null ? 0 : Math.round((contextTokens / model.contextWindow) * 100)
  return [
    `${model.provider}/${model.id}`,
    session.permission,
    ...(sandbox === "off" ? [t`sandbox: off`] : []),
    ...(thinking === "off" ? [] : [t`thinking ${thinking}`]),
    ...(share > 0 ? [t`context ${share} %`] : []),
    ...(total.cost === 0 || total.cost === null ? [] : [amountText(t, total)]),
  ]
}

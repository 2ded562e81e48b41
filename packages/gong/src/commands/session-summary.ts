import type { OpenedSession } from "@gong/app/compose/open-session"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"

/** One line about a session before its first request: model, source of the key, permission level, sandbox. */
export function sessionSummary(t: Translate, { chosen, info }: Pick<OpenedSession, "chosen" | "info">): string {
  const { credential, others } = chosen
  const from = credential ? t` from ${credential.from}` : ""
  const more =
    others > 0
      ? others === 1
        ? t` (1 other provider has a key; -m or gong models)`
        : t` (${others} other providers have keys; -m or gong models)`
      : ""
  const parts = [`${info.model}${from}${more}`, info.permission, sandboxText(t, info.sandbox)]
  if (info.resumed) parts.push(t`session ${shortId(info.id)}`)
  return parts.join(" · ")
}

function sandboxText(t: Translate, { mode, enforced, reason }: OpenedSession["info"]["sandbox"]): string {
  if (mode === "off") return reason === undefined ? t`sandbox: off` : t`sandbox: off (${reason}; gong doctor explains)`
  const files = mode === "workspace" ? t`sandbox: files` : t`sandbox: read-only`
  if (enforced.includes("network")) return t`${files}, no network`
  return enforced.includes("hosts") ? t`${files}, network by host` : t`${files}, network open`
}

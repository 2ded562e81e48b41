import type { App } from "@gong/app/compose/open-session"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"

/** Who is asked, what may run, and what confines it: said once, before anything happens. */
export function firstLine(t: Translate, { chosen, info }: Pick<App, "chosen" | "info">): string {
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

function sandboxText(t: Translate, { mode, enforced, reason }: App["info"]["sandbox"]): string {
  if (mode === "off") return reason === undefined ? t`sandbox: off` : t`sandbox: off (${reason}; gong doctor explains)`
  const what = mode === "workspace" ? t`sandbox: files` : t`sandbox: read-only`
  if (enforced.includes("network")) return t`${what}, no network`
  return enforced.includes("hosts") ? t`${what}, network by host` : t`${what}, network open`
}

import type { ListedSession } from "@gong/spec"
import { ok, type Outcome } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import { charged, titleOf, when } from "@gong/texts/listed-session"
import { type Cell, fitted, table } from "@gong/texts/table"
import type { Answer, Asked } from "./answer.ts"
import type { Translate } from "@gong/texts/translator"

const maxListed = 100

/** Milliseconds for reading what is new before a list; a home that was never read may need more. */
const readingTime = 1000

/** `gong sessions [--all]`: the newest first. */
export async function listSessions(t: Translate, { place, options }: Asked): Promise<Outcome<Answer>> {
  const all = options.all === true
  const here = all ? {} : { workspace: place.workspace.folder }
  const limit = options.json === true ? {} : { limit: maxListed }
  const listed = await place.sessions.listed({ ...here, ...limit, milliseconds: readingTime })
  place.reportUnreadable(listed.unreadable)
  const { sessions, total, everywhere, unread } = listed
  if (sessions.length === 0 && unread === 0) {
    const more = everywhere > 0 ? t` (${everywhere} elsewhere: gong sessions --all)` : ""
    return ok({
      text: t`No sessions in ${fitted(place.workspace.folder, 200)} yet${more}.\n`,
      json: { sessions, total, unread },
    })
  }
  const rows = table(sessions.map((session) => rowOf(t, session, all)))
  const cut = total > rows.length ? [t`... and ${total - rows.length} older ones`] : []
  return ok({ text: `${[...rows, ...cut, ...unreadLine(t, unread)].join("\n")}\n`, json: { sessions, total, unread } })
}

/** What is said of sessions that reading did not get to. */
export function unreadLine(t: Translate, unread: number): readonly string[] {
  if (unread === 0) return []
  return [
    t`${unread} older session${unread === 1 ? " is" : "s are"} not read yet: gong sessions rebuild reads all of them.`,
  ]
}

function rowOf(t: Translate, session: ListedSession, all: boolean): readonly Cell[] {
  const { id, modified, model, workspace, replies } = session
  return [
    { text: shortId(id) },
    { text: when(modified) },
    { text: model ?? "-" },
    { text: t`${replies} turn${replies === 1 ? "" : "s"}`, right: true },
    { text: charged(session), right: true },
    ...(all ? [{ text: workspace }] : []),
    { text: titleOf(t, session) },
  ]
}

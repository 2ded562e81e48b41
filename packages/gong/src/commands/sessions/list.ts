import type { ListedSession } from "@gong/spec"
import { ok, type Outcome } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import { costText, titleOf, minuteText } from "@gong/texts/listed-session"
import { type Cell, truncate, table } from "@gong/texts/table"
import type { CommandOutput, CommandContext } from "./output.ts"
import type { Translate } from "@gong/texts/translator"

const maxListed = 100

/** Milliseconds to index new sessions before a list; a home without an index may need more. */
const indexTime = 1000

/** `gong sessions [--all]`: newest first. */
export async function listSessions(t: Translate, { place, options }: CommandContext): Promise<Outcome<CommandOutput>> {
  const all = options.all === true
  const scope = all ? {} : { workspace: place.workspace.folder }
  const limit = options.json === true ? {} : { limit: maxListed }
  const listed = await place.sessions.listed({ ...scope, ...limit, milliseconds: indexTime })
  place.reportUnreadable(listed.unreadable)
  const { sessions, total, everywhere, unread } = listed
  if (sessions.length === 0 && unread === 0) {
    const more = everywhere > 0 ? t` (${everywhere} elsewhere: gong sessions --all)` : ""
    return ok({
      text: t`No sessions in ${truncate(place.workspace.folder, 200)} yet${more}.\n`,
      json: { sessions, total, unread },
    })
  }
  const rows = table(sessions.map((session) => rowOf(t, session, all)))
  const cut = total > rows.length ? [t`... and ${total - rows.length} older ones`] : []
  return ok({ text: `${[...rows, ...cut, ...unreadLine(t, unread)].join("\n")}\n`, json: { sessions, total, unread } })
}

/** A line about sessions that were not indexed in time. */
export function unreadLine(t: Translate, unread: number): readonly string[] {
  if (unread === 0) return []
  return [
    t`${unread} older session${unread === 1 ? " is" : "s are"} not indexed yet: gong sessions rebuild indexes all of them.`,
  ]
}

function rowOf(t: Translate, session: ListedSession, all: boolean): readonly Cell[] {
  const { id, modified, model, workspace, replies } = session
  return [
    { text: shortId(id) },
    { text: minuteText(modified) },
    { text: model ?? "-" },
    { text: t`${replies} turn${replies === 1 ? "" : "s"}`, right: true },
    { text: costText(session), right: true },
    ...(all ? [{ text: workspace }] : []),
    { text: titleOf(t, session) },
  ]
}

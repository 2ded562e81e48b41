import type { ListedSession } from "@gong/spec"
import { ok, type Outcome } from "../../config/usage.ts"
import { shortId } from "../../session/short-id.ts"
import { type Cell, fitted, table } from "../../terminal/table.ts"
import type { Answer, Asked } from "./answer.ts"
import type { Translate } from "../../texts/translator.ts"

const maxListed = 100

/** Milliseconds for reading what is new before a list; a home that was never read may need more. */
const readingTime = 1000

/** `gong sessions [--all]`: the newest first. */
export async function listSessions(t: Translate, { place, options }: Asked): Promise<Outcome<Answer>> {
  const all = options.all === true
  const here = all ? {} : { workspace: place.workspace.folder }
  const limit = options.json === true ? {} : { limit: maxListed }
  const listed = await place.sessions.listed({ ...here, ...limit, milliseconds: readingTime })
  place.passedOver(listed.unreadable)
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

const titleWidth = 60

export function titleOf(t: Translate, { name, title }: Pick<ListedSession, "name" | "title">): string {
  return fitted(name ?? title ?? t`(empty)`, titleWidth)
}

/** Minutes are enough to know a session again. */
export function when(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ")
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

interface Charged {
  readonly cost: number
  readonly costCny: number
  readonly unpriced: number
}

/** What is known of it; "?" when nothing has a price. What a list in yuan charged stands before the dollars that hold it. */
export function charged({ cost, costCny, unpriced }: Charged): string {
  if (cost === 0) return unpriced > 0 ? "$?" : "$0"
  const dollars = `$${cost.toFixed(cost < 0.1 ? 4 : 2)}${unpriced > 0 ? "+" : ""}`
  return costCny === 0 ? dollars : `¥${costCny.toFixed(costCny < 0.1 ? 4 : 2)} (${dollars})`
}

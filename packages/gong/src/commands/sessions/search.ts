import { phrase, type Entry, type SessionHit, type SessionsSearched, type Snippet } from "@gong/spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import { padTo, truncate, table } from "@gong/texts/table"
import type { Style } from "@gong/texts/style"
import type { CommandOutput, CommandContext } from "./output.ts"
import { minuteText } from "@gong/texts/listed-session"
import { unreadLine } from "./list.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds to index new sessions before a search. */
const indexTime = 10_000
/** Timeout of a search without the index, in milliseconds. */
const scanTime = 60_000
const maxHits = 20

/** `gong sessions search WORD... [--all] [--substring]`. */
export async function searchSessions(context: CommandContext, query: string): Promise<Outcome<CommandOutput>> {
  if (context.options.substring === true) return searchSubstring(context, query)
  const { place, options, cli } = context
  const scope = options.all === true ? {} : { workspace: place.workspace.folder }
  const search = { ...scope, limit: maxHits, milliseconds: indexTime }
  const { hits, total, more, unread, unreadable } = await place.sessions.search(query, search)
  place.reportUnreadable(unreadable)
  if (hits === null) {
    return usage(phrase`"${query}" contains no letter and no digit. --substring finds any characters.`)
  }
  const json = { hits: hits.map(jsonOf), total, more, unread }
  const unreadLines = unreadLine(cli.t, unread)
  if (hits.length > 0)
    return ok({ text: lines([...grouped(cli.t, { hits, total, more }, cli.style), ...unreadLines]), json })
  return ok({ text: lines([cli.style.line(await nothingText(context, query)), ...unreadLines]), json })
}

/** Searches the other workspaces only if this one has no hits. */
async function nothingText({ place, options, cli }: CommandContext, query: string): Promise<string> {
  const all = { limit: 1, milliseconds: indexTime }
  const elsewhere = options.all === true ? 0 : (await place.sessions.search(query, all)).total
  const more = elsewhere > 0 ? cli.t` (${elsewhere} found elsewhere: gong sessions search --all ${query})` : ""
  const tip = elsewhere > 0 ? "" : cli.t` --substring also looks inside words.`
  const where = options.all === true ? "" : cli.t` in ${place.workspace.folder}`
  return cli.t`Nothing found${where}${more}.${tip}`
}

type Grouped = Pick<SessionsSearched, "total" | "more"> & { readonly hits: readonly SessionHit[] }

/** Hits by session, in the order of the best hit of each. */
function grouped(t: Translate, { hits, total, more }: Grouped, style: Style): readonly string[] {
  const sessions = Map.groupBy(hits, ({ session }) => session)
  const blocks = [...sessions.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const rest = first.inSession - group.length
    const head = `${style.strong(shortId(first.session))}  ${truncate(first.title ?? t`(empty)`, 60)}`
    const more = rest > 0 ? [style.muted(t`  ... and ${rest} more in this session`)] : []
    return [head, ...group.map((hit) => hitLine(t, hit, style)), ...more]
  })
  const counted =
    total > hits.length ? [t`${more ? t`more than ` : ""}${total} found; the best ${hits.length} are shown`] : []
  return [...blocks, ...counted]
}

function hitLine(t: Translate, { entry, snippet }: Pick<SessionHit, "entry" | "snippet">, style: Style): string {
  const [row = ""] = table([
    [{ text: entry.id }, { text: minuteText(Date.parse(entry.timestamp)) }, { text: padTo(roleText(t, entry), 10) }],
  ])
  return `  ${row} ${marked(snippet, style)}`
}

/** Sanitizes each part separately, since the style of a match lies between them. */
function marked({ text, marks }: Snippet, style: Style): string {
  let at = 0
  const parts: string[] = []
  for (const [from, to] of marks) {
    parts.push(style.line(text.slice(at, from)), style.match(text.slice(from, to)))
    at = to
  }
  return [...parts, style.line(text.slice(at))].join("")
}

function roleOf(entry: Entry): string {
  if (entry.type === "message") return entry.message.role
  return entry.type === "input" ? "user" : entry.type
}

/** The role of a message; the type of any other step. */
function roleText(t: Translate, entry: Entry): string {
  const role = roleOf(entry)
  return t(roles[role] ?? role)
}

const roles: Readonly<Record<string, string>> = { user: "user", assistant: "assistant", tool: "tool" }

function jsonOf({ entry, ...hit }: SessionHit) {
  return { ...hit, entry: entry.id, type: entry.type, time: entry.timestamp, role: roleOf(entry) }
}

/** Reads the sessions without the index, newest first, so it finds any substring. */
async function searchSubstring(
  { place, options, cli }: CommandContext,
  wanted: string,
): Promise<Outcome<CommandOutput>> {
  const scope = options.all === true ? {} : { workspace: place.workspace.folder }
  const result = await place.sessions.scan(wanted, { ...scope, limit: maxHits, milliseconds: scanTime })
  place.reportUnreadable(result.unreadable)
  const { hits } = result
  const rows = hits.map((hit) => `${cli.style.strong(shortId(hit.session))}${hitLine(cli.t, hit, cli.style)}`)
  const size = (result.bytes / 1e6).toFixed(1)
  const end = cli.t`Read ${result.read} of ${result.sessions} sessions (${size} MB) without the index.${result.more ? cli.t` There may be more.` : ""}`
  const json = {
    hits: hits.map(({ entry, ...hit }) => ({
      ...hit,
      entry: entry.id,
      type: entry.type,
      time: entry.timestamp,
      role: roleOf(entry),
    })),
    read: { sessions: result.read, bytes: result.bytes },
    more: result.more,
  }
  return ok({ text: lines([...rows, ...(rows.length === 0 ? [cli.t`Nothing found.`] : []), end]), json })
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`
}

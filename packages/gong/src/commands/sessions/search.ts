import { phrase, type Entry, type SessionHit, type SessionsSearched, type Snippet } from "@gong/spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import { filledUp, fitted, table } from "@gong/texts/table"
import type { Style } from "@gong/texts/style"
import type { Answer, Asked } from "./answer.ts"
import { when } from "@gong/texts/listed-session"
import { unreadLine } from "./list.ts"
import type { Translate } from "@gong/texts/translator"

/** Milliseconds for reading what is new before a search. */
const readingTime = 10_000
/** Milliseconds for a search without the index. */
const scanTime = 60_000
const maxHits = 20

/** `gong sessions search WORD... [--all] [--substring]`. */
export async function searchSessions(asked: Asked, question: string): Promise<Outcome<Answer>> {
  if (asked.options.substring === true) return scanned(asked, question)
  const { place, options, cli } = asked
  const here = options.all === true ? {} : { workspace: place.workspace.folder }
  const search = { ...here, limit: maxHits, milliseconds: readingTime }
  const { hits, total, more, unread, unreadable } = await place.sessions.search(question, search)
  place.reportUnreadable(unreadable)
  if (hits === null) {
    return usage(phrase`there is no letter and no digit in "${question}". --substring finds any characters.`)
  }
  const json = { hits: hits.map(jsonOf), total, more, unread }
  const notRead = unreadLine(cli.t, unread)
  if (hits.length > 0)
    return ok({ text: lines([...grouped(cli.t, { hits, total, more }, cli.style), ...notRead]), json })
  return ok({ text: lines([cli.style.line(await nothingText(asked, question)), ...notRead]), json })
}

/** Whether there is something elsewhere is looked for only where nothing was found here. */
async function nothingText({ place, options, cli }: Asked, question: string): Promise<string> {
  const all = { limit: 1, milliseconds: readingTime }
  const elsewhere = options.all === true ? 0 : (await place.sessions.search(question, all)).total
  const more = elsewhere > 0 ? cli.t` (${elsewhere} found elsewhere: gong sessions search --all ${question})` : ""
  const tip = elsewhere > 0 ? "" : cli.t` --substring also looks inside words.`
  const where = options.all === true ? "" : cli.t` in ${place.workspace.folder}`
  return cli.t`Nothing found${where}${more}.${tip}`
}

type Grouped = Pick<SessionsSearched, "total" | "more"> & { readonly hits: readonly SessionHit[] }

/** The sessions in the order of their best hit, each with its hits. */
function grouped(t: Translate, { hits, total, more }: Grouped, style: Style): readonly string[] {
  const sessions = Map.groupBy(hits, ({ session }) => session)
  const blocks = [...sessions.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const rest = first.inSession - group.length
    const head = `${style.strong(shortId(first.session))}  ${fitted(first.title ?? t`(empty)`, 60)}`
    const more = rest > 0 ? [style.muted(t`  ... and ${rest} more in this session`)] : []
    return [head, ...group.map((hit) => hitLine(t, hit, style)), ...more]
  })
  const counted =
    total > hits.length ? [t`${more ? t`more than ` : ""}${total} found; these are the best ${hits.length}`] : []
  return [...blocks, ...counted]
}

function hitLine(t: Translate, { entry, snippet }: Pick<SessionHit, "entry" | "snippet">, style: Style): string {
  const [row = ""] = table([
    [{ text: entry.id }, { text: when(Date.parse(entry.timestamp)) }, { text: filledUp(whoseText(t, entry), 10) }],
  ])
  return `  ${row} ${marked(snippet, style)}`
}

/** Every piece goes through the sink on its own, so that a mark can be set between them. */
function marked({ text, marks }: Snippet, style: Style): string {
  let at = 0
  const pieces: string[] = []
  for (const [from, to] of marks) {
    pieces.push(style.line(text.slice(at, from)), style.match(text.slice(from, to)))
    at = to
  }
  return [...pieces, style.line(text.slice(at))].join("")
}

function whose(entry: Entry): string {
  if (entry.type === "message") return entry.message.role
  return entry.type === "input" ? "user" : entry.type
}

/** Who said it; of other steps the type. */
function whoseText(t: Translate, entry: Entry): string {
  const who = whose(entry)
  return t(roles[who] ?? who)
}

const roles: Readonly<Record<string, string>> = { user: "user", assistant: "assistant", tool: "tool" }

function jsonOf({ entry, ...hit }: SessionHit) {
  return { ...hit, entry: entry.id, type: entry.type, time: entry.timestamp, role: whose(entry) }
}

/** Reads the tapes themselves, newest first: also finds what stands inside words, and says what it took. */
async function scanned({ place, options, cli }: Asked, wanted: string): Promise<Outcome<Answer>> {
  const here = options.all === true ? {} : { workspace: place.workspace.folder }
  const result = await place.sessions.scan(wanted, { ...here, limit: maxHits, milliseconds: scanTime })
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
      role: whose(entry),
    })),
    read: { sessions: result.read, bytes: result.bytes },
    more: result.more,
  }
  return ok({ text: lines([...rows, ...(rows.length === 0 ? [cli.t`Nothing found.`] : []), end]), json })
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`
}

import { phrase } from "@gong/spec"
import type { Entry, Snippet } from "@gong/spec"
import { nodeDisk } from "@gong/tape/file"
import { type Found, type Hit, scanTapes } from "@gong/tape/index"
import { storedSessions } from "../../build/tape.ts"
import { ok, type Outcome, usage } from "../../config/usage.ts"
import { shortId } from "../../session/find.ts"
import { filledUp, fitted, table } from "../../terminal/table.ts"
import type { Style } from "../../terminal/style.ts"
import type { Answer, Asked } from "./answer.ts"
import { unreadLine, unreadOf, when } from "./list.ts"
import type { Translate } from "../../texts/translator.ts"

/** Milliseconds for reading what is new before a search. */
const readingTime = 10_000
/** Milliseconds for a search without the index. */
const scanTime = 60_000
const maxHits = 20

/** `gong sessions search WORD... [--all] [--substring]`. */
export function searchSessions(asked: Asked, question: string): Outcome<Answer> {
  if (asked.options.substring === true) return scanned(asked, question)
  const { place, options, index, world } = asked
  const { behind } = index.catchUp(readingTime)
  const here = options.all === true ? {} : { workspace: place.workspace.folder }
  const found = index.search(question, { ...here, limit: maxHits })
  if (found === null) {
    return usage(phrase`there is no letter and no digit in "${question}". --substring finds any characters.`)
  }
  const unread = unreadOf(place.home, behind)
  const json = { hits: found.hits.map(jsonOf), total: found.total, more: found.more, unread }
  if (found.hits.length > 0)
    return ok({ text: lines([...grouped(world.t, found, world.style), ...unreadLine(world.t, unread)]), json })
  const elsewhere = options.all === true ? 0 : (index.search(question, { limit: 1 })?.total ?? 0)
  const more = elsewhere > 0 ? world.t` (${elsewhere} found elsewhere: gong sessions search --all ${question})` : ""
  const tip = elsewhere > 0 ? "" : world.t` --substring also looks inside words.`
  const where = options.all === true ? "" : world.t` in ${place.workspace.folder}`
  return ok({
    text: lines([world.style.line(world.t`Nothing found${where}${more}.${tip}`), ...unreadLine(world.t, unread)]),
    json,
  })
}

/** The sessions in the order of their best hit, each with its hits. */
function grouped(t: Translate, { hits, total, more }: Found, style: Style): readonly string[] {
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

function hitLine(t: Translate, { entry, snippet }: Pick<Hit, "entry" | "snippet">, style: Style): string {
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

function jsonOf({ entry, ...hit }: Hit) {
  return { ...hit, entry: entry.id, type: entry.type, time: entry.timestamp, role: whose(entry) }
}

/** Reads the tapes themselves, newest first: also finds what stands inside words, and says what it took. */
function scanned({ place, options, world }: Asked, wanted: string): Outcome<Answer> {
  const all = storedSessions(place)
  const some = options.all === true ? all : all.filter(({ info }) => info.workspace === place.workspace.folder)
  const paths = some.map(({ path }) => path)
  const bounds = { limit: maxHits, milliseconds: scanTime }
  const result = scanTapes({ disk: nodeDisk(), clock: place.clock }, paths, wanted, bounds)
  const ids = new Map(some.map(({ path, id }) => [path, id]))
  const hits = result.hits.map(({ path, entry, snippet }) => ({ session: ids.get(path) ?? path, path, entry, snippet }))
  const rows = hits.map((hit) => `${world.style.strong(shortId(hit.session))}${hitLine(world.t, hit, world.style)}`)
  const size = (result.bytes / 1e6).toFixed(1)
  const end = world.t`Read ${result.tapes} of ${paths.length} sessions (${size} MB) without the index.${result.more ? world.t` There may be more.` : ""}`
  const json = {
    hits: hits.map(({ entry, ...hit }) => ({
      ...hit,
      entry: entry.id,
      type: entry.type,
      time: entry.timestamp,
      role: whose(entry),
    })),
    read: { sessions: result.tapes, bytes: result.bytes },
    more: result.more,
  }
  return ok({ text: lines([...rows, ...(rows.length === 0 ? [world.t`Nothing found.`] : []), end]), json })
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`
}

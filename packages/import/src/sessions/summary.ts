import { table, truncate } from "@gong/texts/table"
import type { Translate } from "@gong/texts/translator"
import type { SummaryOptions } from "../summary.ts"
import type { SessionOutcome } from "./outcome.ts"

/** Conversations listed in each part; the rest is counted. */
const maxRows = 50
/** Columns of a title and of a folder, so that a row has at most 100. */
const titleColumns = 34
const folderColumns = 30

/** The list of imported, already stored and skipped conversations, with counts of unsupported content. */
export function sessionsSummary(
  t: Translate,
  done: readonly SessionOutcome[],
  { dry, userHome }: SummaryOptions,
): string {
  const of = (state: SessionOutcome["state"]) => done.filter((one) => one.state === state)
  const imported = of("import")
  const lines = [
    ...part(t, dry ? t`would be imported` : t`imported`, imported, (one) => rowOf(t, one, userHome)),
    ...part(t, t`already present`, of("present"), (one) => rowOf(t, one, userHome)),
    ...part(t, t`not imported`, of("skipped"), (one) => [short(one.file, userHome, 64), reasonText(t, one)]),
    ...untakenLines(t, imported),
  ]
  const nothing = dry ? t`Nothing was written (--dry-run).` : t`Nothing was written.`
  const end =
    dry || imported.length === 0 ? nothing : t`gong sessions --all lists them; gong --session ID continues one.`
  return `${[...lines, end].join("\n")}\n`
}

function part(
  t: Translate,
  title: string,
  some: readonly SessionOutcome[],
  row: (one: SessionOutcome) => readonly string[],
): readonly string[] {
  if (some.length === 0) return []
  const rows = table(some.slice(0, maxRows).map((one) => row(one).map((text) => ({ text }))))
  const rest = some.length > maxRows ? [`  ${t`${some.length - maxRows} more`}`] : []
  return [t`${title} (${some.length})`, ...rows.map((line) => `  ${line}`), ...rest, ""]
}

function rowOf(t: Translate, { created, cwd, title, ...counts }: SessionOutcome, userHome: string): readonly string[] {
  const day = created === null || created.startsWith("1970") ? "-" : created.slice(0, 10)
  return [day, short(cwd ?? "-", userHome, folderColumns), truncate(title ?? "-", titleColumns), countsText(t, counts)]
}

function countsText(
  t: Translate,
  { messages, calls, images, branches }: Pick<SessionOutcome, "messages" | "calls" | "images" | "branches">,
): string {
  const more = [...(images > 0 ? [t`${images} img`] : []), ...(branches > 0 ? [t`${branches} br`] : [])]
  return [t`${messages} msg`, t`${calls} calls`, ...more].join(" ")
}

/** The end of a path says most. */
function short(path: string, userHome: string, columns: number): string {
  const text = path.replace(`${userHome}/`, "~/")
  return text.length <= columns ? text : `...${text.slice(3 - columns)}`
}

function reasonText(t: Translate, { reason }: SessionOutcome): string {
  switch (reason) {
    case "empty":
      return t`no messages`
    case "sub-agent":
      return t`of a sub-agent`
    case "invalid":
      return t`no conversation`
    default:
      return t`unreadable or too large`
  }
}

/** What was not taken of all imported conversations, by kind. */
function untakenLines(t: Translate, imported: readonly SessionOutcome[]): readonly string[] {
  const sums = new Map<string, number>()
  for (const { untaken } of imported)
    for (const [kind, count] of Object.entries(untaken)) sums.set(kind, (sums.get(kind) ?? 0) + count)
  if (sums.size === 0) return []
  const rows = [...sums]
    .toSorted((a, b) => b[1] - a[1])
    .map(([kind, count]) => [{ text: `${count}`, right: true as const }, { text: kind }])
  return [t`not taken of them`, ...table(rows).map((line) => `  ${line}`), ""]
}

/** The same for programs. */
export function sessionsJson(done: readonly SessionOutcome[], from: string, dryRun: boolean): string {
  const of = (state: SessionOutcome["state"]) =>
    done.filter((one) => one.state === state).map(({ state: _, ...one }) => one)
  return `${JSON.stringify({ from, dryRun, taken: of("import"), there: of("present"), left: of("skipped") })}\n`
}

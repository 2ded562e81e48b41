import { englishOf } from "@gong/spec"
import type { ImportOutcome } from "./apply.ts"
import { table } from "@gong/texts/table"
import type { Translate } from "@gong/texts/translator"

export interface SummaryOptions {
  readonly dry: boolean
  /** Files of the user's home are shown with `~`. */
  readonly userHome: string
}

/** The summary for users: what was imported, already present, or not understood. */
export function importSummary(t: Translate, done: readonly ImportOutcome[], { dry, userHome }: SummaryOptions): string {
  const short = (text: string): string => text.replaceAll(`${userHome}/`, "~/")
  const rows = (state: ImportOutcome["state"]): readonly string[] =>
    table(
      done
        .filter((one) => one.state === state)
        .map((one) => [
          t(one.area),
          t.text(one.what),
          short(one.state === "take" ? takenText(t, one) : `${one.from}: ${t.text(one.reason)}`),
        ])
        .map((cells) => cells.map((text) => ({ text }))),
    )
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [t`${title} (${lines.length})`, ...lines.map((line) => `  ${line}`), ""]
  const taken = rows("take")
  const end = dry
    ? t`Nothing was written. Without --dry-run it is.`
    : taken.length === 0
      ? t`Nothing was written.`
      : null
  const lines = [
    ...part(dry ? t`would be taken` : t`taken`, taken),
    ...part(t`already there`, rows("there")),
    ...part(t`not taken`, rows("left")),
    ...(end === null ? [] : [end]),
  ]
  return `${lines.join("\n").trimEnd()}\n`
}

function takenText(t: Translate, { to, note }: Extract<ImportOutcome, { state: "take" }>): string {
  return note === null ? to : t`${to} (${note})`
}

/** The same for programs. */
export function importJson(done: readonly ImportOutcome[], from: string, dry: boolean): string {
  const plain = done.map((one) => ({
    ...one,
    what: englishOf(one.what),
    ...("reason" in one && { reason: englishOf(one.reason) }),
    ...("note" in one && { note: one.note && englishOf(one.note) }),
  }))
  const of = (state: ImportOutcome["state"]) => plain.filter((one) => one.state === state)
  const value = {
    from,
    dryRun: dry,
    taken: of("take").map((one) =>
      one.state === "take" ? { area: one.area, what: one.what, from: one.from, to: one.to, note: one.note } : one,
    ),
    there: of("there").map(({ state: _, ...one }) => one),
    left: of("left").map(({ state: _, ...one }) => one),
  }
  return `${JSON.stringify(value)}\n`
}

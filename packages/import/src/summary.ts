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
          short(one.state === "import" ? importedText(t, one) : `${one.from}: ${t.text(one.reason)}`),
        ])
        .map((cells) => cells.map((text) => ({ text }))),
    )
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [t`${title} (${lines.length})`, ...lines.map((line) => `  ${line}`), ""]
  const imported = rows("import")
  const end = dry ? t`Nothing was written (--dry-run).` : imported.length === 0 ? t`Nothing was written.` : null
  const lines = [
    ...part(dry ? t`would be imported` : t`imported`, imported),
    ...part(t`already present`, rows("present")),
    ...part(t`not imported`, rows("skipped")),
    ...(end === null ? [] : [end]),
  ]
  return `${lines.join("\n").trimEnd()}\n`
}

function importedText(t: Translate, { to, note }: Extract<ImportOutcome, { state: "import" }>): string {
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
    taken: of("import").map((one) =>
      one.state === "import" ? { area: one.area, what: one.what, from: one.from, to: one.to, note: one.note } : one,
    ),
    there: of("present").map(({ state: _, ...one }) => one),
    left: of("skipped").map(({ state: _, ...one }) => one),
  }
  return `${JSON.stringify(value)}\n`
}

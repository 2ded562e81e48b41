import {
  type Artifacts,
  type Clock,
  type NewEntry,
  type Notification,
  phrase,
  type Phrase,
  textNotification,
  type ChangeDetector,
} from "@gong/spec"
import { withoutSecrets } from "@gong/loop"
import { cutType } from "./open-changes.ts"

export interface CommandChangesDeps {
  readonly detector: ChangeDetector
  readonly clock: Clock
  readonly artifacts: Artifacts
  redact(text: string): string
  isReadOnly(tool: string): boolean
  write(entries: readonly NewEntry[]): void
  notify(notification: Notification): void
}

/** Puts on the tape what commands changed, while the next request is under way. */
export interface CommandChanges {
  /** To be awaited before these entries are written: nothing changes, and no run ends, before what a command did is known. */
  before(entries: readonly NewEntry[]): Promise<void> | null
  after(entries: readonly NewEntry[]): void
}

/** Milliseconds after a result when the look begins: by then the next request has left. */
const afterRequest = 20

export function commandChanges(parts: CommandChangesDeps): CommandChanges {
  const { detector } = parts
  let cancel: (() => void) | null = null
  let looking: Promise<void> | null = null
  let told: string | null = null

  const look = async (): Promise<void> => {
    const { changes, cut } = await detector.scan()
    const entries: NewEntry[] = []
    for (const change of changes) entries.push({ type: "change", ...(await withoutSecrets(parts, change)) })
    if (cut !== null && cut !== told) {
      told = cut
      entries.push({ type: "custom", customType: cutType, data: cut })
      parts.notify(textNotification("undo", "info", cutText(cut)))
    }
    if (entries.length > 0) parts.write(entries)
  }
  const begin = (): Promise<void> => {
    cancel?.()
    cancel = null
    looking ??= look().finally(() => (looking = null))
    // Whoever waits for it hears of a failure; until then it is nobody's.
    looking.catch(() => undefined)
    return looking
  }
  return {
    before(entries) {
      const atEnd = entries.some(({ type }) => type === "run_end")
      if (!atEnd && !entries.some((entry) => changesThings(entry, parts))) return null
      return looking ?? (detector.isDue(atEnd) ? begin() : null)
    },
    after(entries) {
      for (const entry of entries) if (entry.type === "change") detector.expectChange(entry.path)
      if (looking !== null || cancel !== null || !entries.some(isResult) || !detector.isDue(false)) return
      cancel = parts.clock.timer(afterRequest, () => void begin().catch(() => undefined))
    },
  }
}

function changesThings(entry: NewEntry, { isReadOnly }: CommandChangesDeps): boolean {
  return entry.type === "change" || (entry.type === "tool_start" && !isReadOnly(entry.name))
}

function isResult(entry: NewEntry): boolean {
  return entry.type === "message" && entry.message.role === "tool"
}

function cutText(cut: string): Phrase {
  return phrase`not every change that commands make in this workspace can be undone: ${cut}`
}

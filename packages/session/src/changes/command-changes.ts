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
import { isReadOnly, type SessionCore } from "../core.ts"
import type { SessionDeps } from "../deps.ts"
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

/** Writes the changes that commands made to the tape, while the next request is in progress. */
export interface CommandChanges {
  /**
   * To be awaited before these entries are written: what a command changed is known before the next change and before the end of
   * the run. Null: nothing to wait for.
   */
  before(entries: readonly NewEntry[]): Promise<void> | null
  after(entries: readonly NewEntry[]): void
}

/** The recorder of one session; null where the session has no change detector. */
export function sessionCommandChanges(deps: SessionDeps, { tape, writer, notify }: SessionCore): CommandChanges | null {
  const { changeDetector: detector, clock } = deps
  if (detector === null) return null
  return commandChanges({
    detector,
    clock,
    artifacts: tape.store.artifacts,
    redact: (text) => deps.redact(text),
    isReadOnly: (tool) => isReadOnly(deps, tool),
    write: writer.write,
    notify,
  })
}

/** Milliseconds from a result to the scan: the next request has been sent by then. */
const scanDelay = 20

export function commandChanges(deps: CommandChangesDeps): CommandChanges {
  const { detector } = deps
  let cancel: (() => void) | null = null
  let scanning: Promise<void> | null = null
  let reported: string | null = null

  const scan = async (): Promise<void> => {
    const { changes, cut } = await detector.scan()
    const entries: NewEntry[] = []
    for (const change of changes) entries.push({ type: "change", ...(await withoutSecrets(deps, change)) })
    if (cut !== null && cut !== reported) {
      reported = cut
      entries.push({ type: "custom", customType: cutType, data: cut })
      deps.notify(textNotification("undo", "info", cutText(cut)))
    }
    if (entries.length > 0) deps.write(entries)
  }
  const begin = (): Promise<void> => {
    cancel?.()
    cancel = null
    scanning ??= scan().finally(() => (scanning = null))
    // A failure is reported to the caller that waits, if there is one.
    scanning.catch(() => undefined)
    return scanning
  }
  return {
    before(entries) {
      const atEnd = entries.some(({ type }) => type === "run_end")
      if (!atEnd && !entries.some((entry) => mayChangeFiles(entry, deps))) return null
      return scanning ?? (detector.isDue(atEnd) ? begin() : null)
    },
    after(entries) {
      for (const entry of entries) if (entry.type === "change") detector.expectChange(entry.path)
      if (scanning !== null || cancel !== null || !entries.some(isResult) || !detector.isDue(false)) return
      cancel = deps.clock.timer(scanDelay, () => void begin().catch(() => undefined))
    },
  }
}

function mayChangeFiles(entry: NewEntry, { isReadOnly }: CommandChangesDeps): boolean {
  return entry.type === "change" || (entry.type === "tool_start" && !isReadOnly(entry.name))
}

function isResult(entry: NewEntry): boolean {
  return entry.type === "message" && entry.message.role === "tool"
}

function cutText(cut: string): Phrase {
  return phrase`not every change that commands make in this workspace can be undone: ${cut}`
}

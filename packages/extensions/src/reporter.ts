import {
  isTextNotification,
  clauseOf,
  type Notification,
  phrase,
  type Phrase,
  type Text,
  textNotification,
  type Diagnostic,
  diagnosticPhrase,
} from "@gong/spec"
import type { Problem, WorkerExtension } from "./protocol.ts"

/** An event of the thread that answers no call. `extension` is null if unknown. */
export type ThreadEvent =
  | {
      readonly kind: "notice"
      readonly extension: WorkerExtension
      readonly level: "info" | "warn"
      readonly text: string
    }
  | { readonly kind: "printed"; readonly extension: WorkerExtension | null; readonly text: string }
  | { readonly kind: "unhandled"; readonly extension: WorkerExtension | null; readonly problem: Problem }
  /**
   * The extension is off from now on. `gate`: its gate refuses calls meanwhile. `load`: the outcome of its load; null
   * if it had been loaded.
   */
  | {
      readonly kind: "off"
      readonly extension: WorkerExtension
      readonly problem: Problem
      readonly gate: boolean
      readonly load: FailedLoad | null
    }

/** It threw; it timed out; it timed out last time and was not started again. */
export type FailedLoad = "threw" | "timeout" | "known-timeout"

/** Maximum notifications per extension and session, by kind. The last one says that more are omitted. */
const most = { printed: 20, notice: 100, problem: 50 } as const
/** Maximum stack frames shown. */
const maxFrames = 5

export interface ExtensionReporter {
  add(event: ThreadEvent): void
  /** A line about the extensions of this session. */
  notify(text: Text): void
  /** A line of the answer to a command. */
  answer(text: string): void
  /** Sends stored notifications, and all later ones, to `receiver`. */
  sendTo(receiver: (notification: Notification) => void): void
  /** Removes the stored lines and diagnostics of extensions. */
  take(): { readonly lines: readonly Text[]; readonly diagnostics: readonly Diagnostic[] }
}

/** Turns events of the thread into notifications, and stores them until they are taken. */
export function createExtensionReporter(): ExtensionReporter {
  const waiting: { readonly notification: Notification; readonly diagnostic: Diagnostic | undefined }[] = []
  const partialLines = new Map<number | null, string>()
  let send = (notification: Notification, diagnostic?: Diagnostic): void =>
    void waiting.push({ notification, diagnostic })
  const counts = new Map<string, number>()
  // Counted per extension, so that a noisy one cannot hide problems of another.
  const report = (kind: keyof typeof most, from: WorkerExtension | null, line: Line): void => {
    const key = `${kind} ${from?.id ?? ""}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count > most[kind]) return
    const text = count === most[kind] ? phrase`${line.text} (More is left out.)` : line.text
    send(textNotification("extension", line.level, text), line.diagnostic)
  }
  const problem = (from: WorkerExtension | null, diagnostic: Diagnostic): void =>
    report("problem", from, { level: "warn", text: diagnosticPhrase(diagnostic), diagnostic })
  const printed = (extension: WorkerExtension | null, text: string): void => {
    const key = extension?.id ?? null
    const lines = ((partialLines.get(key) ?? "") + text).split("\n")
    partialLines.set(key, lines.pop() ?? "")
    for (const line of lines)
      if (line.trim() !== "")
        report("printed", extension, { level: "info", text: phrase`${nameOf(extension)} printed: ${line}` })
  }
  return {
    add(event) {
      switch (event.kind) {
        case "notice":
          return report("notice", event.extension, {
            level: event.level,
            text: `${event.extension.name}: ${event.text}`,
          })
        case "printed":
          return printed(event.extension, event.text)
        case "unhandled":
          return problem(
            event.extension,
            problemOf(event.extension, event.problem, phrase`No call awaited this; catch it there.`),
          )
        case "off":
          return problem(event.extension, problemOf(event.extension, event.problem, offText(event)))
      }
    },
    notify: (text) => send(textNotification("extension", "info", text)),
    answer: (text) => send({ code: "command", level: "info", text }),
    sendTo(receiver) {
      send = receiver
      for (const { notification } of waiting.splice(0)) receiver(notification)
    },
    take() {
      const taken = waiting.splice(0)
      return {
        lines: taken.flatMap(({ notification, diagnostic }) =>
          diagnostic === undefined && isTextNotification(notification)
            ? [notification.phrase ?? notification.text]
            : [],
        ),
        diagnostics: taken.flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [diagnostic])),
      }
    },
  }
}

interface Line {
  readonly level: "info" | "warn"
  readonly text: Text
  readonly diagnostic?: Diagnostic
}

function offText({ extension: { name }, gate, load }: Extract<ThreadEvent, { kind: "off" }>): Phrase {
  const off = gate
    ? phrase`The extension ${name} is off, and calls that it would judge are refused. Mend it; /reload loads it again; or do without it: "extensions": { "${name}": false } in the settings.`
    : phrase`The extension ${name} is off. Mend it; /reload loads it again.`
  if (load !== "known-timeout") return off
  return phrase`That was the last time; since it has not changed, no start waits for it again. ${off}`
}

/** The problem and its advice, followed by stack frames in the extension's files. */
function problemOf(extension: WorkerExtension | null, { message, stack, ...at }: Problem, remedy: Phrase): Diagnostic {
  const path = at.path ?? extension?.path ?? "an extension"
  const frames = framesOf(stack)
  // The thrown message may end with punctuation.
  const text =
    typeof message === "string" && /[!?]$/.test(message)
      ? phrase`${message} ${remedy}${frames}`
      : phrase`${clauseOf(message)}. ${remedy}${frames}`
  return { type: "error", path, line: at.line, text }
}

/** Stack frames in files, one per line. Frames of Node and of Gong's own thread do not help the author. */
function framesOf(stack: string): string {
  const frames = stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !/node:|extensions\/src\/worker\/|\/dist\/extensions\.cjs:/.test(line))
  return frames
    .slice(0, maxFrames)
    .map((line) => `\n    ${line.trim().replace("file://", "")}`)
    .join("")
}

function nameOf(extension: WorkerExtension | null): Text {
  return extension === null ? phrase`an extension` : extension.name
}

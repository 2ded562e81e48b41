import { appendFileSync, mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Clock, type Model, phrase, textNotification, type Tool, type Transport } from "@gong/spec"
import { recordingFile, type RecordedSettings, type ToolTraits } from "../../record/lines.ts"
import { recorder } from "../../record/recorder.ts"
import type { Session, SessionDeps } from "@gong/session/session"
import type { KeyRing } from "../keys/keys.ts"

/** The network, as a session uses it. */
export interface SessionNetwork {
  over(model: Model): Transport
  /** The same, of which nothing is recorded. */
  unrecorded(model: Model): Transport
  /** The session stands: from here on it is recorded, where the user wants that. */
  begin(parts: SessionDeps, session: Session): void
  close(): void
}

export interface RecordingDeps {
  /** Of the session; null: it is not kept. */
  readonly folder: string | null
  readonly keys: Pick<KeyRing, "secrets" | "redact">
  readonly silence: RecordedSettings["silence"]
  readonly clock: Clock
  /** The way to a model that is not asked over the network; null: it is. */
  inside(model: Model): Transport | null
}

/** The network with a recording of it among the session's artifacts. */
export function recordingNetwork(
  network: Pick<SessionNetwork, "over" | "close">,
  folder: string,
  place: RecordingDeps,
): SessionNetwork {
  const { keys, clock, silence } = place
  const path = join(folder, "artifacts", recordingFile)
  const made = recorder({ over: network.over, file: fileAt(path), clock, keys: keys.secrets, redact: keys.redact })
  return {
    over: made.over,
    unrecorded: network.over,
    begin(parts, session) {
      const told = (why: string): void => {
        session.notify(textNotification("recording", "warn", phrase`the recording of this session ends here: ${why}`))
      }
      made.begin({ leaf: () => parts.tape.leaf ?? "", set: () => setOf(parts, silence), ended: told })
    },
    close() {
      made.flush()
      network.close()
    },
  }
}

function fileAt(path: string) {
  let made = false
  return {
    size: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    append(text: string): void {
      if (!made) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      made = true
      appendFileSync(path, text, { mode: 0o600 })
    },
  }
}

function setOf(parts: SessionDeps, silence: RecordedSettings["silence"]): RecordedSettings {
  const { limits, strict, toolExecution, hooks } = parts
  const { retry, queue, compaction } = parts.settings()
  const { auto, reserveTokens, keepTokens } = compaction
  return {
    tools: parts.tools().map(traitsOf),
    limits: { ...limits },
    strict,
    toolExecution,
    retry: { count: retry.count, baseMs: retry.baseMs },
    queue,
    compaction: { auto, reserveTokens, keepTokens },
    silence,
    hooks: hooks.filter(({ onContext }) => onContext !== undefined).length,
  }
}

function traitsOf({ name, readOnly, interruptible, recordsChanges, keepsTime, effect, paths }: Tool): ToolTraits {
  const declared = { ...(effect && { effect }), ...(paths && { paths }) }
  const marks = { recordsChanges: recordsChanges === true, keepsTime: keepsTime === true }
  return { name, readOnly, interruptible, ...marks, ...declared }
}

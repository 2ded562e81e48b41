import { appendFileSync, mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Clock, type Model, phrase, textNotification, type Tool, type Transport } from "@gong/spec"
import { recordingFile, type RecordedSettings, type ToolTraits } from "../../record/lines.ts"
import { recorder } from "../../record/recorder.ts"
import type { Session, SessionDeps } from "@gong/session/session"
import type { KeyRing } from "../keys/keys.ts"

/** The network of one session. */
export interface SessionNetwork {
  over(model: Model): Transport
  /** The same network without recording. */
  unrecorded(model: Model): Transport
  /** Starts the recording, if it is turned on. */
  attach(deps: SessionDeps, session: Session): void
  close(): void
}

export interface RecordingDeps {
  /** The folder of the session; null for a session in memory. */
  readonly folder: string | null
  readonly keys: Pick<KeyRing, "secrets" | "redact">
  readonly silence: RecordedSettings["silence"]
  readonly clock: Clock
  /** The transport of a model that an extension serves; null: the network. */
  customTransport(model: Model): Transport | null
}

/** The network with a recording among the artifacts of the session. */
export function recordingNetwork(
  network: Pick<SessionNetwork, "over" | "close">,
  folder: string,
  deps: RecordingDeps,
): SessionNetwork {
  const { keys, clock, silence } = deps
  const path = join(folder, "artifacts", recordingFile)
  const recording = recorder({
    transport: network.over,
    file: fileAt(path),
    clock,
    keys: keys.secrets,
    redact: keys.redact,
  })
  return {
    over: recording.over,
    unrecorded: network.over,
    attach(sessionDeps, session) {
      const ended = (why: string): void => {
        session.notify(textNotification("recording", "warn", phrase`the recording of this session ends here: ${why}`))
      }
      const { tape } = sessionDeps
      recording.begin({ leaf: () => tape.leaf ?? "", settings: () => settingsOf(sessionDeps, silence), ended })
    },
    close() {
      recording.flush()
      network.close()
    },
  }
}

function fileAt(path: string) {
  let folderExists = false
  return {
    size: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    append(text: string): void {
      if (!folderExists) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      folderExists = true
      appendFileSync(path, text, { mode: 0o600 })
    },
  }
}

function settingsOf(deps: SessionDeps, silence: RecordedSettings["silence"]): RecordedSettings {
  const { limits, strict, toolExecution, hooks } = deps
  const { retry, queue, compaction } = deps.settings()
  const { auto, reserveTokens, keepTokens } = compaction
  return {
    tools: deps.tools().map(traitsOf),
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

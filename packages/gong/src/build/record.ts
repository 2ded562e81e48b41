import { appendFileSync, mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { phrase, textNotification, type Tool } from "@gong/spec"
import { recordingFile, type SessionSet, type ToolTraits } from "../record/lines.ts"
import { recorder } from "../record/recorder.ts"
import type { SessionDeps } from "../session/session.ts"
import type { RecordPlace, SessionNetwork } from "./transport.ts"

/** The network with a recording of it among the session's artifacts. */
export function recordedNetwork(
  network: Pick<SessionNetwork, "over" | "close">,
  folder: string,
  place: RecordPlace,
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

function setOf(parts: SessionDeps, silence: SessionSet["silence"]): SessionSet {
  const { limits, strict, toolExecution, retry, queue, compaction, hooks } = parts
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

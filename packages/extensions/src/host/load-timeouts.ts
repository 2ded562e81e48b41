import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isPhrase, isRecord } from "@gong/spec"
import { filesOf } from "../failed-gate.ts"
import { digestOf, readKept, setKey, textOf } from "./memory.ts"
import type { Problem, WorkerBegin, WorkerExtension } from "../protocol.ts"

/** Remembers extensions whose load timed out, so that no later start waits for them. Never fails. */
export interface LoadTimeouts {
  /** The problem of its last load; null if there was none, or if the extension has changed since. */
  recall(extension: WorkerExtension): Problem | null
  keep(extension: WorkerExtension, problem: Problem): void
  forget(extension: WorkerExtension): void
}

/** Stored beside the compiled copies, one file per extension; without such a folder nothing is remembered. */
export function loadTimeouts(begin: WorkerBegin, node: string): LoadTimeouts {
  const { cache } = begin
  if (cache === null) return { recall: () => null, keep: () => undefined, forget: () => undefined }
  const fileOf = (extension: WorkerExtension): string => join(cache, `late-${setKey(begin, [extension], node)}.json`)
  return {
    recall(extension) {
      const late = readKept(fileOf(extension))
      return isLate(late) && late.files.every(([path, digest]) => digestIn(path) === digest) ? late.problem : null
    },
    keep(extension, problem) {
      // An imported file that contains an endless loop is named by the problem only.
      const paths = new Set([...filesOf(extension.path), ...(problem.path === null ? [] : [problem.path])])
      const files = [...paths].map((path) => [path, digestIn(path)] as const)
      attempt(() =>
        writeFileSync(fileOf(extension), JSON.stringify({ files, problem } satisfies Late), { mode: 0o600 }),
      )
    },
    forget: (extension) => attempt(() => rmSync(fileOf(extension), { force: true })),
  }
}

interface Late {
  /** Its files with a digest of their content; null if unreadable. */
  readonly files: readonly (readonly [path: string, digest: string | null])[]
  readonly problem: Problem
}

function isLate(value: unknown): value is Late {
  if (!isRecord(value) || !isRecord(value["problem"])) return false
  const { files, problem } = value
  const { message, stack } = problem
  const isProblem =
    (typeof message === "string" || (isRecord(message) && isPhrase(message))) && typeof stack === "string"
  return isProblem && Array.isArray(files) && files.every((pair) => Array.isArray(pair) && pair.length === 2)
}

function digestIn(path: string): string | null {
  const text = textOf(path)
  return text === null ? null : digestOf(text)
}

/** If it cannot be stored, the next start times out again. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    return
  }
}

import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isPhrase, isRecord } from "@gong/spec"
import { filesOf } from "../failed-gate.ts"
import { digestOf, readCacheFile, setKey, textOf } from "./memory.ts"
import type { Problem, WorkerBegin, WorkerExtension } from "../protocol.ts"

/** Remembers extensions whose load timed out, so that no later start waits for them. Never fails. */
export interface LoadTimeouts {
  /** The problem of its last load; null if there was none, or if the extension has changed since. */
  get(extension: WorkerExtension): Problem | null
  set(extension: WorkerExtension, problem: Problem): void
  delete(extension: WorkerExtension): void
}

/** Stored beside the compiled copies, one file per extension; without such a folder nothing is remembered. */
export function loadTimeouts(begin: WorkerBegin, node: string): LoadTimeouts {
  const { cache } = begin
  if (cache === null) return { get: () => null, set: () => undefined, delete: () => undefined }
  const fileOf = (extension: WorkerExtension): string => join(cache, `late-${setKey(begin, [extension], node)}.json`)
  return {
    get(extension) {
      const late = readCacheFile(fileOf(extension))
      return isStoredTimeout(late) && late.files.every(([path, digest]) => digestIn(path) === digest)
        ? late.problem
        : null
    },
    set(extension, problem) {
      // An imported file that contains an endless loop is named by the problem only.
      const paths = new Set([...filesOf(extension.path), ...(problem.path === null ? [] : [problem.path])])
      const files = [...paths].map((path) => [path, digestIn(path)] as const)
      ignoreErrors(() =>
        writeFileSync(fileOf(extension), JSON.stringify({ files, problem } satisfies StoredTimeout), { mode: 0o600 }),
      )
    },
    delete: (extension) => ignoreErrors(() => rmSync(fileOf(extension), { force: true })),
  }
}

interface StoredTimeout {
  /** Its files with a digest of their content; null if unreadable. */
  readonly files: readonly (readonly [path: string, digest: string | null])[]
  readonly problem: Problem
}

function isStoredTimeout(value: unknown): value is StoredTimeout {
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
function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    return
  }
}

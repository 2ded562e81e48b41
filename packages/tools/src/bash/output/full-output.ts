import { openSpill, temporarySpillPath, type Spill } from "../../host/spill.ts"
import { codeOf } from "../../result.ts"

/** The complete output, moved to a file when it exceeds a threshold. */
export interface FullOutput {
  /** The caller reuses the bytes after the call. */
  add(bytes: Uint8Array): void
  /** The current state. With `needed` a file is created even below the threshold. */
  look(needed: boolean): Promise<OutputFile>
  end(needed: boolean): Promise<OutputFile>
  /** Ends and removes the file. */
  discard(): Promise<void>
}

export interface OutputFile {
  readonly path?: string
  /** Why the file could not be written. */
  readonly unsaved?: string
  /** Bytes missing from the file, or not written yet. */
  readonly leftOut: number
}

/** Buffers the output in memory up to the threshold, then writes it to a file. A disk error never ends the command. */
export function collectFullOutput(
  threshold: number,
  spillPath: () => Promise<string> = async () => temporarySpillPath(),
): FullOutput {
  let waiting: Uint8Array[] = []
  let total = 0
  let opening: Promise<void> | undefined
  let spill: Spill | undefined
  let unsaved: string | undefined

  const guarded = (work: () => void) => {
    try {
      work()
    } catch (error) {
      unsaved = codeOf(error) ?? "the disk refused it"
      waiting = []
    }
  }
  const open = async () => {
    const path = await spillPath().catch((error: unknown) => void (unsaved = codeOf(error) ?? "the disk refused it"))
    guarded(() => {
      if (path === undefined) return
      spill = openSpill(path)
      for (const bytes of waiting) spill.add(bytes)
    })
    waiting = []
  }
  const discard = async () => {
    await opening
    guarded(() => spill?.discard())
  }
  const settled = async (needed: boolean, ask: (spill: Spill) => number): Promise<OutputFile> => {
    if (needed) opening ??= open()
    await opening
    let leftOut = 0
    guarded(() => (leftOut = spill === undefined ? 0 : ask(spill)))
    if (unsaved === undefined) return { ...(spill && { path: spill.path }), leftOut }
    await discard()
    return { unsaved, leftOut: 0 }
  }

  return {
    add(bytes) {
      total += bytes.length
      if (unsaved !== undefined) return
      if (spill !== undefined) return guarded(() => spill?.add(bytes))
      waiting.push(new Uint8Array(bytes))
      if (total > threshold) opening ??= open()
    },
    look: (needed) => settled(needed, (one) => one.waiting()),
    end: (needed) => settled(needed, (one) => one.end()),
    discard,
  }
}

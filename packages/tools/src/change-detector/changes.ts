import {
  type Artifacts,
  type ChangeBody,
  type Clock,
  type FileChange,
  type Host,
  type HostStat,
  noCopy,
} from "@gong/spec"
import { imageOf } from "../files/change-file.ts"
import { sha256 } from "../host/digest.ts"
import { countChanged, linesIn } from "../files/line-changes.ts"
import { relativeTo } from "../posix-path.ts"
import type { Copies, Known } from "./copies.ts"
import { statOf } from "./listing.ts"
import type { Runs } from "./runs.ts"

/** Larger files are not hashed after a change, so their changes cannot be undone. */
const MAX_AFTER_BYTES = 64 * 1024 * 1024
/** Files changed by commands that one scan keeps whatever the time: a busy process must not lose a usual change. */
const MIN_KEPT = 16
/** Files per scan whose content goes on the tape. More files are only reported as changed. */
const MAX_IMAGES = 2_000

/** The workspace as of the last scan. */
export interface State {
  readonly host: Host
  readonly artifacts: Artifacts
  readonly copies: Copies
  readonly known: Map<string, Known>
  /** Why only files changed by the session itself are tracked; null if all are. */
  readonly cut: string | null
}

export interface Difference {
  readonly path: string
  readonly before: Known | null
  readonly now: HostStat | null
}

/** Files that differ from the last scan. */
export async function differences(
  { host, known }: State,
  listed: ReadonlyMap<string, HostStat>,
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const [path, now] of listed) if (!known.has(path)) found.push({ path, before: null, now })
  for (const [path, before] of known) {
    // A file missing from the listing may still exist: an ignore file may name it now, or the listing was cut.
    const now = listed.get(path) ?? (await statOf(host, path))[1]
    if (now === null || !isUntouched(before.stat, now)) found.push({ path, before, now })
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function isUntouched(before: HostStat, now: HostStat): boolean {
  const { id, size, mtimeMs, ctimeMs } = before
  return now.id === id && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs
}

export interface ChangesOptions {
  readonly runs: Runs
  readonly cwd: string
  readonly clock: Clock
  /** Milliseconds. */
  readonly maxTime: number
}

export interface FoundChanges {
  readonly changes: readonly Omit<ChangeBody, "type">[]
  /** Why changes may be missing, as a sentence fragment; null if the list is complete. */
  readonly cut: string | null
}

/**
 * Changes made by commands, with the previous content. Also updates the known state. After `MIN_KEPT`
 * files, those for which no time is left are counted and known without a copy.
 */
export async function changesOf(
  state: State,
  found: readonly Difference[],
  { runs, cwd, clock, maxTime }: ChangesOptions,
): Promise<FoundChanges> {
  const { known, copies } = state
  const until = clock.now() + maxTime
  const withCall = found.map((one) => ({ ...one, callId: runs.callAt(one.now?.ctimeMs ?? null) }))
  const wanted = withCall.flatMap(({ path, before, callId }) =>
    before === null || callId === null ? [] : [[path, before] as const],
  )
  const images = await copies.load(wanted.slice(0, MAX_IMAGES))
  const changes: Omit<ChangeBody, "type">[] = []
  let byCommands = 0
  let left = 0
  for (const { path, before, now, callId } of withCall) {
    if (callId !== null) byCommands += 1
    const late = clock.now() > until && (callId === null || byCommands > MIN_KEPT)
    if (late && callId !== null) left += 1
    const change = late || callId === null ? null : await changeOf(state, { path, before, now }, images.get(path))
    if (change && callId !== null) {
      const file = { ...change.file, path: relativeTo(cwd, path) }
      changes.push({ callId, path, ...change.image, after: change.after, file })
    }
    // Updated whether or not a command changed it, since the next command starts from this state.
    if (now?.kind === "file") known.set(path, late ? { stat: now, copy: null } : await copies.keep(path, now))
    else known.delete(path)
  }
  return { changes, cut: left === 0 ? null : `commands changed ${left} more files than there was time to keep` }
}

interface FoundChange {
  readonly image: Pick<ChangeBody, "before" | "beforeText">
  readonly after: string | null
  readonly file: Omit<FileChange, "path">
}

/** Null if the content is unchanged. */
async function changeOf(
  { host, artifacts }: State,
  { path, before, now }: Difference,
  image: Uint8Array | undefined,
): Promise<FoundChange | null> {
  const bytes = now === null ? null : await contentOf(host, path, now)
  const isSame =
    image && bytes ? Buffer.compare(image, bytes) === 0 : before?.stat.size === now?.size && isSameTime(before, now)
  if (isSame) return null
  const after = bytes === null ? null : sha256(bytes)
  const change = before === null ? "created" : now === null ? "deleted" : "modified"
  // A change can be undone only if the content before and after is known.
  const isKnown = (before === null || image !== undefined) && (now === null || bytes !== null)
  if (!isKnown) return { image: { before: noCopy }, after, file: { change, added: 0, removed: 0 } }
  const lines =
    image && bytes
      ? countChanged(image, bytes)
      : { added: bytes ? linesIn(bytes) : 0, removed: image ? linesIn(image) : 0 }
  return { image: await imageOf(image ?? null, { artifacts }), after, file: { change, ...lines } }
}

/** Without a copy the modification time decides. A new mode or name leaves it unchanged. */
function isSameTime(before: Known | null, now: HostStat | null): boolean {
  return before !== null && now !== null && before.stat.mtimeMs === now.mtimeMs
}

async function contentOf(host: Host, path: string, { kind, size }: HostStat): Promise<Uint8Array | null> {
  if (kind !== "file" || size > MAX_AFTER_BYTES) return null
  return host.readRange(path, 0, size, { real: true }).catch(() => null)
}

import type { Artifacts, Clock, Host, Jobs, Tool, ChangeDetector } from "@gong/spec"
import type { Place } from "../paths.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import { changesOf, differences, type State } from "./changes.ts"
import { createCopies, firstCopies } from "./copies.ts"
import { listWorkspace, statOf } from "./listing.ts"
import { createRuns, type Runs } from "./runs.ts"
import { cleanFiles } from "./tracked.ts"

export interface ChangeDetectorOptions extends RipgrepOptions {
  /** Real path of the workspace. */
  readonly folder: string
  readonly place: Place
  host(): Promise<Host>
  readonly clock: Clock
  readonly jobs: Pick<Jobs, "running">
  /** Environment for git queries about the folder; null if git must not be used. */
  gitEnvironment(): Promise<Readonly<Record<string, string>> | null>
  /** Whether a command may change files. */
  mayWrite(command: string): boolean
  readonly limits?: Partial<ScanLimits>
}

export interface ScanLimits {
  readonly maxFiles: number
  /** Milliseconds for one listing, for the first copies, and for one git query. */
  readonly maxTime: number
  /** Milliseconds for reading and storing the changes of one scan. */
  readonly maxKeepTime: number
  /** Bytes of one copy, and of all copies of a session. */
  readonly maxFileBytes: number
  readonly maxBytes: number
}

const usual: ScanLimits = {
  maxFiles: 20_000,
  maxTime: 300,
  maxKeepTime: 1_000,
  maxFileBytes: 1024 * 1024,
  maxBytes: 64 * 1024 * 1024,
}

export interface WorkspaceChangeDetector extends ChangeDetector {
  /** Wraps a tool so that changes made by its calls can be found. */
  wrap(tool: Tool): Tool
}

/** Finds what commands changed in the workspace by comparing sizes and times before and after (docs/decisions). */
export function createChangeDetector(options: ChangeDetectorOptions): WorkspaceChangeDetector {
  const limits = { ...usual, ...options.limits }
  const runs = createRuns(options.jobs)
  /** Changed by the session's own tools: since the last scan, and ever. */
  const fresh = new Set<string>()
  const ours = new Set<string>()
  let first: Promise<State> | null = null

  const before = async (artifacts: Artifacts): Promise<void> => {
    const state = await (first ??= firstScan(options, limits, { artifacts, ours }))
    await refresh(state, fresh)
  }
  return {
    wrap: (tool) => ({ ...tool, execute: watched(tool, { options, runs, before }) }),
    expectChange(path) {
      fresh.add(path)
      ours.add(path)
    },
    isDue: runs.isDue,
    async scan() {
      if (first === null) return { changes: [], cut: null }
      const state = await first
      const running = runs.running()
      await refresh(state, fresh)
      const listing = state.cut === null ? await listWorkspace(state.host, { ...options, ...limits }) : null
      const found = await differences(state, listing?.files ?? new Map())
      const { cwd } = options.place
      const { changes, cut } = await changesOf(state, found, { ...options, runs, cwd, maxTime: limits.maxKeepTime })
      runs.scanned(running)
      return { changes, cut: state.cut ?? listing?.cut ?? cut }
    },
  }
}

interface Watching {
  readonly options: ChangeDetectorOptions
  readonly runs: Runs
  before(artifacts: Artifacts): Promise<void>
}

function watched(tool: Tool, { options, runs, before }: Watching): Tool["execute"] {
  return async (callId, args: Readonly<Record<string, unknown>>, context) => {
    if (args["job"] !== undefined) runs.jobRead()
    if (context.artifacts === undefined || !mayWrite(tool, args, options))
      return tool.execute(callId, args as never, context)
    await before(context.artifacts)
    const from = options.clock.now()
    const ended = (number: unknown): void => {
      const to = options.clock.now()
      runs.ended({ callId, from, to, job: typeof number === "number" ? number : null })
    }
    try {
      const result = await tool.execute(callId, args as never, context)
      ended(result.details?.["job"])
      return result
    } catch (error) {
      ended(null)
      throw error
    }
  }
}

/** A tool without a command argument may always write. */
function mayWrite(tool: Tool, args: Readonly<Record<string, unknown>>, options: ChangeDetectorOptions): boolean {
  if (tool.command === undefined) return true
  const command = args[tool.command]
  return typeof command === "string" && options.mayWrite(command)
}

/** The files before the first command, with copies of those that git does not hold. */
async function firstScan(
  options: ChangeDetectorOptions,
  limits: ScanLimits,
  { artifacts, ours }: { readonly artifacts: Artifacts; readonly ours: ReadonlySet<string> },
): Promise<State> {
  const host = await options.host()
  const place = { ...options, ...limits, host, artifacts }
  const copies = createCopies(place)
  const [listing, clean] = await Promise.all([listWorkspace(host, place), cleanFiles(place)])
  if (listing.cut === null)
    return { host, artifacts, copies, known: await firstCopies(listing.files, clean, copies, place), cut: null }
  const state: State = { host, artifacts, copies, known: new Map(), cut: listing.cut }
  await refresh(state, new Set(ours))
  return state
}

/** Changes of the session's own tools become part of the known state. */
async function refresh({ host, known, copies }: State, paths: Set<string>): Promise<void> {
  for (const path of paths) {
    const [, stat] = await statOf(host, path)
    if (stat?.kind === "file") known.set(path, await copies.keep(path, stat))
    else known.delete(path)
  }
  paths.clear()
}

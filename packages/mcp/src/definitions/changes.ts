import { isRecord } from "@gong/spec"
import type { ServerTool } from "./check-tools.ts"

/** The tools of a server that the user has seen, and what became of them. */
export interface PinnedTools {
  readonly tools: readonly ServerTool[]
  /** Pinned tools that the server has withdrawn since. If one comes back, it needs approval again. */
  readonly withdrawn: readonly string[]
}

export type ToolChange =
  | { readonly kind: "added" | "returned"; readonly tool: ServerTool }
  | { readonly kind: "changed"; readonly tool: ServerTool; readonly before: ServerTool }
  | { readonly kind: "removed"; readonly before: ServerTool }

/** The differences between the pinned and the current tools, by name. A renamed tool is removed and added. */
export function changesOf(pinned: PinnedTools, current: readonly ServerTool[]): readonly ToolChange[] {
  const before = new Map(pinned.tools.map((tool) => [tool.name, tool]))
  const now = new Set(current.map(({ name }) => name))
  const gone = new Set(pinned.withdrawn)
  const changes = current.flatMap((tool): readonly ToolChange[] => {
    const old = before.get(tool.name)
    if (old === undefined) return [{ kind: "added", tool }]
    // Before its first list of a process a server has its pinned tools themselves.
    if (old !== tool && textOf(old) !== textOf(tool)) return [{ kind: "changed", tool, before: old }]
    return gone.has(tool.name) ? [{ kind: "returned", tool }] : []
  })
  const removed = pinned.tools.filter(({ name }) => !now.has(name) && !gone.has(name))
  return [...changes, ...removed.map((old): ToolChange => ({ kind: "removed", before: old }))]
}

/** The pin after the server has withdrawn tools; it never forgets one, since a later one of that name could be another. */
export function withdraw(pinned: PinnedTools, current: readonly ServerTool[]): PinnedTools {
  const now = new Set(current.map(({ name }) => name))
  const gone = pinned.tools.flatMap(({ name }) => (now.has(name) ? [] : [name]))
  return { ...pinned, withdrawn: [...new Set([...pinned.withdrawn, ...gone])].toSorted() }
}

/** The tools that may be called: pinned, unchanged and not withdrawn. */
export function usable(pinned: PinnedTools, current: readonly ServerTool[]): readonly ServerTool[] {
  const off = new Set(changesOf(pinned, current).map((one) => (one.kind === "removed" ? one.before : one.tool).name))
  return current.filter(({ name }) => !off.has(name))
}

/** The text of a definition that a pin compares: name, description and schema. The order of fields has no meaning in JSON. */
function textOf({ name, description, schema }: ServerTool): string {
  return JSON.stringify([name, description, schema], (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

/** The changes as lines of a diff for people. */
export function changeLines(changes: readonly ToolChange[]): readonly string[] {
  return changes.flatMap((change) => {
    switch (change.kind) {
      case "added":
      case "returned":
        return lined("+", change.tool)
      case "removed":
        return lined("-", change.before)
      case "changed":
        return differing(lined("-", change.before), lined("+", change.tool))
    }
  })
}

function lined(sign: string, { name, description, schema }: ServerTool): readonly string[] {
  return [
    `${sign} ${name}`,
    ...description.split("\n").map((line) => `${sign}   ${line}`),
    `${sign}   ${JSON.stringify(schema)}`,
  ]
}

/** Only the lines that differ, below the name. */
function differing(before: readonly string[], after: readonly string[]): readonly string[] {
  const [name = ""] = after
  const bare = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.map((line) => line.slice(1)))
  const [old, now] = [bare(before), bare(after)]
  const gone = before.slice(1).filter((line) => !now.has(line.slice(1)))
  const come = after.slice(1).filter((line) => !old.has(line.slice(1)))
  return [`~${name.slice(1)}`, ...gone, ...come]
}

import type { Tool } from "@gong/spec"

/** Tools from one source: built-in, an extension, or the options of a session. */
export interface ToolSource {
  /** Shown to users: `Gong`, `extension weather`. */
  readonly from: string
  readonly tools: readonly Tool[]
  /** Names that are reserved for this source. */
  readonly owns?: readonly string[]
}

export interface ToolRegistry {
  /** In source order, since the order is part of a provider's cache key. */
  readonly tools: readonly Tool[]
  /** One line for users about each tool that was left out. */
  readonly conflicts: readonly string[]
}

/** The form that providers require for function names. */
const nameForm = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Merges tools by name. The first of two equal names wins, so no tool replaces a built-in one. Rules ignore case, so
 * names that differ only in case are equal. `reserved`: lower-case names that rules use for something else.
 */
export function mergeTools(sources: readonly ToolSource[], reserved: readonly string[] = []): ToolRegistry {
  const known = new Map<string, { tool: Tool; from: string }>()
  const conflicts: string[] = []
  for (const { from, tools, owns = [] } of sources) {
    for (const tool of tools) {
      const name = tool.name.toLowerCase()
      const first = known.get(name)
      if (!nameForm.test(tool.name))
        conflicts.push(
          `The tool ${JSON.stringify(tool.name)} of ${from} is left out: a name is 1 to 64 of a-z A-Z 0-9 _ -.`,
        )
      else if (first)
        conflicts.push(`The tool ${tool.name} of ${from} is left out: ${first.from} has one of this name. Rename it.`)
      else if (reserved.includes(name) && !owns.includes(name))
        conflicts.push(
          `The tool ${tool.name} of ${from} is left out: rules have this name for something else. Rename it.`,
        )
      else known.set(name, { tool, from })
    }
  }
  return { tools: [...known.values()].map(({ tool }) => tool), conflicts }
}

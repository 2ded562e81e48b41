import type { Tool } from "@gong/spec"

/** Tools from one place: the built-in ones, an extension, the options of a session. */
export interface ToolSource {
  /** For people: `Gong`, `extension weather`. */
  readonly from: string
  readonly tools: readonly Tool[]
}

export interface ToolRegistry {
  /** In the order of their sources: the order is part of a provider's cache key. */
  readonly tools: readonly Tool[]
  /** One line for each tool that was left out, for people. */
  readonly conflicts: readonly string[]
}

/** What providers take as the name of a function. */
const nameForm = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * All tools under their names; of two with one name the first stays, so nothing takes the place of a built-in one. Rules know
 * no capital letters, so two names that differ in these are one. `reserved`: names in small letters that rules have for
 * something else.
 */
export function mergeTools(sources: readonly ToolSource[], reserved: readonly string[] = []): ToolRegistry {
  const known = new Map<string, { tool: Tool; from: string }>()
  const conflicts: string[] = []
  for (const { from, tools } of sources) {
    for (const tool of tools) {
      const name = tool.name.toLowerCase()
      const first = known.get(name)
      if (!nameForm.test(tool.name))
        conflicts.push(
          `The tool ${JSON.stringify(tool.name)} of ${from} is left out: a name is 1 to 64 of a-z A-Z 0-9 _ -.`,
        )
      else if (first)
        conflicts.push(`The tool ${tool.name} of ${from} is left out: ${first.from} has one of this name. Rename it.`)
      else if (reserved.includes(name))
        conflicts.push(
          `The tool ${tool.name} of ${from} is left out: rules have this name for something else. Rename it.`,
        )
      else known.set(name, { tool, from })
    }
  }
  return { tools: [...known.values()].map(({ tool }) => tool), conflicts }
}

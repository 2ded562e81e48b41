import { builtIns, toolNames } from "./built-in.ts"

/** Named groups of built-in tools. */
export const codingTools = ["read", "bash", "edit", "write"] as const
export const readOnlyTools: readonly string[] = builtIns.flatMap(({ declaration: { name, effect }, extra }) =>
  effect === "read" && extra !== true ? [name] : [],
)
export const presets = {
  default: toolNames,
  minimal: ["read", "write", "edit", "bash"],
  readonly: readOnlyTools,
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PresetName = keyof typeof presets

/** Validated tool names, or the reason why they were rejected. */
export type ToolSelection =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** The tools offered to the model. Read whenever a tool list is built, so a change applies from the next prompt. */
export interface ActiveTools {
  activeTools(): readonly string[]
  /** All names or none: an unknown name leaves the active set unchanged. */
  setActiveTools(names: readonly string[]): ToolSelection
  validate(names: readonly string[]): ToolSelection
  /** The names of a preset. Does not activate them. */
  preset(name: string): ToolSelection
}

/** `known` holds the names of all tools, including those of extensions. All of them start active. */
export function createActiveTools(known: readonly string[] = toolNames): ActiveTools {
  let active = known

  const validate = (names: readonly string[]): ToolSelection => {
    const unknown = names.filter((name) => !known.includes(name))
    if (unknown.length > 0)
      return { ok: false, message: `Unknown tool: ${unknown.join(", ")}. There are: ${known.join(", ")}` }
    if (names.length === 0) return { ok: false, message: "No tools were named. To send none at all use --no-tools." }
    return { ok: true, names: [...new Set(names)] }
  }

  return {
    activeTools: () => active,
    setActiveTools(names) {
      const chosen = validate(names)
      if (chosen.ok) active = chosen.names
      return chosen
    },
    validate,
    preset(name) {
      const names = isPreset(name) ? presets[name] : null
      if (names !== null) return { ok: true, names }
      return { ok: false, message: `Unknown preset: ${name}. There are: ${Object.keys(presets).join(", ")}` }
    },
  }
}

function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

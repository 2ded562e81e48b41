import type { Tool } from "@gong/spec"
import type { LiveSettings } from "@gong/session/session"

/** Tools and settings of the next runs. The user, a reload of extensions or changed settings files replace them. */
export interface RunControls {
  /** In catalogue order. */
  tools(): readonly Tool[]
  settings(): LiveSettings
  setTools(tools: readonly Tool[]): void
  set(settings: Partial<LiveSettings>): void
}

export function runControls(initialTools: readonly Tool[], initial: LiveSettings): RunControls {
  let [tools, settings] = [initialTools, initial]
  return {
    tools: () => tools,
    settings: () => settings,
    setTools(next) {
      tools = next
    },
    set(change) {
      settings = { ...settings, ...change }
    },
  }
}

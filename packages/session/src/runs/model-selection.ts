import type { Provider, ThinkingLevel } from "@gong/spec"

/** A model and how long it thinks. */
export interface ModelSelection {
  readonly provider: Provider
  readonly thinking: ThinkingLevel
}

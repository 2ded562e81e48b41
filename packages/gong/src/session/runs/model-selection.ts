import type { Provider, ThinkingLevel } from "@gong/spec"

/** Which model is asked, and how long it thinks. */
export interface ModelSelection {
  readonly provider: Provider
  readonly thinking: ThinkingLevel
}

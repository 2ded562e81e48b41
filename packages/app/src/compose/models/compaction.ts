import type { Provider } from "@gong/spec"
import type { Settings } from "@gong/config/settings/resolve"
import { ok, type Outcome } from "@gong/config/usage"
import type { CompactionPolicy } from "@gong/session/compaction/policy"
import { type ModelDeps, namedModel, type Openable } from "./model.ts"

/** The model for summaries; null: the session's own. An unusable model is an error before the first request. */
export async function summaryModel({ values }: Settings, deps: () => ModelDeps): Promise<Outcome<Openable | null>> {
  const ref = values["compaction.model"]
  return ref === null ? ok(null) : namedModel(deps(), ref)
}

/** The settings of compaction. The model for summaries is opened for the first summary. */
export function compactionPolicy(
  settings: Settings,
  model: Openable | null,
  open: (model: Openable) => Promise<Provider>,
): CompactionPolicy {
  let opened: Promise<Provider> | undefined
  return {
    ...compactionNumbers(settings),
    provider: model && (() => (opened ??= open(model))),
  }
}

/** The settings that an open session reloads. */
export function compactionNumbers({ values }: Settings): Omit<CompactionPolicy, "provider"> {
  return {
    auto: values["compaction.auto"],
    reserveTokens: values["compaction.reserveTokens"],
    keepTokens: values["compaction.keepRecentTokens"],
  }
}

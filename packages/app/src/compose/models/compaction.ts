import type { Provider } from "@gong/spec"
import type { Settings } from "@gong/config/settings/resolve"
import { ok, type Outcome } from "@gong/config/usage"
import type { CompactionPolicy } from "@gong/session/compaction/policy"
import { type ModelDeps, namedModel, type Openable } from "./model.ts"

/** The model that writes summaries; null: the session's own. One that cannot be asked is an error before anything is sent. */
export async function summaryModel({ values }: Settings, place: () => ModelDeps): Promise<Outcome<Openable | null>> {
  const ref = values["compaction.model"]
  return ref === null ? ok(null) : namedModel(place(), ref)
}

/** What the settings say about compaction; the model for summaries is opened when the first one is wanted. */
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

/** What of it a session follows while it is open. */
export function compactionNumbers({ values }: Settings): Omit<CompactionPolicy, "provider"> {
  return {
    auto: values["compaction.auto"],
    reserveTokens: values["compaction.reserveTokens"],
    keepTokens: values["compaction.keepRecentTokens"],
  }
}

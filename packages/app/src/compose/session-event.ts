import { protocol, type SessionEvent, type Tool } from "@gong/spec"
import type { SessionContext } from "./config.ts"
import type { ChosenModel } from "./models/model.ts"
import type { OpenedTape } from "./tapes/tape.ts"

/** The first event of a session. */
export function sessionEvent(
  { services, spec, config }: SessionContext,
  { tape, resumed }: OpenedTape,
  { model, thinking }: ChosenModel,
  permissions: Pick<SessionEvent, "permission" | "sandbox">,
  tools: readonly Tool[],
): SessionEvent {
  return {
    type: "session",
    protocol,
    version: services.version,
    id: tape.id,
    cwd: config.workspace.cwd,
    workspace: config.workspace.folder,
    tape: tape.store.path,
    model: `${model.provider}/${model.id}`,
    thinking,
    tools: tools.map((tool) => tool.name),
    ...permissions,
    trusted: config.trusted !== null,
    resumed,
    ...(tape.store.info.from === undefined ? {} : { forkOf: tape.store.info.from.id }),
    ...(spec.name === undefined ? {} : { name: spec.name }),
  }
}

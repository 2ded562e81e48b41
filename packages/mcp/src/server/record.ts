import { isRecord } from "@gong/spec"
import type { Era } from "../connection/connect.ts"
import type { ServerPrompt } from "../definitions/check-prompts.ts"
import type { ServerTool } from "../definitions/check-tools.ts"
import type { PinnedTools } from "../definitions/changes.ts"

/** What is remembered of a server between processes. Its tools are the ones that the user has accepted. */
export interface ServerRecord extends PinnedTools {
  readonly era: Era | null
  readonly prompts: readonly ServerPrompt[]
  readonly resources: boolean
}

/** The record of one server in one configuration. Reading never throws; an unreadable record is none. */
export interface RecordStore {
  load(): ServerRecord | null
  save(record: ServerRecord): void
}

/** A stored record; null for anything else. */
export function recordIn(value: unknown): ServerRecord | null {
  if (!isRecord(value)) return null
  const { tools, withdrawn, prompts, resources, era } = value
  if (!Array.isArray(tools) || !tools.every(isTool) || !Array.isArray(prompts) || !prompts.every(isPrompt)) return null
  if (!Array.isArray(withdrawn) || !withdrawn.every((name) => typeof name === "string")) return null
  return {
    tools,
    withdrawn,
    prompts,
    resources: resources === true,
    era: isRecord(era) ? (era as unknown as Era) : null,
  }
}

function isTool(value: unknown): value is ServerTool {
  return (
    isRecord(value) &&
    ["name", "exposed", "description"].every((key) => typeof value[key] === "string") &&
    isRecord(value["schema"])
  )
}

function isPrompt(value: unknown): value is ServerPrompt {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["description"] === "string" &&
    Array.isArray(value["arguments"])
  )
}

import { join } from "node:path"
import type { Stage } from "../program/harness.ts"

/** One way to use Gong, of which every call is killed once. */
export interface Scenario {
  readonly name: string
  /** The initial state of every point. */
  prepare(stage: Stage): Promise<void>
  args(stage: Stage): readonly string[]
  /** Typed at a terminal; without it there is none. */
  readonly typed?: string
}

export const original = "first\nsecond\n"

const written = { "a.txt": original }

/** Events, so that each entry is acknowledged by a line of its own. */
const events = ["-p", "--output", "events", "--yolo"]

export const scenarios: readonly Scenario[] = [
  {
    name: "print",
    prepare: async (stage) => stage.write(written),
    args: () => [...events, "--session-id", "s1", "fix it"],
  },
  { name: "plain", prepare: async (stage) => stage.write(written), args: () => ["--yolo"], typed: "fix it\n" },
  { name: "-c", prepare: withSession, args: () => [...events, "-c", "fix it"] },
  { name: "fork", prepare: withSession, args: () => [...events, "--fork", "base", "fix it"] },
  { name: "undo", prepare: withChanges, args: () => ["undo"] },
]

/** Where the first session has its lines. */
export const linesOf = (stage: Stage, id: string): string =>
  join(stage.gongHome, "sessions", id, "anchors/001_session-start/entries.jsonl")

async function withSession(stage: Stage): Promise<void> {
  stage.write(written)
  await stage.gong(["-pq", "--session-id", "base", "go on"])
}

async function withChanges(stage: Stage): Promise<void> {
  stage.write(written)
  await stage.gong(["-pq", "--yolo", "--session-id", "base", "fix it"])
}

/** The reply of the model, derived from the request: a run that continues after a kill gets a matching one. */
export function answer({ body }: { readonly body: unknown }) {
  const { messages } = body as { messages: readonly { role: string; content: unknown; tool_calls?: unknown[] }[] }
  const last = messages.findLastIndex(({ role }) => role === "user")
  if (String(messages[last]?.content) !== "fix it") return { text: "Still here." }
  const rounds = messages.slice(last).filter(({ role }) => role === "assistant").length
  return turns[rounds] ?? { text: "All done." }
}

const edit = { path: "a.txt", edits: [{ oldText: "second", newText: "2nd" }] }

const turns = [
  { text: "Looking.", calls: [{ name: "read", args: { path: "a.txt" } }] },
  { calls: [{ name: "edit", args: edit }] },
  {
    calls: [
      { name: "write", args: { path: "new/d.txt", content: "d\n" } },
      { name: "bash", args: { command: "echo hi" } },
    ],
  },
]

import type { Event } from "@gong/spec"
import type { SettingValues } from "@gong/config/settings/schema"
import { shortId } from "@gong/session/short-id"
import { builtInDeclarations } from "@gong/tools"
import type { Cli } from "../../cli.ts"
import type { Options } from "../../command-line/flags.ts"
import { screenOptions } from "../../terminal-screen.ts"
import type { StoredEvent } from "./stored-projection.ts"
import { type WatchLines, type WatchOptions, watchHead } from "./watch-lines.ts"

interface ScreenWatchOptions extends WatchOptions {
  readonly settings: SettingValues
  /** `provider/id`; null: unknown. */
  readonly model: string | null
  /** Ends the command. */
  leave(): void
}

/** The screen in place of lines: none is written. */
export async function screenWatchLines(
  cli: Cli,
  options: Options,
  { session, holder, model, hidden, settings, leave }: ScreenWatchOptions,
): Promise<WatchLines> {
  const { watchScreen } = await import("../../modes/tui/watch.ts")
  const screen = watchScreen({
    ...screenOptions(cli, options, settings),
    declared: builtInDeclarations,
    head: watchHead(cli.t, session, holder),
    status: [...(model === null ? [] : [model]), shortId(session.id)],
    leave,
  })
  const take = withoutHidden(hidden, screen.take)
  return {
    begin: () => [],
    lines(events) {
      take(events)
      return []
    },
    idle: () => [],
    async end() {
      await screen.close()
      return []
    },
  }
}

/** Takes the events of entries behind the hidden ones, of which only those in effect are taken: the run and its calls in progress. */
export function withoutHidden(hidden: number, take: (event: Event) => void): (events: readonly StoredEvent[]) => void {
  let left = hidden
  const open = new Map<string, Event>()
  const hide = (event: Event): void => {
    if (event.type === "agent_start") open.set("", event)
    if (event.type === "tool_execution_start") open.set(event.toolCallId, event)
    if (event.type === "tool_execution_end") open.delete(event.toolCallId)
    if (event.type === "agent_end") open.clear()
  }
  return (events) => {
    const isHidden = left > 0
    if (isHidden) left -= 1
    else for (const event of open.values()) take(event)
    if (!isHidden) open.clear()
    for (const { event } of events) if (event.type !== "session") (isHidden ? hide : take)(event)
  }
}

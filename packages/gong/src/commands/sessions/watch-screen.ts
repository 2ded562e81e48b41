import type { Event } from "@gong/spec"
import type { SettingValues } from "@gong/config/settings/schema"
import { shortId } from "@gong/session/short-id"
import { builtInDeclarations } from "@gong/tools"
import type { Cli } from "../../cli.ts"
import type { Options } from "../../command-line/flags.ts"
import { screenOptions } from "../../terminal-screen.ts"
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
  let left = hidden
  /** Events of the hidden part that are still in effect: the run and its calls in progress. */
  const open = new Map<string, Event>()
  const hide = (event: Event): void => {
    if (event.type === "agent_start") open.set("", event)
    if (event.type === "tool_execution_start") open.set(event.toolCallId, event)
    if (event.type === "tool_execution_end") open.delete(event.toolCallId)
    if (event.type === "agent_end") open.clear()
  }
  return {
    begin: () => [],
    lines(events) {
      const isHidden = left > 0
      if (isHidden) left -= 1
      else for (const event of open.values()) screen.take(event)
      if (!isHidden) open.clear()
      for (const { event } of events) if (event.type !== "session") (isHidden ? hide : screen.take)(event)
      return []
    },
    idle: () => [],
    async end() {
      await screen.close()
      return []
    },
  }
}

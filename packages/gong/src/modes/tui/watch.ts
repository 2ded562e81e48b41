import { type Declarations, type Event, textOf } from "@gong/spec"
import type { Abilities } from "../../terminal/abilities.ts"
import type { ThemeStyle } from "../../terminal/theme-style.ts"
import { statusText } from "@gong/texts/statuses"
import { createFeed } from "./feed.ts"
import type { Action, Message } from "./messages.ts"
import { createPainter, type PainterOptions } from "./painter.ts"
import { restyle } from "./restyle.ts"
import { printedBlocks } from "./text/printed.ts"
import { update } from "./update.ts"

export interface WatchScreenOptions extends Omit<PainterOptions, "isWatching">, Pick<Abilities, "images"> {
  readonly theme: ThemeStyle
  readonly declared: Declarations
  /** The first line. */
  readonly head: string
  /** Parts of the status row, the most important first. */
  readonly status: readonly string[]
  /** Sends other output of the process to the screen; null: back to the terminal. */
  capture(sink: ((text: string) => void) | null): unknown
  /** The user has left. */
  leave(): void
}

export interface WatchScreen {
  take(event: Event): void
  close(): Promise<void>
}

/** The screen of a conversation without its input, for the events of a session that another process has open. */
export function watchScreen(options: WatchScreenOptions): WatchScreen {
  const { t, theme, leave } = options
  const painter = createPainter(
    { ...options, isWatching: true },
    {
      input: (input) => dispatch({ kind: "input", input }, true),
      resized() {
        painter.resized()
        dispatch({ kind: "size", size: painter.size() })
      },
      continued: () => painter.redraw(),
    },
  )
  const size = () => painter.state.size
  const feed = createFeed(options.declared, { ...options, size, render: null, turned: () => undefined, emit: dispatch })
  const print = (text: string): void => dispatch({ kind: "blocks", blocks: printedBlocks(text) })

  function dispatch(message: Message, isUrgent = false): void {
    const { state, actions } = update(painter.state, message, options.clock.now())
    painter.set(state, isUrgent)
    for (const action of actions) perform(action)
  }

  function perform(action: Action): void {
    if (action.kind === "leave") leave()
    else if (action.kind === "redraw" || action.kind === "suspend") painter[action.kind]()
    else if (action.kind === "reply" && theme.reply(action.text)) painter.redraw()
  }

  /** Replies of another process are seen when they are complete. */
  function takeMessage({ message }: Extract<Event, { type: "message_end" }>): void {
    const text = textOf(message)
    if (text === "") return
    if (message.role === "user") {
      print("")
      dispatch({ kind: "blocks", blocks: printedBlocks(text, { indent: [{ text: "> ", role: "strong" }] }) })
    } else feed.take({ type: "message_update", id: "", kind: "text", index: 0, delta: text })
  }

  options.capture(print)
  print(options.head)
  dispatch({ kind: "status", parts: options.status })
  painter.start()
  restyle(theme, painter)
  return {
    take(event) {
      if (event.type === "message_end" && event.parent === undefined) takeMessage(event)
      feed.take(event)
      if (event.type === "failure") print(`gong: ${t(event.failure)}`)
      if (event.type === "agent_start" || event.type === "agent_end")
        dispatch({ kind: "running", isRunning: event.type === "agent_start" })
      if (event.type === "agent_end" && event.status !== "done") print(`[${statusText(t, event.status)}]`)
      if (event.type === "model_select") print(t`[model: ${event.model}]`)
    },
    async close() {
      await feed.settled()
      painter.close()
      options.capture(null)
    },
  }
}

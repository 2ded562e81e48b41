import type { RunEnd } from "@gong/spec"
import type { Input } from "@gong/screen/keys"
import type { SessionController } from "@gong/app/controller/api"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import type { UserDialogs } from "@gong/app/slash/result"
import type { RenderCallEnd } from "../render-call.ts"
import { type Asks, createAsks } from "./asks.ts"
import { feedSession, waitingTexts } from "./feed.ts"
import { createPainter, type PainterOptions } from "./painter.ts"
import { showQuestions, userDialogs } from "./questions.ts"
import { createSending } from "./sending.ts"
import type { Block } from "./state.ts"
import { type Action, type Message, update } from "./update.ts"

export interface ScreenOptions extends PainterOptions {
  /** The message of the command line. */
  readonly first: PromptInput | null
  /** Lines shown at the start. */
  readonly intro: readonly string[]
  /** Sends other output of the process to the screen; null: back to the terminal. */
  capture(sink: ((text: string) => void) | null): void
  /** Renders ended calls in place of Gong; null: none. */
  readonly render: RenderCallEnd | null
  exitOf(end: RunEnd): number
  /** Calls back when the process has to end. */
  onShutdown(callback: () => void): void
  readonly copy: UserDialogs["copy"]
}

/** Exit status of a conversation that was left by Ctrl+C. */
const INTERRUPTED = 130

/**
 * Runs a conversation on the screen of a terminal, below its scrollback. Messages change the state (`update`), the state is drawn
 * (`view`), and the actions that a change asks for are performed here. Returns the exit status.
 */
export async function screen(controller: SessionController, options: ScreenOptions): Promise<number> {
  const { t } = options
  const { promise: left, resolve: leaveWith } = Promise.withResolvers<number>()
  let exit = 0
  const leave = (): void => leaveWith(exit)
  const painter = createPainter(options, {
    input: (input: Input) => dispatch({ kind: "input", input }, true),
    resized() {
      painter.resized()
      dispatch({ kind: "size", size: painter.size })
    },
    continued: () => painter.redraw(),
  })
  const asks = createAsks(dispatch)
  const dialogs = userDialogs(t, asks.ask, options.copy)
  const sending = createSending({
    t,
    controller,
    dialogs,
    state: () => painter.state,
    dispatch,
    print,
    leave,
    ended(end) {
      exit = options.exitOf(end)
      controller.idle()
    },
  })

  function dispatch(message: Message, isUrgent = false): void {
    const { state, actions } = update(painter.state, message, options.clock.now())
    painter.set(state, isUrgent)
    for (const action of actions) perform(action)
  }

  function print(text: string, more: Partial<Block> = {}): void {
    const lines = text.replace(/\n$/, "").split("\n")
    dispatch({ kind: "blocks", blocks: lines.map((line) => ({ line: [{ text: line }], whole: false, ...more })) })
  }

  function perform(action: Action): void {
    switch (action.kind) {
      case "send":
        return sending.send(action.text, action.isLater)
      case "answer":
        return asks.answer(action.id, action.value)
      case "stop":
        return controller.current.session.abort()
      case "leave":
        controller.current.session.abort()
        return leaveWith(action.isInterrupted ? INTERRUPTED : exit)
      case "warn-exit":
        return dispatch({ kind: "hint", text: t`(Ctrl+C again exits)` })
      case "take-back":
        return sending.takeBack()
      case "complete":
        return sending.complete(action.text)
      case "redraw":
        return painter.redraw()
      case "suspend":
        return painter.suspend()
    }
  }

  const unfollow = followSessions(controller, { ...options, asks, dispatch })
  options.onShutdown(leave)
  options.capture(print)
  try {
    for (const line of options.intro) print(line)
    painter.start()
    if (options.first !== null) sending.sendFirst(options.first)
    return await left
  } finally {
    unfollow()
    asks.close()
    painter.close()
    options.capture(null)
  }
}

interface FollowOptions extends Pick<ScreenOptions, "t" | "clock" | "render"> {
  readonly asks: Asks
  dispatch(message: Message): void
}

/** Shows the current session, and each that replaces it. Returns a function that ends this. */
function followSessions(
  controller: SessionController,
  { t, clock, render, asks, dispatch }: FollowOptions,
): () => void {
  function follow(): () => void {
    const { session, info } = controller.current
    const showStatus = (): void => {
      const { model } = session.selection.provider
      const sandbox = info.sandbox.mode === "off" ? [t`sandbox: off`] : []
      dispatch({ kind: "status", parts: [`${model.provider}/${model.id}`, session.permission, ...sandbox] })
    }
    showStatus()
    dispatch({ kind: "waiting", texts: waitingTexts(session) })
    const ends = [
      feedSession(session, { t, clock, render, emit: dispatch }),
      showQuestions(t, session, info.cwd, asks.ask),
      session.subscribe(showStatus, { partials: false }),
    ]
    return () => ends.forEach((end) => end())
  }

  let unfollow = follow()
  const unlisten = controller.listen({
    opened() {
      unfollow()
      unfollow = follow()
    },
  })
  return () => {
    unlisten()
    unfollow()
  }
}

import type { RunEnd } from "@gong/spec"
import type { Input } from "@gong/screen/keys"
import type { SessionController } from "@gong/app/controller/api"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import type { UserDialogs } from "@gong/app/slash/result"
import type { Abilities } from "../../terminal/abilities.ts"
import type { ThemeStyle } from "../../terminal/theme-style.ts"
import type { Dialogs, KeyQuestion } from "../dialogs.ts"
import { confirmExitWithJobs } from "../exit-with-jobs.ts"
import type { RenderCallEnd } from "../render-call.ts"
import { type ActionDeps, actionPerformer, type ActiveSession, INTERRUPTED } from "./actions.ts"
import { type Asks, createAsks } from "./dialog/asks.ts"
import { feedSession, type SessionFeed, waitingTexts } from "./feed.ts"
import { restyle } from "./restyle.ts"
import { createReadings } from "./reader/readings.ts"
import { createPainter, type PainterOptions } from "./painter.ts"
import { programDialogs, showQuestions, userDialogs } from "./dialog/questions.ts"
import type { State } from "./state.ts"
import { earlierMessages } from "./input/earlier-messages.ts"
import { openTodos, ownStatusLine, spentIn, type StatusFacts, statusFacts, statusParts } from "./text/status.ts"
import { createSending, type SendingOptions, type SentMessage } from "./sending.ts"
import type { Block } from "@gong/screen/row"
import { printedBlocks } from "./text/printed.ts"
import type { Message } from "./messages.ts"
import { update } from "./update.ts"

/** A session to show. */
export interface OpenedConversation {
  readonly controller: SessionController
  /** The message of the command line. */
  readonly first: PromptInput | null
  /** Lines about the session. */
  readonly intro: readonly string[]
}

export interface ScreenOptions
  extends PainterOptions, Pick<Abilities, "images">, Pick<ActionDeps, "copy" | "edit" | "clipboardImage"> {
  readonly theme: ThemeStyle
  /** Prints the status row for facts; null: it is that of Gong. */
  readonly statusLine: ((facts: object) => Promise<string | null>) | null
  /** The bytes of a notification of the desktop. */
  notification(text: string): string
  /** The title of the window while a run works, or between runs; null: it is left alone. */
  title(isRunning: boolean): string | null
  /** The first line, before anything is opened. */
  readonly head: string
  /** Lines about settings of the screen that have no effect. */
  readonly problems: readonly string[]
  /** Opens the session; asks the user what it needs. */
  open(dialogs: Dialogs): Promise<OpenedConversation | { readonly exit: number }>
  /** Sends other output of the process to the screen; null: back to the terminal. */
  capture(sink: ((text: string) => void) | null): unknown
  /** Renders ended calls in place of Gong; null: none. */
  readonly render: RenderCallEnd | null
  exitOf(end: RunEnd): number
  /** Calls back when the process has to end. */
  onShutdown(callback: () => void): void
}

/**
 * Runs a conversation on the screen of a terminal, below its scrollback. Messages change the state (`update`), the state is drawn
 * (`view`), and the actions that a change asks for are performed here. Returns the exit status.
 */
export async function screen(options: ScreenOptions): Promise<number> {
  const { promise: left, resolve: leaveWith } = Promise.withResolvers<number>()
  const painter = createPainter(options, {
    input: (input: Input) => dispatch({ kind: "input", input }, true),
    resized() {
      painter.resized()
      dispatch({ kind: "size", size: painter.size() })
    },
    continued: () => painter.redraw(),
  })
  const asks = createAsks(dispatch)
  const readings = createReadings(dispatch)
  /** Messages that were sent before the session was open. */
  const early: SentMessage[] = []
  const current: { session: ActiveSession | null } = { session: null }

  function dispatch(message: Message, isUrgent = false): void {
    const before = painter.state.isRunning
    const { state, actions } = update(painter.state, message, options.clock.now())
    if (state.isRunning !== before) showTitle(state.isRunning)
    painter.set(state, isUrgent)
    for (const action of actions) perform(action)
  }

  function showTitle(isRunning: boolean): void {
    const title = options.title(isRunning)
    if (title !== null) painter.setTitle(title)
  }

  const perform = actionPerformer({
    ...options,
    painter,
    asks,
    readings,
    early,
    session: () => current.session,
    notify: (text) => painter.signal(options.notification(text)),
    dispatch,
    leaveWith,
  })
  const print = (text: string, more?: Partial<Block>): void =>
    dispatch({ kind: "blocks", blocks: printedBlocks(text, more) })

  async function open(): Promise<void> {
    const opened = await options.open(programDialogs(options.t, asks.ask))
    if ("exit" in opened) return leaveWith(opened.exit)
    for (const line of opened.intro) print(line)
    const session = activate(opened.controller, {
      ...options,
      copy: (text) => options.copy(text, painter.signal),
      asks,
      readings,
      dispatch,
      print,
      restyle: () => restyle(options.theme, painter),
      leaveWith,
      state: () => painter.state,
    })
    current.session = session
    restyle(options.theme, painter)
    await session.sending.sendEarly(opened.first, early.splice(0))
  }

  options.onShutdown(() => leaveWith(current.session?.exit() ?? 0))
  options.capture(print)
  try {
    for (const line of [options.head, ...options.problems]) print(line)
    painter.start()
    showTitle(false)
    const failed = Promise.withResolvers<number>()
    open().catch(failed.reject)
    return await Promise.race([left, failed.promise])
  } finally {
    current.session?.close()
    asks.close()
    readings.close()
    painter.close()
    options.capture(null)
  }
}

interface ActiveOptions
  extends
    FollowOptions,
    Pick<ScreenOptions, "exitOf" | "keymap">,
    Pick<UserDialogs, "copy">,
    Pick<SendingOptions, "print" | "readings"> {
  leaveWith(exit: number): void
}

function activate(controller: SessionController, options: ActiveOptions): ActiveSession {
  const { t, asks, readings, dispatch, print, state, leaveWith } = options
  let exit = 0
  const { settled, changed, close } = followSessions(controller, options)
  async function leaveUnlessJobs(): Promise<void> {
    const { jobs, info } = controller.current
    const own = programDialogs(t, asks.ask)
    // A question that was left is no answer, so nothing ends.
    const dialogs = { key: async (question: KeyQuestion) => (await own.key(question)) ?? "s" }
    const canKeep = info.sandbox.mode === "off"
    if (await confirmExitWithJobs(jobs, { t, dialogs, canKeep, print })) leaveWith(exit)
  }
  function leave(isInterrupted: boolean): void {
    controller.current.session.abort()
    if (isInterrupted) leaveWith(INTERRUPTED)
    else leaveUnlessJobs().catch(() => leaveWith(exit))
  }
  const sending = createSending({
    t,
    images: options.images,
    size: () => state().size,
    controller,
    dialogs: userDialogs(t, asks.ask, options.copy, options.keymap),
    readings,
    state,
    settled,
    changed,
    dispatch,
    print,
    leave: () => leave(false),
    ended(end) {
      exit = options.exitOf(end)
      controller.idle()
    },
  })
  return { controller, sending, exit: () => exit, leave, close }
}

interface FollowOptions extends Pick<ScreenOptions, "t" | "clock" | "images" | "render" | "statusLine"> {
  readonly asks: Asks
  state(): State
  dispatch(message: Message): void
  /** The theme may have changed. */
  restyle(): void
}

interface FollowedSessions extends SessionFeed {
  /** Shows the status row anew. */
  changed(): void
}

/** Milliseconds from the first status row to that with the cost, and to the to-do list. */
const COUNT_MS = 100

/** Shows the current session, and each that replaces it. */
function followSessions(controller: SessionController, options: FollowOptions): FollowedSessions {
  const { t, clock, statusLine, asks, state, dispatch } = options
  function follow(): FollowedSessions {
    const { session, info, jobs } = controller.current
    let contextTokens: number | null = null
    // A long session is shown before it is counted.
    let isCounted = false
    const own =
      statusLine &&
      ownStatusLine(clock, statusLine, (line) =>
        line === null ? showParts() : dispatch({ kind: "status", parts: [line] }),
      )
    const facts = (): StatusFacts => ({
      sandbox: info.sandbox.mode,
      contextTokens,
      jobs: jobs.running().length,
      spent: isCounted ? spentIn(session) : null,
    })
    const showParts = (): void => dispatch({ kind: "status", parts: statusParts(t, session, facts()) })
    const showStatus = (): void => (own === null ? showParts() : own.update(statusFacts(session, facts())))
    const turned = (tokens: number): void => {
      contextTokens = tokens
      showStatus()
    }
    const showTodos = (): void => {
      if (isCounted) dispatch({ kind: "todos", texts: openTodos(session) })
    }
    showStatus()
    const cancelCount = clock.timer(COUNT_MS, () => {
      isCounted = true
      showStatus()
      showTodos()
    })
    dispatch({ kind: "waiting", texts: waitingTexts(session) })
    dispatch({ kind: "history", texts: earlierMessages(session) })
    const feed = feedSession(session, { ...options, size: () => state().size, turned, emit: dispatch })
    const ends = [
      feed.close,
      cancelCount,
      () => own?.close(),
      showQuestions(t, session, info.cwd, asks.ask),
      session.subscribe(showStatus, { partials: false }),
      session.subscribe(showTodos, { partials: false }),
    ]
    return { settled: feed.settled, changed: showStatus, close: () => ends.forEach((end) => end()) }
  }

  let followed = follow()
  const unlisten = controller.listen({
    opened() {
      options.restyle()
      followed.close()
      followed = follow()
    },
  })
  return {
    settled: () => followed.settled(),
    changed: () => followed.changed(),
    close() {
      unlisten()
      followed.close()
    },
  }
}

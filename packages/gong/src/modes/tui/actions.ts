import type { Clock } from "@gong/spec"
import type { ClientImage } from "@gong/app/controller/prompt-input"
import type { SessionController } from "@gong/app/controller/api"
import type { UserDialogs } from "@gong/app/slash/result"
import type { Translate } from "@gong/texts/translator"
import type { ThemeStyle } from "../../terminal/theme-style.ts"
import type { Asks } from "./dialog/asks.ts"
import { emptyPick } from "./dialog/dialog.ts"
import type { Readings } from "./reader/readings.ts"
import type { ScreenPainter } from "./painter.ts"
import type { Sending, SentMessage } from "./sending.ts"
import type { Action, Message } from "./messages.ts"

/** The open session, as far as the screen needs it. */
export interface ActiveSession {
  readonly controller: SessionController
  readonly sending: Sending
  /** The exit status of the last run. */
  exit(): number
  /** Ends the conversation; asks what becomes of running jobs, unless it is interrupted. */
  leave(isInterrupted: boolean): void
  close(): void
}

export interface ActionDeps {
  readonly t: Translate
  readonly clock: Clock
  readonly painter: ScreenPainter
  readonly theme: ThemeStyle
  readonly asks: Asks
  readonly readings: Readings
  /** Messages that were sent before the session was open. */
  readonly early: SentMessage[]
  /** Null: it is not open yet. */
  session(): ActiveSession | null
  dispatch(message: Message, isUrgent?: boolean): void
  leaveWith(exit: number): void
  /** Shows a notification of the desktop. */
  notify(text: string): void
  /** The image of the clipboard; null: there is none. */
  clipboardImage(): Promise<ClientImage | null>
  /** `write`: writes bytes to the terminal, past the screen. */
  copy(text: string, write: (bytes: string) => void): ReturnType<UserDialogs["copy"]>
  /** Edits a text with another program; null: it failed. */
  edit(text: string): Promise<string | null>
}

/** Exit status of a conversation that was left by Ctrl+C. */
export const INTERRUPTED = 130

/** Performs the actions that a change of the state asks for. */
export function actionPerformer(deps: ActionDeps): (action: Action) => void {
  const { t, painter, theme, asks, early, session, dispatch, leaveWith } = deps
  return (action) => {
    const open = session()
    switch (action.kind) {
      case "send":
        if (open !== null) return open.sending.send(action)
        early.push(action)
        return dispatch({ kind: "waiting", texts: early.map(({ text }) => text) })
      case "reply":
        if (theme.reply(action.text)) painter.redraw()
        return undefined
      case "answer":
        return asks.answer(action.id, action.value)
      case "preview":
        return asks.preview(action.id, action.of)
      case "copy-text":
        return void copyText(deps, action.text)
      case "edit-text":
        return void painter.lend(() => deps.edit(action.text)).catch(() => null)
      case "read-end":
        return deps.readings.end(action.id, action.key)
      case "stop":
        return open?.controller.current.session.abort()
      case "leave":
        if (open !== null) return open.leave(action.isInterrupted)
        return leaveWith(action.isInterrupted ? INTERRUPTED : 0)
      case "warn-exit":
        return dispatch({ kind: "hint", text: t`(Ctrl+C again exits)` })
      case "notify":
        return deps.notify(action.about === "end" ? t`The run has ended.` : t`A question waits for an answer.`)
      case "take-back":
        return open?.sending.takeBack()
      case "complete":
        return open?.sending.complete(action.target)
      case "next-permission":
        return open?.sending.nextPermission()
      case "next-thinking":
        return open?.sending.nextThinking()
      case "background":
        return open?.sending.background()
      case "search-history":
        return void searchHistory(deps)
      case "edit-externally":
        return void editExternally(deps)
      case "paste-image":
        return void pasteImage(deps)
      case "transcript":
        if (open === null) return
        return void showTranscript(deps, open).catch((error: unknown) =>
          dispatch({ kind: "hint", text: `gong: ${String(error)}` }, true),
        )
      case "redraw":
      case "suspend":
        return painter[action.kind]()
    }
  }
}

/** Shows the transcript from its end; earlier parts are added while it is read. */
async function showTranscript(
  { t, clock, painter, readings }: ActionDeps,
  { controller }: ActiveSession,
): Promise<void> {
  const reading = readings.open({ title: t`transcript`, keys: [], opensAt: "end" })
  const { transcriptPassages } = await import("./reader/transcript.ts")
  const options = { t, clock, columns: () => painter.state.size.columns }
  for await (const passages of transcriptPassages(controller.current.session, options)) {
    if (!reading.isOpen) return
    reading.add(passages)
  }
}

async function copyText({ t, painter, copy, dispatch }: ActionDeps, text: string): Promise<void> {
  const copied = await copy(text, painter.signal)
  dispatch({ kind: "hint", text: copied.ok ? copied.value : copied.error.texts.map(t.text).join(" ") }, true)
}

async function pasteImage({ t, dispatch, clipboardImage }: ActionDeps): Promise<void> {
  const image = await clipboardImage().catch(() => null)
  if (image !== null) return dispatch({ kind: "image", image }, true)
  dispatch({ kind: "hint", text: t`there is no image in the clipboard, or no program to read it` }, true)
}

async function searchHistory({ painter, asks, dispatch }: ActionDeps): Promise<void> {
  const texts = painter.state.history.texts.toReversed()
  const rows = texts.map((text) => text.replaceAll("\n", " "))
  if (rows.length === 0) return
  const value = await asks.ask({ body: [], form: { kind: "pick", rows, ...emptyPick } })
  const text = value !== null && "at" in value ? texts[value.at] : undefined
  if (text !== undefined) dispatch({ kind: "text", text }, true)
}

async function editExternally({ t, painter, dispatch, edit }: ActionDeps): Promise<void> {
  const { text } = painter.state.editor
  const edited = await painter.lend(() => edit(text)).catch(() => null)
  if (edited === null) return dispatch({ kind: "hint", text: t`the editor failed; the text is unchanged` }, true)
  if (edited !== text) dispatch({ kind: "text", text: edited }, true)
}

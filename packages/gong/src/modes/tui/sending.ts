import type { RunEnd } from "@gong/spec"
import { errorText } from "@gong/app/controller/answer"
import type { SessionController } from "@gong/app/controller/api"
import type { ClientImage, PromptInput } from "@gong/app/controller/prompt-input"
import type { SlashResult, UserDialogs } from "@gong/app/slash/result"
import { runSummary } from "@gong/session/result"
import type { Translate } from "@gong/texts/translator"
import type { OutputStreams } from "../output-streams.ts"
import { reportInConversation } from "../report.ts"
import type { Readings } from "./reader/readings.ts"
import type { CompletionItem, CompletionTarget } from "./input/completion.ts"
import { waitingTexts } from "./feed.ts"
import type { Block } from "@gong/screen/row"
import { inOrder } from "./in-order.ts"
import { createKeyCommands, type KeyCommandDeps, type KeyCommands } from "./key-commands.ts"
import type { State } from "./state.ts"
import { imageBlock, type ImageOptions } from "./text/images.ts"

export interface SendingOptions extends KeyCommandDeps, ImageOptions {
  readonly dialogs: UserDialogs
  readonly readings: Readings
  state(): State
  /** Resolves when the output of the run is on the screen. */
  settled(): Promise<void>
  /** Adds lines to the transcript. */
  print(text: string, more?: Partial<Block>): void
  /** The run has ended. */
  ended(end: RunEnd): void
  /** Ends the conversation. */
  leave(): void
}

/** Paths in the list below the input. */
const FILES_MAX = 50
type SlashOutput = Extract<SlashResult, { kind: "output" }>
const echo: Partial<Block> = { indent: [{ text: "> ", role: "strong" }] }

export interface SentMessage {
  readonly text: string
  readonly images: readonly ClientImage[]
  /** Into a run: when it has ended. */
  readonly isLater: boolean
}

export interface Sending extends KeyCommands {
  send(message: SentMessage): void
  /** The message of the command line, with its files, and those typed before the session was open, one after the other. */
  sendEarly(first: PromptInput | null, typed: readonly SentMessage[]): Promise<void>
  /** The last waiting message goes back into the input. */
  takeBack(): void
  complete(target: CompletionTarget): void
}

/** What the user sends: slash commands, messages, and messages into a run. Nothing here rejects. */
export function createSending(options: SendingOptions): Sending {
  const { t, controller, dialogs, state, dispatch, print, leave } = options
  const printOwn = (text: string, images: readonly ClientImage[] = []): void => {
    print("")
    print(text, echo)
    dispatch({ kind: "blocks", blocks: images.map((image) => imageBlock(image, options)) })
  }

  const isRunning = (): boolean => controller.current.session.running
  const queued = inOrder((texts) => {
    dispatch({ kind: "waiting", texts: [...waitingTexts(controller.current.session), ...texts] })
  })

  /** A command is complete before the next line is taken; a run does not have to be. */
  async function send(message: SentMessage): Promise<void> {
    const begun = await (isRunning() ? begin(message) : queued(message.text, () => begin(message)))
    await begun?.run
  }

  async function begin({ text, images, isLater }: SentMessage): Promise<{ readonly run: Promise<void> } | null> {
    const isIntoRun = isRunning()
    if (!isIntoRun) printOwn(text, images)
    // Commands are never sent to the model, in a run either.
    const result = await controller.typed(text, dialogs)
    options.changed()
    if (result.kind === "message" && isRunning()) {
      await sendIntoRun({ text: result.text, images, isLater })
      return null
    }
    if (isIntoRun) printOwn(text, images)
    if (result.kind === "quit") leave()
    if (result.kind === "output") await showOutput(options, result)
    if (result.kind !== "message" || result.text.trim() === "") return null
    const input = await controller.input(result.text, images)
    if (!input.ok) {
      print(`gong: ${t.text(errorText(input.error))}`)
      return null
    }
    for (const note of input.data.notes ?? []) print(`gong: ${t(note)}`)
    return { run: runMessage(options, input.data) }
  }

  async function sendIntoRun({ text, images, isLater }: SentMessage): Promise<void> {
    const args = { text, images: [...images], mentions: true }
    const sent = isLater
      ? await controller.call("follow_up", args)
      : await controller.call("steer", { ...args, when: "after-tool" })
    if (sent.ok) return
    print(`gong: ${t.text(errorText(sent.error))}`)
    // What was not sent is back in the input.
    if (state().editor.text === "") dispatch({ kind: "text", text })
  }

  async function takeBack(): Promise<void> {
    const { session } = controller.current
    const last = session.waiting.followUp.at(-1) ?? session.waiting.steer.at(-1)
    if (last === undefined || state().editor.text !== "") return
    const [taken] = await session.dequeue(last.id)
    if (taken !== undefined) dispatch({ kind: "text", text: taken.text }, true)
  }

  async function complete(target: CompletionTarget): Promise<void> {
    const items = await completionItems(controller, target)
    if (items !== null) dispatch({ kind: "completions", target, items }, true)
  }

  const safely = (work: Promise<void>): void => void work.catch((error: unknown) => print(`gong: ${String(error)}`))
  return {
    ...createKeyCommands(options),
    send: (message) => safely(send(message)),
    async sendEarly(first, typed) {
      dispatch({ kind: "waiting", texts: waitingTexts(controller.current.session) })
      if (first !== null) printOwn(first.text, first.images)
      if (first !== null) await runMessage(options, first)
      for (const message of typed) await send({ ...message, isLater: false })
    },
    takeBack: () => safely(takeBack()),
    complete: (target) => safely(complete(target)),
  }
}

/** The result of a command: its view if there is one, else its lines. */
async function showOutput(options: SendingOptions, { lines, view }: SlashOutput): Promise<void> {
  if (view !== "changes") return lines.forEach((line) => options.print(line))
  const { showChanges } = await import("./reader/changes.ts")
  return showChanges(options)
}

/** Runs a message to its end, and reports how it ended. */
async function runMessage(
  { t, controller, settled, dispatch, print, ended }: SendingOptions,
  input: PromptInput,
): Promise<void> {
  const collected = runSummary()
  const unsubscribe = controller.current.session.subscribe((step) => {
    if ("entries" in step) for (const entry of step.entries) collected.add(entry)
  })
  dispatch({ kind: "running", isRunning: true })
  try {
    const end = await controller.prompt(input)
    await settled()
    reportInConversation(streamsOf(t, print), end, collected.summary())
    ended(end)
  } finally {
    unsubscribe()
    dispatch({ kind: "running", isRunning: false })
    dispatch({ kind: "calls", calls: [] })
  }
}

/** For reports and questions of the line mode, which write lines. */
export function streamsOf(t: Translate, print: (text: string) => void): OutputStreams {
  return { t, out: print, err: print, outIsTerminal: true, errIsTerminal: true, outputClosed: false }
}

/** Null: they could not be found. */
async function completionItems(
  controller: SessionController,
  { kind, typed, command }: CompletionTarget,
): Promise<readonly CompletionItem[] | null> {
  if (kind === "file") {
    const found = await controller.call("find_files", { query: typed, limit: FILES_MAX })
    return found.ok ? found.data.paths.map((value) => ({ value, about: "" })) : null
  }
  const args = kind === "command" ? { name: typed } : { name: command, arguments: typed }
  const found = await controller.call("complete", args)
  return found.ok ? found.data.completions.map(({ value, about = "" }) => ({ value, about })) : null
}

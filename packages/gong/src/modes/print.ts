import { cacheHitRate, type Clock, projection } from "@gong/spec"
import type { PromptController } from "@gong/app/controller/api"
import { endWithStorage, resultEvent, type RunSummary, runSummary } from "@gong/session/result"
import { seconds, amountText } from "@gong/texts/amounts"
import { orderedOutput, type OrderedOutput } from "./ordered-output.ts"
import { type ProgressLine, progressLines } from "./progress.ts"
import { report } from "./report.ts"
import { runningCalls } from "./running-calls.ts"
import { saveAnswer, type SaveOptions } from "./save.ts"
import type { RenderCallEnd } from "./render-call.ts"
import type { OutputStreams } from "./output-streams.ts"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import type { Translate } from "@gong/texts/translator"

export interface PrintOptions extends SaveOptions {
  readonly input: PromptInput
  /** `text`: the answer; `json`: exactly the result line. */
  readonly output: "text" | "json"
  readonly quiet: boolean
  readonly clock: Clock
  /** The command that resumes the session; null if it is not stored. */
  readonly resume: string | null
  /** Renders ended calls in place of Gong; null: none. */
  readonly render: RenderCallEnd | null
}

/** Runs one prompt: the answer goes to stdout, everything else to stderr. Returns the exit status. */
export async function print(
  controller: PromptController,
  streams: OutputStreams,
  options: PrintOptions,
): Promise<number> {
  const { session } = controller.current
  const startedAt = options.clock.now()
  const collected = runSummary()
  const showsProgress = streams.errIsTerminal && !options.quiet
  const line = progressLines({
    t: streams.t,
    declared: session.declared,
    undo: options.resume === null ? null : "gong undo compaction",
    output: null,
    render: showsProgress ? options.render : null,
  })
  const output = orderedOutput()
  const events = projection({ partial: showsProgress, contextWindow: 0 })
  const running = runningCalls(options.clock, (text) => output.run(() => streams.err(`${text}\n`)))
  const unsubscribe = session.subscribe(
    (step) => {
      if ("entries" in step) for (const entry of step.entries) collected.add(entry)
      // The output of a slash command is the answer.
      if ("notification" in step && step.notification.code === "command" && options.output === "text")
        return streams.out(`${step.notification.text}\n`)
      // Without progress only notifications are shown, so no other step is projected.
      if (showsProgress || "notification" in step || "inside" in step)
        for (const event of events.project(step)) {
          if (showsProgress) running.take(event)
          writeLine(streams, options, output, line(event))
        }
    },
    { partials: showsProgress },
  )
  const ran = await controller.prompt(options.input)
  running.stop()
  unsubscribe()
  await output.settled()

  const summary = collected.summary()
  const { end, exit } = await endWithStorage(session, ran, await saveAnswer(streams, options, ran, summary.text))
  if (options.output === "json") {
    streams.out(`${JSON.stringify(resultEvent(end, exit, summary, session.id, options.clock.now() - startedAt))}\n`)
  } else if (summary.text !== "") {
    streams.out(summary.text.endsWith("\n") ? summary.text : `${summary.text}\n`)
  }
  report(streams, end, summary)
  if (!options.quiet && streams.errIsTerminal)
    streams.err(`${summaryLine(streams.t, summary, options.clock.now() - startedAt, options.resume)}\n`)
  return exit
}

function writeLine(streams: OutputStreams, options: PrintOptions, output: OrderedOutput, line: ProgressLine): void {
  if (!line) return
  const isShown = { warning: true, retry: !options.quiet, progress: streams.errIsTerminal && !options.quiet }
  if (isShown[line.kind]) output.write(line, (text) => streams.err(`${text}\n`))
}

function summaryLine(t: Translate, summary: RunSummary, ms: number, resume: string | null): string {
  const tools = summary.toolCalls === 1 ? t`1 tool call` : t`${summary.toolCalls} tool calls`
  return [
    seconds(ms),
    tools,
    amountText(t, summary),
    ...cached(t, summary),
    ...(resume ? [t`${resume} to continue`] : []),
  ].join(" · ")
}

/** The share of prompt tokens read from the provider's cache; empty if it reports none. */
function cached(t: Translate, { usage }: RunSummary): readonly string[] {
  const rate = cacheHitRate(usage)
  return rate === null || rate === 0 ? [] : [t`${Math.round(rate * 100)} % cached`]
}

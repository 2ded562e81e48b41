import { cacheHitRate, projection } from "@gong/spec"
import type { PromptController } from "@gong/app/controller/api"
import { endWithStorage, resultEvent, type RunSummary, runSummary } from "@gong/session/result"
import { seconds, spent } from "@gong/texts/amounts"
import { inOrder, type Order } from "./in-order.ts"
import { type ProgressLine, progressLines } from "./progress.ts"
import { report } from "./report.ts"
import { saveAnswer, type SaveOptions } from "./save.ts"
import type { ShowEnd } from "./show-call.ts"
import type { Surface } from "./surface.ts"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import type { Translate } from "@gong/texts/translator"

export interface PrintOptions extends SaveOptions {
  readonly input: PromptInput
  /** `text`: the answer; `json`: exactly the result line. */
  readonly output: "text" | "json"
  readonly quiet: boolean
  /** Milliseconds, for the duration. */
  now(): number
  /** What to type to go on, or null without a stored session. */
  readonly goOn: string | null
  /** Makes lines of ended calls in place of Gong's; null: nothing does. */
  readonly show: ShowEnd | null
}

/** One prompt, one answer: the answer on stdout, all else on stderr. Returns the exit status. */
export async function print(controller: PromptController, surface: Surface, options: PrintOptions): Promise<number> {
  const { session } = controller.current
  const startedAt = options.now()
  const collected = runSummary()
  // Where only warnings are said, only notifications need to become events.
  const chatty = surface.errIsTerminal && !options.quiet
  const line = progressLines(
    surface.t,
    options.goOn === null ? null : "gong undo compaction",
    session.declared,
    chatty ? options.show : null,
  )
  const order = inOrder()
  const events = projection({ partial: false, contextWindow: 0 })
  const unsubscribe = session.subscribe(
    (step) => {
      if ("entries" in step) for (const entry of step.entries) collected.add(entry)
      // What was asked of a command is answered by it, and by no model.
      if ("notification" in step && step.notification.code === "command" && options.output === "text")
        return surface.out(`${step.notification.text}\n`)
      if (chatty || "notification" in step || "inside" in step)
        for (const event of events.project(step)) tell(surface, options, order, line(event))
    },
    { partials: false },
  )
  const ran = await controller.prompt(options.input)
  unsubscribe()
  await order.settled()

  const summary = collected.summary()
  const { end, exit } = await endWithStorage(session, ran, await saveAnswer(surface, options, ran, summary.text))
  if (options.output === "json") {
    surface.out(`${JSON.stringify(resultEvent(end, exit, summary, session.id, options.now() - startedAt))}\n`)
  } else if (summary.text !== "") {
    surface.out(summary.text.endsWith("\n") ? summary.text : `${summary.text}\n`)
  }
  report(surface, end, summary)
  if (!options.quiet && surface.errIsTerminal)
    surface.err(`${closing(surface.t, summary, options.now() - startedAt, options.goOn)}\n`)
  return exit
}

function tell(surface: Surface, options: PrintOptions, order: Order, line: ProgressLine): void {
  if (!line) return
  const wanted = { warning: true, retry: !options.quiet, progress: surface.errIsTerminal && !options.quiet }
  if (wanted[line.kind]) order.say(line, (text) => surface.err(`${text}\n`))
}

function closing(t: Translate, summary: RunSummary, ms: number, goOn: string | null): string {
  const tools = summary.toolCalls === 1 ? t`1 tool call` : t`${summary.toolCalls} tool calls`
  return [seconds(ms), tools, spent(t, summary), ...cached(t, summary), ...(goOn ? [t`${goOn} goes on`] : [])].join(
    " · ",
  )
}

/** What of the prompts the provider had in its cache; nothing where it counts none. */
function cached(t: Translate, { usage }: RunSummary): readonly string[] {
  const rate = cacheHitRate(usage)
  return rate === null || rate === 0 ? [] : [t`${Math.round(rate * 100)} % cached`]
}

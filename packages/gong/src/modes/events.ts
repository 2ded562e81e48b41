import { type Clock, projection, type SessionEvent } from "@gong/spec"
import type { PromptController } from "@gong/app/controller/api"
import { endWithStorage, resultEvent, runSummary } from "@gong/session/result"
import { lineWriter } from "./event-lines.ts"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { saveAnswer, type SaveOptions } from "./save.ts"
import type { OutputStreams } from "./output-streams.ts"

export interface EventsOptions extends SaveOptions {
  readonly input: PromptInput
  /** The first line. */
  readonly session: SessionEvent
  /** Whether partials are written too. */
  readonly partial: boolean
  /** Tokens of the current model. */
  readonly contextWindow: number
  readonly clock: Clock
}

/** Runs one prompt and writes its events as JSON lines: `session` first, `result` last. Returns the exit status. */
export async function events(
  controller: PromptController,
  streams: OutputStreams,
  options: EventsOptions,
): Promise<number> {
  const { session } = controller.current
  const startedAt = options.clock.now()
  let run: string | undefined
  const write = lineWriter(
    (text) => streams.out(text),
    () => options.clock.now(),
  )
  const collected = runSummary()
  const projected = projection(options)
  write(options.session)
  const unsubscribe = session.subscribe(
    (step) => {
      if ("entries" in step) for (const entry of step.entries) collected.add(entry)
      for (const event of projected.project(step)) {
        run = event.run ?? run
        write(event)
      }
    },
    { partials: options.partial },
  )
  const ran = await controller.prompt(options.input)
  unsubscribe()
  const summary = collected.summary()
  const { end, exit } = await endWithStorage(session, ran, await saveAnswer(streams, options, ran, summary.text))
  const result = resultEvent(end, exit, summary, session.id, options.clock.now() - startedAt)
  write({ ...result, ...(run === undefined ? {} : { run }) })
  return exit
}

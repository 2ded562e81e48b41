import { openSession } from "@gong/app/compose/open-session"
import { answerFile, type SaveAnswer } from "@gong/app/compose/output/answer-file"
import { readInput, withKeyOfStdin } from "./input.ts"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import type { UsageError } from "@gong/config/usage"
import type { SessionController } from "@gong/app/controller/api"
import { createController } from "@gong/app/controller/controller"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { unseenImages } from "@gong/app/controller/unseen-images"
import { showing } from "./modes/show-call.ts"
import { systemClock } from "@gong/app/ports"
import { firstLine } from "./commands/first-line.ts"
import { abortOnEnding, exitIn } from "./commands/process-ending.ts"
import type { World } from "./world.ts"
import { usageLines } from "@gong/config/usage"

/** Sends a message in the mode that the options and the terminals ask for; gives the exit status. */
export async function runMessage(world: World, options: Options, words: readonly string[]): Promise<number> {
  if (isConversation(world, options)) {
    const { converse } = await import("./converse.ts")
    return converse(world, options, words)
  }
  const save = answerFile(options.outFile)
  if (!save.ok) return refused(world, save.error)
  const input = await readInput(world, systemClock, options, words)
  if (!input.ok) return refused(world, input.error)
  const spec = await withKeyOfStdin(world, specOf(options, false))
  if (!spec.ok) return refused(world, spec.error)
  const built = await openSession(spec.value, world)
  if (!built.ok) return refused(world, built.error)
  const controller = createController({ services: world, spec: spec.value, exitOf: exitIn(world) }, built.value)
  abortOnEnding(world, controller)
  let exit = 1
  let kept = false
  try {
    exit = await headless(world, options, controller, { input: input.value, save: save.value })
  } catch (error) {
    const { refusedByDisk } = await import("@gong/config/refused-disk")
    const line = refusedByDisk(world.t, error)
    if (line === null) throw error
    // The model was asked, which 2 would deny.
    world.err(`${line}\n`)
  } finally {
    // A server for the tests, say, would outlive the answer that it was started for.
    kept = await controller.leave()
  }
  return kept ? exit : exit || 1
}

/** A person at both ends, and no wish for one answer. */
function isConversation(world: World, options: Options): boolean {
  const once = options.print === true || (options.output !== undefined && options.output !== "text")
  return !once && world.outIsTerminal && world.stdin === "terminal"
}

interface Asked {
  readonly input: PromptInput
  readonly save: SaveAnswer | null
}

async function headless(
  world: World,
  options: Options,
  controller: SessionController,
  { input, save }: Asked,
): Promise<number> {
  const { info, chosen, lines } = controller.current
  const common = {
    input,
    save,
    exitOf: exitIn(world),
    now: () => systemClock.now(),
  }
  for (const line of [...lines, ...unseenImages(world.t, chosen.model, input)]) world.err(`${line}\n`)
  if (options.output === "events") {
    const { events } = await import("./modes/events.ts")
    const { contextWindow } = chosen.model
    return events(controller, world, { ...common, session: info, partial: options.partial === true, contextWindow })
  }
  if (options.quiet !== true) world.err(`${firstLine(world.t, controller.current)}\n`)
  const { print } = await import("./modes/print.ts")
  const goOn = info.tape === null ? null : "gong -c"
  const output = options.output === "json" ? "json" : "text"
  return print(controller, world, {
    ...common,
    output,
    quiet: options.quiet === true,
    goOn,
    show: showing(world, () => controller.current.resources.extensions.renderers),
  })
}

function refused(world: World, error: UsageError): number {
  for (const line of usageLines(world.t, error)) world.err(`${line}\n`)
  return error.exit
}

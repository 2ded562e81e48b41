import type { RunEnd } from "@gong/spec"
import { type App, openSession } from "./build.ts"
import { answerFile, type SaveAnswer } from "./build/answer-file.ts"
import { readInput, withKeyOfStdin } from "./build/input.ts"
import { exitStatus } from "./config/exit.ts"
import type { Options } from "./config/flags.ts"
import { specOf } from "./config/spec-of.ts"
import type { UsageError } from "./config/usage.ts"
import { createController, type SessionController } from "./controller/controller.ts"
import type { PromptInput } from "./controller/prompt-input.ts"
import { unseenImages } from "./controller/unseen-images.ts"
import { showing } from "./modes/show-call.ts"
import { systemClock } from "./ports.ts"
import { shortId } from "./session/short-id.ts"
import type { World } from "./world.ts"
import type { Translate } from "./texts/translator.ts"
import { usageLines } from "./config/usage.ts"

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
    const { refusedByDisk } = await import("./config/refused-disk.ts")
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

/** Who is asked, what may run, and what confines it: said once, before anything happens. */
export function firstLine(t: Translate, { chosen, info }: Pick<App, "chosen" | "info">): string {
  const { credential, others } = chosen
  const from = credential ? t` from ${credential.from}` : ""
  const more =
    others > 0
      ? others === 1
        ? t` (1 other provider has a key; -m or gong models)`
        : t` (${others} other providers have keys; -m or gong models)`
      : ""
  const parts = [`${info.model}${from}${more}`, info.permission, sandboxText(t, info.sandbox)]
  if (info.resumed) parts.push(t`session ${shortId(info.id)}`)
  return parts.join(" · ")
}

function sandboxText(t: Translate, { mode, enforced, reason }: App["info"]["sandbox"]): string {
  if (mode === "off") return reason === undefined ? t`sandbox: off` : t`sandbox: off (${reason}; gong doctor explains)`
  const what = mode === "workspace" ? t`sandbox: files` : t`sandbox: read-only`
  if (enforced.includes("network")) return t`${what}, no network`
  return enforced.includes("hosts") ? t`${what}, network by host` : t`${what}, network open`
}

/** The exit status of this process after a run. */
export function exitIn(world: World): (end: RunEnd) => number {
  return (end) => exitStatus(end, world.ending ?? "interrupt")
}

/** The first signal to end stops the run, which then ends by itself; the second one does not wait. */
export function abortOnEnding(world: World, controller: SessionController, stopping = (): void => undefined): void {
  let asked = false
  world.onEnding((ending) => {
    const { current } = controller
    if (asked) {
      current.close()
      world.quit(exitStatus({ status: "interrupted" }, ending))
    }
    asked = true
    current.session.abort()
    stopping()
  })
}

function refused(world: World, error: UsageError): number {
  for (const line of usageLines(world.t, error)) world.err(`${line}\n`)
  return error.exit
}

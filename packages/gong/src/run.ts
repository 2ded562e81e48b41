import { openSession } from "@gong/app/compose/open-session"
import { answerFile, type SaveAnswer } from "@gong/app/compose/output/answer-file"
import { readInput, withStdinKey } from "./input.ts"
import type { Options } from "./command-line/flags.ts"
import { specOf } from "./command-line/spec-of.ts"
import { printUsageError } from "./command-line/usage-error.ts"
import type { SessionController } from "@gong/app/controller/api"
import { createController } from "@gong/app/controller/controller"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { unseenImages } from "@gong/app/controller/unseen-images"
import { extensionRenderer } from "./modes/render-call.ts"
import { sessionSummary } from "./commands/session-summary.ts"
import { abortOnShutdown, exitStatusIn } from "./commands/process-exit.ts"
import type { Cli } from "./cli.ts"

/** Runs a message in the mode given by the options and the terminal. Returns the exit status. */
export async function runMessage(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  if (isConversation(cli, options)) {
    const { runConversation } = await import("./conversation.ts")
    return runConversation(cli, options, words)
  }
  const save = answerFile(options.outFile)
  if (!save.ok) return printUsageError(cli, save.error)
  const input = await readInput(cli, cli.clock, options, words)
  if (!input.ok) return printUsageError(cli, input.error)
  const spec = await withStdinKey(cli, specOf(options, false))
  if (!spec.ok) return printUsageError(cli, spec.error)
  const opened = await openSession(spec.value, cli)
  if (!opened.ok) return printUsageError(cli, opened.error)
  const controller = createController({ services: cli, spec: spec.value, exitOf: exitStatusIn(cli) }, opened.value)
  abortOnShutdown(cli, controller)
  let exit = 1
  let isStored = false
  try {
    exit = await headless(cli, options, controller, { input: input.value, save: save.value })
  } catch (error) {
    const { diskErrorLine } = await import("@gong/config/disk-error")
    const line = diskErrorLine(cli.t, error)
    if (line === null) throw error
    // The exit status stays 1: status 2 means that no request was sent.
    cli.err(`${line}\n`)
  } finally {
    // Ends background jobs, for example a server for tests.
    isStored = await controller.shutdown()
  }
  return isStored ? exit : exit || 1
}

/** Stdin and stdout are terminals, and no option requests a single answer. */
function isConversation(cli: Cli, options: Options): boolean {
  const once = options.print === true || (options.output !== undefined && options.output !== "text")
  return !once && cli.outIsTerminal && cli.stdin === "terminal"
}

interface HeadlessRequest {
  readonly input: PromptInput
  readonly save: SaveAnswer | null
}

async function headless(
  cli: Cli,
  options: Options,
  controller: SessionController,
  { input, save }: HeadlessRequest,
): Promise<number> {
  const { info, chosen, lines } = controller.current
  const common = {
    input,
    save,
    exitOf: exitStatusIn(cli),
    clock: cli.clock,
  }
  for (const line of [...lines, ...unseenImages(cli.t, chosen.model, input)]) cli.err(`${line}\n`)
  if (options.output === "events") {
    const { events } = await import("./modes/events.ts")
    const { contextWindow } = chosen.model
    return events(controller, cli, { ...common, session: info, partial: options.partial === true, contextWindow })
  }
  if (options.quiet !== true) cli.err(`${sessionSummary(cli.t, controller.current)}\n`)
  const { print } = await import("./modes/print.ts")
  const resume = info.tape === null ? null : "gong -c"
  const output = options.output === "json" ? "json" : "text"
  return print(controller, cli, {
    ...common,
    output,
    quiet: options.quiet === true,
    resume,
    render: extensionRenderer(cli, () => controller.current.resources.extensions.renderers),
  })
}

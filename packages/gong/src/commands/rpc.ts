import { phrase } from "@gong/spec"
import { openSession } from "@gong/app/compose/open-session"
import { processPorts } from "@gong/app/process-services"
import { exitStatus } from "../command-line/exit.ts"
import type { Options } from "../command-line/flags.ts"
import { specOf } from "../command-line/spec-of.ts"
import { printUsageError } from "../command-line/usage-error.ts"
import { usage } from "@gong/config/usage"
import { createController } from "@gong/app/controller/controller"
import { rpc } from "../modes/rpc/rpc.ts"
import { abortOnShutdown, exitStatusIn } from "./process-exit.ts"
import type { Cli } from "../cli.ts"

/** Milliseconds to wait at the end for a client that does not read. */
const drainTimeout = 10_000

/** `gong rpc`: a session for another program. Returns the exit status. */
export async function rpcCommand(cli: Cli, options: Options): Promise<number> {
  if (options.apiKey === "-")
    return printUsageError(
      cli,
      usage(phrase`--api-key - cannot be used with gong rpc: stdin belongs to the client.`).error,
    )
  const spec = specOf(options, true)
  // Syncs of one session must not delay responses of another session or of a task.
  const services = Object.assign(Object.create(cli) as Cli, processPorts(cli, "thread-pool"))
  const opened = await openSession(spec, services)
  if (!opened.ok) return printUsageError(cli, opened.error)
  const controller = createController({ services, spec, exitOf: exitStatusIn(cli) }, opened.value)
  const { promise: shutdown, resolve: onShutdown } = Promise.withResolvers<void>()
  abortOnShutdown(cli, controller, onShutdown)
  const printLines = ({ lines }: { readonly lines: readonly string[] }): void => {
    for (const line of lines) cli.err(`${line}\n`)
  }
  printLines(opened.value)
  controller.listen({ opened: printLines })
  const exit = await rpc(controller, {
    version: cli.version,
    commands: cli.openStdin(),
    stream: cli,
    now: () => cli.clock.now(),
    drainTimeout: () => cli.clock.sleep(drainTimeout),
    shutdown,
  })
  const isRead = await Promise.race([cli.flush().then(() => true), cli.clock.sleep(drainTimeout).then(() => false)])
  if (!isRead) {
    cli.err(cli.t`gong: the client did not read the last ${cli.buffered} bytes; exiting\n`)
    cli.quit(exitStatus({ status: "interrupted" }, "broken-pipe"))
  }
  return cli.shutdown === null ? exit : exitStatus({ status: "interrupted" }, cli.shutdown)
}

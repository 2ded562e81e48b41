import { phrase } from "@gong/spec"
import { openSession } from "@gong/app/compose/open-session"
import { exitStatus } from "../command-line/exit.ts"
import type { Options } from "../command-line/flags.ts"
import { specOf } from "../command-line/spec-of.ts"
import { usage, type UsageError, usageLines } from "@gong/config/usage"
import { createController } from "@gong/app/controller/controller"
import { rpc } from "../modes/rpc/rpc.ts"
import { systemClock } from "@gong/app/ports"
import { abortOnEnding, exitIn } from "./process-ending.ts"
import type { World } from "../world.ts"

/** Milliseconds that a client which does not read its lines is waited for at the end. */
const lastReading = 10_000

/** A client that is served here is not held up by the disk of another session, or by that of a task. */
const syncMode = "thread-pool"

/** `gong rpc`: the session of this command line for another program. Gives the exit status. */
export async function rpcCommand(world: World, options: Options): Promise<number> {
  if (options.apiKey === "-")
    return refused(world, usage(phrase`--api-key - reads stdin, which is the client's here.`).error)
  const spec = specOf(options, true)
  const built = await openSession(spec, world, { syncMode })
  if (!built.ok) return refused(world, built.error)
  const controller = createController({ services: world, spec, syncMode, exitOf: exitIn(world) }, built.value)
  const { promise: ending, resolve: stopping } = Promise.withResolvers<void>()
  abortOnEnding(world, controller, stopping)
  const warn = ({ lines }: { readonly lines: readonly string[] }): void => {
    for (const line of lines) world.err(`${line}\n`)
  }
  warn(built.value)
  controller.listen({ opened: warn })
  const exit = await rpc(controller, {
    version: world.version,
    commands: world.openStdin(),
    reader: world,
    now: () => systemClock.now(),
    lastReading: () => systemClock.sleep(lastReading),
    ending,
  })
  const read = await Promise.race([world.flush().then(() => true), systemClock.sleep(lastReading).then(() => false)])
  if (!read) {
    world.err(world.t`gong: the client has not read ${world.unsent} bytes of what was said; left without it\n`)
    world.quit(exitStatus({ status: "interrupted" }, "reader-gone"))
  }
  return world.ending === null ? exit : exitStatus({ status: "interrupted" }, world.ending)
}

function refused(world: World, error: UsageError): number {
  for (const line of usageLines(world.t, error)) world.err(`${line}\n`)
  return error.exit
}

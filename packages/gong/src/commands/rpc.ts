import { phrase } from "@gong/spec"
import { type App, build } from "../build.ts"
import { systemClock } from "../ports.ts"
import { exitStatus } from "../config/exit.ts"
import type { Options } from "../config/flags.ts"
import { usage, type UsageError, usageLines } from "../config/usage.ts"
import { rpc } from "../modes/rpc/rpc.ts"
import type { OpenSession, RpcPorts } from "../modes/rpc/ports.ts"
import type { World } from "../world.ts"
import { rpcHome } from "./rpc/home.ts"
import { openTarget, syncMode } from "./rpc/open-target.ts"
import { openSession } from "./rpc/open-session.ts"

/** Milliseconds that a client which does not read its lines is waited for at the end. */
const lastReading = 10_000

/** `gong rpc`: the session of this command line for another program. Gives the exit status. */
export async function rpcCommand(world: World, options: Options): Promise<number> {
  if (options.apiKey === "-")
    return refused(world, usage(phrase`--api-key - reads stdin, which is the client's here.`).error)
  const built = await build(world, options, true, { syncMode })
  if (!built.ok) return refused(world, built.error)
  let app = built.value
  let stopping = false
  const { promise: ending, resolve: end } = Promise.withResolvers<void>()
  // The first wish to end stops what works, and the second one does not wait.
  world.onEnding((how) => {
    if (stopping) {
      app.close()
      world.quit(exitStatus({ status: "interrupted" }, how))
    }
    stopping = true
    app.session.abort()
    end()
  })
  const at = (next: App): OpenSession => {
    app = next
    for (const line of app.lines) world.err(`${line}\n`)
    return openSession(world, options, app)
  }
  const ports: RpcPorts = {
    version: world.version,
    commands: world.openStdin(),
    reader: world,
    open: async (target) => {
      const opened = await openTarget(world, options, app, target)
      return opened.ok ? { ok: true, data: at(opened.data) } : opened
    },
    ...rpcHome(world, options),
    exitOf: (run) => exitStatus(run, world.ending ?? "interrupt"),
    now: () => systemClock.now(),
    lastReading: () => systemClock.sleep(lastReading),
    ending,
  }
  const exit = await rpc(ports, at(app))
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

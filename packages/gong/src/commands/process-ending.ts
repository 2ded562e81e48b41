import type { RunEnd } from "@gong/spec"
import { exitStatus } from "../command-line/exit.ts"
import type { SessionController } from "@gong/app/controller/api"
import type { World } from "../world.ts"

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

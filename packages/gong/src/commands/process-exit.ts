import type { RunEnd } from "@gong/spec"
import { exitStatus } from "../command-line/exit.ts"
import type { SessionController } from "@gong/app/controller/api"
import type { Process } from "../cli.ts"

/** The exit status of this process after a run. */
export function exitStatusIn(process: Pick<Process, "shutdown">): (end: RunEnd) => number {
  return (end) => exitStatus(end, process.shutdown ?? "interrupt")
}

/** The first shutdown request aborts the run, which ends normally; the second one exits at once. */
export function abortOnShutdown(
  process: Pick<Process, "onShutdown" | "quit">,
  controller: SessionController,
  aborted = (): void => undefined,
): void {
  let requested = false
  process.onShutdown((cause) => {
    const { current } = controller
    if (requested) {
      current.close()
      process.quit(exitStatus({ status: "interrupted" }, cause))
    }
    requested = true
    current.session.abort()
    aborted()
  })
}

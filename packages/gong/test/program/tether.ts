import { createServer } from "node:net"
import type { TestContext } from "node:test"

/** Holds on to the processes of a command: they are there from `held` on, and all of them gone at `released`. */
export interface Tether {
  /** To be run by bash; does not end by itself. */
  readonly command: string
  readonly held: Promise<void>
  readonly released: Promise<void>
}

/** A connection that a command and all its children inherit: it closes when the last of them is dead. */
export async function tether(t: TestContext): Promise<Tether> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let group = 0
  const server = createServer((socket) => {
    socket.on("error", () => undefined).on("close", () => released.resolve())
    socket.once("data", (pid: Buffer) => {
      group = Number(pid.toString())
      held.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    endGroup(group)
    server.close()
  })
  const { port } = server.address() as { port: number }
  const command = `exec 9<>/dev/tcp/127.0.0.1/${port}; echo $$ >&9; sleep 1000 & sleep 1000`
  return { command, held: held.promise, released: released.promise }
}

/** What a failed test, or one that killed Gong outright, may have left. */
function endGroup(group: number): void {
  try {
    if (group > 1) process.kill(-group, "SIGKILL")
  } catch {
    // All of them are gone, as they should be.
  }
}

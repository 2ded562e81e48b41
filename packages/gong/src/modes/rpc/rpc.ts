import type { SessionController } from "@gong/app/controller/api"
import { answerLine, type Connection } from "./answer.ts"
import { feedTo } from "./feed.ts"
import { linesOf } from "./lines.ts"
import { outletTo, type Reader } from "./outlet.ts"

/** The client's end, and the process around it. */
export interface RpcOptions {
  readonly version: string
  /** What the client writes. */
  readonly commands: AsyncIterable<Uint8Array>
  /** The client reads here. */
  readonly reader: Reader
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves when the client has had time enough to read the last lines. */
  lastReading(): Promise<void>
  /** Resolves when something outside wants the process to end. */
  readonly ending: Promise<void>
}

/**
 * A session for another program: its commands as JSON lines, each answered, and events between the answers (interface
 * part 4). Ends when the client asks for it, closes its end, or something outside ends it; what works by then comes to its
 * end first. Gives the exit status: 0, 2 after a protocol that is not spoken, 1 when steps are not kept.
 */
export async function rpc(controller: SessionController, options: RpcOptions): Promise<number> {
  const { version, ending } = options
  const outlet = outletTo(options.reader, options.now)
  const feed = feedTo(outlet)
  const connection: Connection = { controller, version, outlet, feed, exit: null }
  controller.listen({
    async opened({ session, info }) {
      await Promise.race([feed.drained(), ending])
      feed.open(session, info)
    },
    ended: (result) => feed.event(result),
  })
  feed.open(controller.current.session, controller.current.info)
  const lines = linesOf(options.commands)
  const ended = ending.then(() => null)
  while (connection.exit === null) {
    const line = await Promise.race([lines.next(), ended])
    if (line === null || line.done === true) break
    await answerLine(connection, line.value)
    await Promise.race([outlet.room(), ended])
  }
  controller.hangUp()
  await controller.settled()
  const kept = await controller.leave()
  await Promise.race([feed.drained(), options.lastReading()])
  return connection.exit ?? (kept ? 0 : 1)
}

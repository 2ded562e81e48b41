import type { SessionController } from "@gong/app/controller/api"
import { answerLine, type Connection } from "./answer.ts"
import { createFeed } from "./feed.ts"
import { linesOf } from "./lines.ts"
import { clientOutput, type ClientStream } from "./client-output.ts"

/** The streams of the client, and the process. */
export interface RpcOptions {
  readonly version: string
  /** Commands of the client. */
  readonly commands: AsyncIterable<Uint8Array>
  /** Events and responses to the client. */
  readonly stream: ClientStream
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves when the client had enough time to read the last lines. */
  drainTimeout(): Promise<void>
  /** Resolves on a shutdown request from outside. */
  readonly shutdown: Promise<void>
}

/**
 * A session for another program: commands as JSON lines, a response to each, and events between the responses (interface part 4).
 * Ends on a command of the client, at the end of its stream, or on a shutdown request; current work ends first. Returns the exit
 * status: 0; 2 after an unsupported protocol; 1 if steps could not be stored.
 */
export async function rpc(controller: SessionController, options: RpcOptions): Promise<number> {
  const { version, shutdown } = options
  const output = clientOutput(options.stream, options.now)
  const feed = createFeed(output)
  const connection: Connection = { controller, version, output, feed, exit: null }
  controller.listen({
    async opened({ session, info }) {
      await Promise.race([feed.drained(), shutdown])
      feed.open(session, info)
    },
    ended: (result) => feed.event(result),
  })
  feed.open(controller.current.session, controller.current.info)
  const lines = linesOf(options.commands)
  const ended = shutdown.then(() => null)
  while (connection.exit === null) {
    const line = await Promise.race([lines.next(), ended])
    if (line === null || line.done === true) break
    await answerLine(connection, line.value)
    await Promise.race([output.drained(), ended])
  }
  controller.disconnect()
  await controller.settled()
  const isStored = await controller.shutdown()
  await Promise.race([feed.drained(), options.drainTimeout()])
  return connection.exit ?? (isStored ? 0 : 1)
}

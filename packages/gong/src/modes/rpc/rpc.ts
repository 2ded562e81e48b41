import { answerLine } from "./answer.ts"
import { createDesk } from "./desk.ts"
import { linesOf } from "./lines.ts"
import type { OpenSession, RpcPorts } from "./ports.ts"

/**
 * A session for another program: its commands as JSON lines, each answered, and events between the answers (interface
 * part 4). Ends when the client asks for it, closes its end, or something outside ends it; what works by then comes to its
 * end first. Gives the exit status: 0, 2 after a protocol that is not spoken, 1 when steps are not kept.
 */
export async function rpc(ports: RpcPorts, first: OpenSession): Promise<number> {
  const desk = createDesk(ports, first)
  const lines = linesOf(ports.commands)
  const ended = ports.ending.then(() => null)
  while (desk.exit === null) {
    const line = await Promise.race([lines.next(), ended])
    if (line === null || line.done === true) break
    await answerLine(desk, line.value)
    await Promise.race([desk.outlet.room(), ended])
  }
  desk.hangUp()
  await desk.settled()
  const kept = await desk.open.leave()
  await Promise.race([desk.feed.drained(), ports.lastReading()])
  return desk.exit ?? (kept && desk.kept ? 0 : 1)
}

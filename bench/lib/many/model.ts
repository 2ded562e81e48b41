import type { PlayedCall, Turn } from "../../../testing/src/model-server.ts"
import { startModelServer } from "../../../testing/src/model-server.ts"
import { callsOf } from "./work.ts"

/**
 * A model in a process of its own for many sessions at once: each asks under a path of its own, which ends with its number, and
 * gets its own turns in order. Prints its URL.
 */
const asked = new Map<string, number>()

const server = await startModelServer({
  bodies: false,
  otherwise({ path }) {
    const [session = ""] = path.split("/v1/")
    const turn = asked.get(session) ?? 0
    asked.set(session, turn + 1)
    return turnOf(callsOf(Number(session.split("/").at(-1)))[turn])
  },
})

/** A reply of about 20 ms in 20 deltas. */
function turnOf(call: PlayedCall | undefined): Turn {
  const text = call === undefined ? "All of it is done." : `Now I call ${call.name}.`
  return { text: text.padEnd(20 * 16, " and on"), delayMs: 1, ...(call && { calls: [call] }) }
}

console.log(server.url)

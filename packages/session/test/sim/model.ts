import type { PlayedCall, Turn } from "@gong/testing/model-server/turn"
import type { Rng } from "@gong/testing/sim/rng"
import type { Outage } from "./plan.ts"

/** A model with random replies, valid and invalid. */
export interface SimModel {
  /** A new prompt: the maximum number of replies with calls, and the models that are unavailable. */
  begin(rounds: number, outages: readonly Outage[]): void
  /** `place`: which of the models is asked. */
  turn(place: number): Turn
  /** Answers a request for a summary, mostly with one. */
  summary(place: number): Turn
}

export const secret = "sk-simulated-secret"
export const files: Readonly<Record<string, string>> = {
  "/work/a.txt": "alpha\nbeta\ngamma\n",
  "/work/b.txt": "one\ntwo\nthree\n",
  "/work/secret.txt": `key = ${secret}\n`,
}

/**
 * `thinks`: reasoning comes first, for APIs that require it. `small`: the window is small; it counts no
 * tokens, and refuses a request as too long now and then.
 */
export function simModel(rng: Rng, { thinks, small }: { thinks: () => boolean; small: boolean }): SimModel {
  let left = 0
  let made = 0
  /** Replies that will fail in a row: servers are down for a while, not for one request. */
  let outage = 0
  let outages: readonly Outage[] = []
  /** Requests of this prompt, by the place of the model. */
  const answered = new Map<number, number>()
  const call = (): PlayedCall => {
    made += 1
    const number = made
    const path = rng.pick(["a.txt", "b.txt", "secret.txt", `new-${rng.int(3)}.txt`])
    const makers: [() => PlayedCall, ...(() => PlayedCall)[]] = [
      () => ({ name: "read", args: { path } }),
      () => ({ name: "read", args: { path } }),
      () => ({ name: "ls", args: {} }),
      () => ({ name: "write", args: { path, content: `written ${number}\n` } }),
      () => ({ name: "write", args: { path, content: `alpha and two, ${number}\n` } }),
      () => ({
        name: "edit",
        args: { path, edits: [{ oldText: rng.pick(["alpha", "two", "nowhere"]), newText: `n${number}` }] },
      }),
      () => ({ name: "bash", args: { command: `work ${number} ${rng.int(9000)} ${rng.int(3) === 0 ? 1 : 0}` } }),
      () => ({ name: "bash", args: { command: `work ${number} ${rng.int(400_000)} 0` } }),
      () => rng.pick(spoilt),
    ]
    // Some servers count the calls of each reply anew.
    const id = rng.chance(0.2) ? { id: `call_${rng.int(3)}` } : {}
    return { ...rng.pick(makers)(), ...id }
  }
  const turn = (): Turn => {
    outage = outage > 0 ? outage - 1 : rng.chance(0.03) ? rng.int(6) : 0
    const goesOn = left > 0
    left -= 1
    const calls = goesOn ? Array.from({ length: 1 + rng.int(4) }, call) : []
    return {
      ...(thinks() || rng.chance(0.3) ? { thinking: "let me think about it" } : {}),
      ...(goesOn && rng.chance(0.5) ? {} : { text: `words ${made}, and some more of them` }),
      ...(calls.length > 0 ? { calls } : {}),
      ...(rng.chance(0.5) ? { delayMs: rng.pick([1, 50, 700]) } : {}),
      ...(outage > 0 || rng.chance(0.15) ? { fault: faultOf(rng) } : {}),
      ...(!goesOn && rng.chance(0.05) ? { stop: "length" } : {}),
    }
  }
  const counted = (played: Turn): Turn => {
    if (!small) return played
    return rng.chance(0.05) ? { fault: tooLong } : { ...played, usage: false }
  }
  /** Its reply when this model is available. */
  const asked = (place: number, played: () => Turn): Turn => {
    const outage = outages.find((one) => one.place === place)
    const times = answered.get(place) ?? 0
    answered.set(place, times + 1)
    return outage !== undefined && times >= outage.after ? { fault: outage.fault } : counted(played())
  }
  return {
    turn: (place) => asked(place, turn),
    summary: (place) =>
      asked(place, () =>
        rng.chance(0.8) ? { text: `## Goal\nsummary ${made}`, delayMs: rng.pick([0, 50, 700]) } : turn(),
      ),
    begin(rounds, down) {
      left = rounds
      outages = down
      answered.clear()
    },
  }
}

const tooLong = { kind: "status", status: 400, overflow: true } as const

const spoilt: readonly [PlayedCall, ...PlayedCall[]] = [
  { name: "no_such_tool", args: {} },
  { name: "read", args: { path: 5 } },
  { name: "write", args: '{"path": "a.txt", "content": oops' },
  { name: "bash", args: {} },
]

function faultOf(rng: Rng): NonNullable<Turn["fault"]> {
  const after = { chunks: rng.int(6) }
  return rng.pick<() => NonNullable<Turn["fault"]>>([
    () => ({ kind: "drop", after }),
    () => ({ kind: "drop", after: "connect" }),
    () => ({ kind: "cut", after }),
    () => ({ kind: "stall", after: { chunks: rng.int(6) } }),
    () => ({ kind: "status", status: rng.pick([401, 429, 500, 503, 529]) }),
    () => ({ kind: "status", status: 429, retryAfter: rng.pick(["0", "7", "60", "61"]) }),
    () => ({ kind: "error-event", after }),
    () => ({ kind: "malformed", after }),
    () => ({ kind: "body", body: rng.pick(["html", "garbage"]) }),
  ])()
}

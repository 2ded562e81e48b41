import { type GateAnswer, type Hook, textOf, userText } from "@gong/spec"
import type { Rng } from "@gong/testing/sim/rng"
import type { RareState } from "./counts.ts"
import type { SimProcess } from "./process.ts"
import type { SimWorld } from "./world.ts"

/** Hooks that answer well and badly, slowly and never; none where the plan has none. */
export function simHooks(world: SimWorld, process: SimProcess): readonly Hook[] {
  const rng = world.plan.hooks
  return rng === null ? [] : [hookNamed("first", world, process, rng), hookNamed("second", world, process, rng)]
}

function hookNamed(name: string, world: SimWorld, process: SimProcess, rng: Rng): Hook {
  const behave = behaviour(world, process, rng)
  return {
    name,
    beforeToolCall: ({ id, arguments: args }) =>
      behave<GateAnswer>({ hung: "gate hung", threw: "gate threw", onHung: () => world.refused.add(id) }, () => {
        const answer = gateAnswer(rng, args)
        if (answer.answer === "block" || answer.answer === "cancel") world.refused.add(id)
        if (answer.answer === "block") world.count("gate refused")
        if (answer.answer === "ask") world.count("gate asked")
        if (answer.answer === "ok" && answer.arguments) world.count("arguments changed by a gate")
        return answer
      }),
    beforeSessionOp: () =>
      behave<GateAnswer>({ hung: "gate hung", threw: "gate threw" }, () =>
        rng.chance(0.2) ? { answer: "cancel" } : { answer: "ok" },
      ),
    beforeStop: () =>
      behave<GateAnswer>({ hung: "gate hung", threw: "gate threw" }, () => {
        if (!rng.chance(0.15)) return { answer: "ok" }
        world.count("sent on by a hook")
        return { answer: "block", reason: "go on" }
      }),
    onToolResult: (_, result) =>
      behave(pipe, () => {
        if (rng.chance(0.04)) return { ...result, stop: "enough" }
        if (!rng.chance(0.2)) return undefined
        world.count("result changed by a pipe")
        return { ...result, content: [{ type: "text", text: `seen by ${name}: ${textOf(result)}` }] }
      }),
    onContext: (messages) =>
      behave(pipe, () => (rng.chance(0.1) ? [...messages, userText(`a word from ${name}`)] : undefined)),
    onInput: (text) =>
      behave(pipe, () => {
        if (rng.chance(0.05)) {
          world.count("input taken by a hook")
          return { answer: "handled" }
        }
        return rng.chance(0.1) ? { answer: "transform", text: `${text}, said otherwise` } : { answer: "passthrough" }
      }),
    onBeforeAgent: () =>
      behave(pipe, () => {
        if (rng.chance(0.04)) {
          world.count("run stopped by a hook")
          return { stop: "not now" }
        }
        return rng.chance(0.1) ? { messages: [userText(`${name} was here`)] } : undefined
      }),
    watch: () => behave({ hung: "watcher hung", threw: "watcher threw" }, () => undefined),
  }
}

interface Manners {
  readonly hung: RareState
  readonly threw: RareState
  onHung?(): void
}

const pipe: Manners = { hung: "pipe hung", threw: "pipe threw" }

/** Mostly answers at once; else later, too late, never, or with an error. */
function behaviour(world: SimWorld, process: SimProcess, rng: Rng) {
  return async <T>(manners: Manners, answer: () => T): Promise<T> => {
    if (!process.alive) return new Promise(() => {})
    const dice = rng.next()
    if (dice < 0.02) {
      world.count(manners.hung)
      manners.onHung?.()
      return new Promise(() => {})
    }
    if (dice < 0.05) {
      world.count(manners.threw)
      throw new Error("a hook broke")
    }
    if (dice < 0.2) await process.clock.sleep(rng.int(4_900))
    return answer()
  }
}

function gateAnswer(rng: Rng, args: Readonly<Record<string, unknown>>): GateAnswer {
  if (rng.chance(0.7)) return { answer: "ok" }
  return rng.pick<() => GateAnswer>([
    () => ({ answer: "ok", note: "a gate has a word to say" }),
    () => ({ answer: "ok", arguments: { ...args, ...(typeof args["path"] === "string" ? { path: "a.txt" } : {}) } }),
    () => ({ answer: "ok", arguments: { ...args, path: 7 } }),
    () => ({ answer: "ask", reason: "a gate wants to know" }),
    () => ({ answer: "block", reason: "a gate says no" }),
    () => ({ answer: "cancel" }),
    () => ({ answer: "ok", tell: "a gate speaks to the user" }),
  ])()
}

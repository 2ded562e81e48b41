import { type GateAnswer, type Hook, type HookContext, phrase, type Text } from "@gong/spec"
import { type Called, type HookCaller, timeOf } from "./hook-call.ts"

export type Gated =
  | {
      readonly answer: "ok"
      readonly arguments: Readonly<Record<string, unknown>>
      /** Why permission is required, independent of policy. */
      readonly ask: string | null
      /** Texts for the model, added to the result. */
      readonly notes: readonly string[]
    }
  | { readonly answer: "block"; readonly reason: Text }

type Passed = Extract<Gated, { answer: "ok" }>

export interface Gates {
  readonly callback: "beforeToolCall" | "beforeSessionOp" | "beforeStop"
  readonly arguments: Readonly<Record<string, unknown>>
  ask(hook: Hook, args: Passed["arguments"], context: HookContext): Promise<GateAnswer> | undefined
}

/**
 * Calls gates in order, up to the first refusal. A gate that throws or returns an invalid answer passes and is reported; one
 * that exceeds its time limit blocks (design section 6). The limit does not include the user's time for a question.
 */
export async function askGates(hooks: readonly Hook[], gates: Gates, caller: HookCaller): Promise<Gated> {
  const { callback } = gates
  let passed: Passed = { answer: "ok", arguments: gates.arguments, ask: null, notes: [] }
  for (const hook of hooks) {
    if (!hook[callback]) continue
    const before = passed.arguments
    const called = await caller.call(hook, callback, (context) => gates.ask(hook, before, context))
    const gated = judged(hook, callback, called, passed, caller)
    if (gated.answer === "block") return gated
    passed = gated
  }
  return passed
}

function judged(
  hook: Hook,
  callback: Gates["callback"],
  called: Called<unknown>,
  passed: Passed,
  { report, aside }: HookCaller,
): Gated {
  switch (called.outcome) {
    case "error":
      return passed
    case "abandoned":
      return { answer: "block", reason: phrase`the run was stopped.` }
    case "timeout":
      report(hook, callback, phrase`no answer after ${timeOf(hook)} ms; blocked`)
      return { answer: "block", reason: phrase`the gate "${hook.name}" gave no answer in time.` }
    case "answer":
      if (isGateAnswer(called.value)) {
        aside(hook, called.value)
        return answered(called.value, passed)
      }
      report(hook, callback, phrase`unknown answer ${JSON.stringify(called.value)}; passed`)
      return passed
  }
}

function answered(answer: GateAnswer, passed: Passed): Gated {
  if (answer.answer === "block") return { answer: "block", reason: answer.reason }
  if (answer.answer === "cancel") return { answer: "block", reason: answer.reason ?? phrase`cancelled by a hook.` }
  const { arguments: args = passed.arguments } = answer
  if (answer.answer === "ask") return { ...passed, arguments: args, ask: passed.ask ?? answer.reason }
  return {
    ...passed,
    arguments: args,
    notes: answer.note === undefined ? passed.notes : [...passed.notes, answer.note],
  }
}

function isGateAnswer(value: unknown): value is GateAnswer {
  const answer = typeof value === "object" && value !== null && "answer" in value ? value.answer : undefined
  return answer === "ok" || answer === "ask" || answer === "block" || answer === "cancel"
}

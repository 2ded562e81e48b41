import type { Ask } from "@gong/spec"
import { textOf } from "@gong/spec"
import type { ScriptedStep, ScriptedTurn } from "@gong/llm/scripted"
import { say } from "../../texts/say.ts"

export function demoPrompt(): string {
  return say`The test for applyDiscount fails. Find out why and fix it.`
}

/**
 * What the scripted model says. It knows the task and nothing of the bug: which line is wrong it learns from what the
 * tools answer, like any model.
 */
export const demoScript: readonly ScriptedStep[] = [
  () => call(say`I'll look at the project first.`, "ls", { path: "." }),
  call("", "grep", { pattern: "applyDiscount" }),
  call("", "read", { path: "src/cart.js" }),
  () => call(say`Now the tests, to see how it fails.`, "bash", { command: "node --test" }),
  fix,
  call("", "bash", { command: "node --test" }),
  summary,
]

function call(text: string, name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn {
  return { text, calls: [{ name, arguments: args }] }
}

const right = "return price - (price * percent) / 100"

function fix(ask: Ask): ScriptedTurn {
  const wrong = wrongLine(ask)
  if (wrong === null) return { text: say`I could not find the line that computes the discount, so I changed nothing.` }
  const text = say`The test expects 1500 and the code says ${`\`${wrong.trim()}\``}: ${reason(wrong)}.`
  const newText = wrong.replace(/return .*/, right)
  return call(text, "edit", { path: "src/cart.js", edits: [{ oldText: wrong, newText }] })
}

/** The return of applyDiscount in what `read` gave. */
function wrongLine(ask: Ask): string | null {
  const lines = resultOf(ask, "read").split("\n")
  const start = lines.findIndex((line) => line.includes("function applyDiscount"))
  return lines.slice(start).find((line) => start >= 0 && line.trim().startsWith("return ")) ?? null
}

function reason(wrong: string): string {
  if (wrong.includes("+")) return say`it adds the discount instead of taking it off`
  if (!wrong.includes("100"))
    return wrong.includes("*") ? say`it takes percent for a fraction` : say`it subtracts the percentage itself`
  return say`it gives the discount, not the price after it`
}

function summary(ask: Ask): ScriptedTurn {
  const passed = /pass (\d+)/.exec(resultOf(ask, "bash"))?.[1]
  const failed = /fail (\d+)/.exec(resultOf(ask, "bash"))?.[1]
  if (failed !== "0" || passed === undefined) return { text: say`The tests still fail after the change.` }
  return {
    text: say`applyDiscount computed the wrong amount. It now takes the share of the price off; all ${passed} tests pass.`,
  }
}

/** Text of the last result of a tool. */
function resultOf(ask: Ask, tool: string): string {
  const result = ask.messages.findLast((message) => message.role === "tool" && message.toolName === tool)
  return result ? textOf(result) : ""
}

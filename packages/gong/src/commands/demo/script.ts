import { type ModelRequest, textOf } from "@gong/spec"
import type { ScriptedStep, ScriptedTurn } from "@gong/llm/scripted"
import type { Translate } from "@gong/texts/translator"

export function demoPrompt(t: Translate): string {
  return t`The test for applyDiscount fails. Find out why and fix it.`
}

/** The scripted model. It knows the task but not the bug: it finds the wrong line from tool results, like any model. */
export function demoScript(t: Translate): readonly ScriptedStep[] {
  return [
    () => call(t`I'll look at the project first.`, "ls", { path: "." }),
    call("", "grep", { pattern: "applyDiscount" }),
    call("", "read", { path: "src/cart.js" }),
    () => call(t`Now the tests, to see how it fails.`, "bash", { command: "node --test" }),
    (request) => fix(t, request),
    call("", "bash", { command: "node --test" }),
    (request) => summary(t, request),
  ]
}

function call(text: string, name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn {
  return { text, calls: [{ name, arguments: args }] }
}

const right = "return price - (price * percent) / 100"

function fix(t: Translate, request: ModelRequest): ScriptedTurn {
  const wrong = wrongLine(request)
  if (wrong === null) return { text: t`I could not find the line that computes the discount, so I changed nothing.` }
  const text = t`The test expects 1500 and the code says ${`\`${wrong.trim()}\``}: ${reason(t, wrong)}.`
  const newText = wrong.replace(/return .*/, right)
  return call(text, "edit", { path: "src/cart.js", edits: [{ oldText: wrong, newText }] })
}

/** The return statement of applyDiscount in the result of `read`. */
function wrongLine(request: ModelRequest): string | null {
  const lines = resultOf(request, "read").split("\n")
  const start = lines.findIndex((line) => line.includes("function applyDiscount"))
  return lines.slice(start).find((line) => start >= 0 && line.trim().startsWith("return ")) ?? null
}

function reason(t: Translate, wrong: string): string {
  if (wrong.includes("+")) return t`it adds the discount instead of taking it off`
  if (!wrong.includes("100"))
    return wrong.includes("*") ? t`it takes percent for a fraction` : t`it subtracts the percentage itself`
  return t`it gives the discount, not the price after it`
}

function summary(t: Translate, request: ModelRequest): ScriptedTurn {
  const passed = /pass (\d+)/.exec(resultOf(request, "bash"))?.[1]
  const failed = /fail (\d+)/.exec(resultOf(request, "bash"))?.[1]
  if (failed !== "0" || passed === undefined) return { text: t`The tests still fail after the change.` }
  return {
    text: t`applyDiscount computed the wrong amount. It now takes the share of the price off; all ${passed} tests pass.`,
  }
}

/** Text of the last result of a tool. */
function resultOf(request: ModelRequest, tool: string): string {
  const result = request.messages.findLast((message) => message.role === "tool" && message.toolName === tool)
  return result ? textOf(result) : ""
}

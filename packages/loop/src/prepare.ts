import {
  checkArguments,
  type Decision,
  type PermissionChoice,
  type PermissionEndNotice,
  type PermissionRequest,
  type Step,
  type Tool,
  type ToolCall,
  type ToolResultMessage,
} from "@gong/spec"
import type { LoopPorts } from "./ports.ts"
import { resultText } from "./result.ts"
import * as texts from "./texts.ts"

/** A call that may run, with the arguments it runs with; or the result it has without running. */
export type Prepared =
  | {
      readonly ready: true
      readonly call: ToolCall
      readonly tool: Tool
      readonly args: Readonly<Record<string, unknown>>
      readonly title: string
    }
  | { readonly ready: false; readonly call: ToolCall; readonly result: ToolResultMessage }

type Ready = Extract<Prepared, { ready: true }>

/** One call from the model's words to its permission (engine D6): parse, map, validate, policy, gates, ask, validate again. */
export async function* prepare(ports: LoopPorts, call: ToolCall): AsyncGenerator<Step, Prepared> {
  const checked = await check(ports, call, call.arguments)
  if (!checked.ready) return checked
  const judged = await judge(ports, checked)
  if ("ready" in judged) return judged

  const gated = await ports.hooks.beforeToolCall({ id: call.id, tool: call.name, arguments: checked.args })
  for (const notice of ports.hooks.takeNotices()) yield { notice }
  if (gated.answer === "block") return refused(call, texts.refusedBecause(gated.reason))
  if (gated.arguments === checked.args) return yield* permit(ports, checked, judged)

  // A gate that changed the arguments made another call of it: everything before the gates holds for that one too.
  const changed = await check(ports, call, gated.arguments)
  if (!changed.ready) return changed
  const again = await judge(ports, changed)
  return "ready" in again ? again : yield* permit(ports, changed, again)
}

async function check(ports: LoopPorts, call: ToolCall, args: Readonly<Record<string, unknown>>): Promise<Prepared> {
  const tools = ports.tools()
  const tool = tools.find((one) => one.name === call.name)
  if (!tool)
    return failed(
      call,
      texts.unknownTool(
        call.name,
        tools.map((one) => one.name),
      ),
    )
  if (call.broken !== undefined)
    return failed(call, texts.brokenArguments(call.name, call.broken, whyBroken(call.broken)))
  const checked = await checkArguments(tool.parameters, tool.mapArguments ? tool.mapArguments(args) : args)
  if (!checked.ok) return failed(call, texts.badArguments(call.name, checked.errors))
  return { ready: true, call, tool, args: checked.value, title: tool.title(checked.value) }
}

function whyBroken(text: string): string {
  try {
    JSON.parse(text)
    return "not an object"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Null-free answer: a result when the call may not run, else the verdict that still holds. */
async function judge(ports: LoopPorts, ready: Ready): Promise<Prepared | Exclude<Decision, { verdict: "deny" }>> {
  const stalled = ready.tool.readOnly ? null : ports.refuseChanges()
  if (stalled !== null) return refused(ready.call, texts.refusedBecause(stalled))
  const decision = await ports.policy.decide({ tool: ready.call.name, arguments: ready.args, title: ready.title })
  return decision.verdict === "deny" ? refused(ready.call, decision.toModel) : decision
}

async function* permit(
  ports: LoopPorts,
  ready: Ready,
  decision: Exclude<Decision, { verdict: "deny" }>,
): AsyncGenerator<Step, Prepared> {
  if (decision.verdict === "allow") return ready
  if (!ports.confirm)
    return refused(ready.call, texts.refusedBecause(`${decision.reason}; nobody is here to allow it.`))
  const request: PermissionRequest = {
    id: `p-${ready.call.id}`,
    toolCallId: ready.call.id,
    tool: ready.call.name,
    args: ready.args,
    title: ready.title,
    reason: decision.reason,
    ...(decision.suggestedRule === undefined ? {} : { suggestedRule: decision.suggestedRule }),
  }
  const choices: readonly PermissionChoice[] = ["once", "session", "always", "no"]
  yield { notice: { code: "permission_request", choices, ...request } }
  // No time limit: a person may take as long as they like, and an abort ends the wait.
  const answer = await ports.confirm(request, ports.signal)
  const end: PermissionEndNotice = { code: "permission_end", id: request.id, choice: answer.choice, by: "user" }
  yield { notice: end }
  if (answer.choice === "no") return refused(ready.call, texts.refusedByUser(ready.title, answer.message))
  ports.policy.remember({ tool: ready.call.name, arguments: ready.args, title: ready.title }, answer.choice)
  return ready
}

function failed(call: ToolCall, text: string): Prepared {
  return { ready: false, call, result: resultText(call, "error", text) }
}

function refused(call: ToolCall, text: string): Prepared {
  return { ready: false, call, result: resultText(call, "refused", text) }
}

import {
  checkArguments,
  type Decision,
  type PermissionEndNotification,
  type PermissionOutcome,
  permissionRequest,
  phrase,
  type Phrase,
  type PreviewOutcome,
  readJson,
  type Step,
  type Text,
  type Tool,
  type ToolCall,
  type ToolResultMessage,
} from "@gong/spec"
import type { Gated } from "../hooks/hook-gates.ts"
import type { LoopPorts } from "../ports.ts"
import { resultText } from "./result.ts"
import * as texts from "../texts.ts"

/** A permitted call with its final arguments, or the result of a call that does not run. */
export type Prepared =
  | {
      readonly ready: true
      readonly call: ToolCall
      readonly tool: Tool
      readonly args: Readonly<Record<string, unknown>>
      readonly title: string
      /** Texts of gates for the model, added to the result. */
      readonly notes: readonly string[]
      /** Variables that policy requires for the command. */
      readonly env?: Readonly<Record<string, string>>
    }
  | { readonly ready: false; readonly call: ToolCall; readonly result: ToolResultMessage }

type Ready = Extract<Prepared, { ready: true }>
type Permitted = Exclude<Decision, { verdict: "deny" }>

/** From a model's call to its permission (engine D6): parse, map, validate, policy, gates, ask, validate again. */
export async function* prepare(ports: LoopPorts, call: ToolCall): AsyncGenerator<Step, Prepared> {
  const checked = await check(ports, call, call.arguments)
  if (!checked.ready) return checked
  const judged = await judge(ports, checked)
  if ("ready" in judged) return judged

  const gated = await ports.hooks.beforeToolCall({ id: call.id, tool: call.name, arguments: checked.args })
  for (const notification of ports.hooks.takeNotifications()) yield { notification }
  if (gated.answer === "block") return refused(call, texts.refusedBecause(gated.reason))
  if (gated.arguments === checked.args)
    return yield* permit(ports, judgedSo(checked, gated, judged), asked(judged, gated))

  // Changed arguments make it another call: validate and judge it again.
  const changed = await check(ports, call, gated.arguments)
  if (!changed.ready) return changed
  const again = await judge(ports, changed)
  return "ready" in again ? again : yield* permit(ports, judgedSo(changed, gated, again), asked(again, gated))
}

type Passed = Extract<Gated, { answer: "ok" }>

/** Keeps the variables of the decision, even if a gate requires permission. */
function judgedSo(ready: Ready, { notes }: Passed, decision: Permitted): Ready {
  const env = decision.verdict === "allow" ? decision.env : undefined
  return { ...ready, notes, ...(env && { env }) }
}

/** A gate can require permission for a call that policy allows, and cannot remove a question of policy. */
function asked(decision: Permitted, { ask }: Passed): Permitted {
  return ask === null || decision.verdict === "ask" ? decision : { verdict: "ask", reason: ask }
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
  if (call.broken !== undefined) return failed(call, whyBroken(call.name, call.broken))
  // A validator could take exponential time for the schema of a server.
  if (tool.foreignSchema === true) return { ready: true, call, tool, args, title: tool.title(args), notes: [] }
  const checked = await checkArguments(tool.parameters, tool.mapArguments ? tool.mapArguments(args) : args)
  if (!checked.ok) return failed(call, texts.badArguments(call.name, checked.errors))
  return { ready: true, call, tool, args: checked.value, title: tool.title(checked.value), notes: [] }
}

function whyBroken(tool: string, text: string): string {
  const read = readJson(text)
  if (read.ok) return texts.brokenArguments(tool, text, "not an object")
  return read.tooDeep ? texts.deepArguments(tool, read.problem) : texts.brokenArguments(tool, text, read.problem)
}

/** The decision of policy, or the result of a call that may not run. */
async function judge(ports: LoopPorts, ready: Ready): Promise<Prepared | Permitted> {
  const stalled = ready.tool.readOnly ? null : await ports.refuseChanges()
  if (stalled !== null) return refused(ready.call, texts.refusedBecause(stalled))
  const decision = await ports.policy.decide({ tool: ready.call.name, arguments: ready.args, title: ready.title })
  if (decision.verdict !== "deny") return decision
  return (decision.impossible === true ? failed : refused)(ready.call, decision.toModel)
}

async function* permit(ports: LoopPorts, ready: Ready, decision: Permitted): AsyncGenerator<Step, Prepared> {
  if (decision.verdict === "allow") return ready
  if (!ports.confirm)
    return refused(ready.call, texts.refusedBecause(phrase`${decision.reason}; no user is present to allow it.`))
  const { call, args, title } = ready
  const judged = { tool: call.name, arguments: args, title }
  const previewed = await previewOf(ports, ready)
  if (!previewed.ok) return failed(call, previewed.message)
  const { preview } = previewed
  const request = permissionRequest({ ...judged, toolCallId: call.id, preview }, decision, `p-${call.id}`)
  // Opened before it is shown, since the answer may come at once.
  const { answer, ...question } = ports.confirm(request, ports.signal)
  yield { notification: { code: "permission_request", ...request, ...question } }
  ports.hooks.emit("permission.ask", () => ({ id: call.id, tool: call.name, title }))
  const outcome = await answer
  const end: PermissionEndNotification = {
    code: "permission_end",
    id: request.id,
    choice: outcome.choice,
    by: outcome.by,
  }
  yield { notification: end }
  if (ports.signal.aborted) return stopped(call)
  if (outcome.choice === "no") return refused(call, refusal(title, outcome))
  await ports.policy.remember(judged, outcome.choice, outcome.wider)
  return ready
}

/** Milliseconds that a question waits for its preview, such as one from a slow disk. */
const previewTime = 2_000

const noPreview: PreviewOutcome = { ok: true, preview: null }

async function previewOf({ clock, signal, seen }: LoopPorts, { tool, args }: Ready): Promise<PreviewOutcome> {
  if (tool.preview === undefined) return noPreview
  const { promise: late, resolve } = Promise.withResolvers<PreviewOutcome>()
  const stop = (): void => resolve(noPreview)
  const cancel = clock.timer(previewTime, stop)
  signal.addEventListener("abort", stop, { once: true })
  const files = seen()
  try {
    const outcome = (async () => tool.preview?.(args as never, files === null ? {} : { seen: files }) ?? noPreview)()
    return await Promise.race([outcome.catch(() => noPreview), late])
  } finally {
    cancel()
    signal.removeEventListener("abort", stop)
  }
}

function refusal(title: string, { by, message }: PermissionOutcome): Phrase {
  if (by === "timeout") return texts.refusedByTime(title)
  return by === "mode" ? texts.refusedByLevel(title) : texts.refusedByUser(title, message)
}

function failed(call: ToolCall, text: Text): Prepared {
  return { ready: false, call, result: resultText(call, "error", text) }
}

function stopped(call: ToolCall): Prepared {
  return { ready: false, call, result: resultText(call, "aborted", texts.notRunStopped) }
}

function refused(call: ToolCall, text: Text): Prepared {
  return { ready: false, call, result: resultText(call, "refused", text) }
}

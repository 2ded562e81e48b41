import type {
  BeforeAgentAnswer,
  Clock,
  Declarations,
  GateAnswer,
  Hook,
  HookAside,
  HookCall,
  HookContext,
  HookEvent,
  HookResult,
  Host,
  PermissionLevel,
  ToolDeclaration,
} from "@gong/spec"
import { type HookCommand, nameOf } from "./parse.ts"
import { runCommand } from "./run-command.ts"
import { matchedNames, toForeign, fromForeign } from "./tool-names.ts"
import { type Verdict, verdictOf } from "./verdict.ts"

/** Execution context of a session's hook commands. */
export interface HookPlace {
  readonly session: string
  /** Null if nothing is stored. */
  readonly transcript: string | null
  readonly cwd: string
  /** The workspace, as `CLAUDE_PROJECT_DIR`. */
  readonly project: string
  readonly env: Readonly<Record<string, string>>
  /** The current level, which the user may change. */
  level(): PermissionLevel
  readonly resumed: boolean
  /** A subtask session: its end is SubagentStop and not Stop. */
  readonly child: boolean
  readonly clock: Clock
  /** Declarations of the session's tools. */
  readonly declared: Declarations
  host(): Promise<Host>
  /** Unique among the hook commands of the session. */
  job(): string
  absolute(path: string): string
  /** Prepares the command to run. */
  runnable(command: HookCommand): Promise<RunnableCommand>
}

export type RunnableCommand =
  /** `tell`: a sentence for the user. */
  | { readonly ok: true; readonly command: string; readonly tell: string | null }
  /** Why it may not run now; a sentence fragment. */
  | { readonly ok: false; readonly problem: string }

type Fields = Readonly<Record<string, unknown>>

/** One configured command as a hook, with a callback for its event. */
export function commandHook(of: HookCommand, place: HookPlace): Hook {
  const hook = { name: nameOf(of), timeMs: of.timeMs }
  const { kind, isMeant } = of
  const isCallMeant = ({ tool }: HookCall): boolean => isMeant(matchedNames(tool, place.declared(tool)))
  const run = async (fields: Fields, { signal }: HookContext): Promise<Verdict> => {
    const { cwd, project } = place
    const env = { ...place.env, CLAUDE_PROJECT_DIR: project, GONG_PROJECT_DIR: project }
    const input = { ...commonFields(of, place), ...fields }
    const runnable = await place.runnable(of)
    if (!runnable.ok) throw new Error(runnable.problem)
    const command = { command: runnable.command, cwd, env, input, signal, job: place.job() }
    const verdict = verdictOf(kind, await runCommand(await place.host(), command))
    return { ...verdict, tell: verdict.tell ?? runnable.tell }
  }
  switch (kind) {
    case "PreToolUse":
      return {
        ...hook,
        async beforeToolCall(call, context) {
          if (!isCallMeant(call)) return { answer: "ok" }
          return gateAnswer(place.declared(call.tool), await run(callFields(call, place), context))
        },
      }
    case "PostToolUse":
      return {
        ...hook,
        async onToolResult(call, result, context) {
          if (result.isError || !isCallMeant(call)) return undefined
          const startedAt = place.clock.now()
          const verdict = await run(
            { ...callFields(call, place), tool_response: responseOf(place.declared(call.tool), result) },
            context,
          )
          return withVerdict(result, verdict, { started_at: startedAt, duration_ms: place.clock.now() - startedAt })
        },
      }
    case "UserPromptSubmit":
      return { ...hook, onBeforeAgent: async (prompt, _, context) => beforeAgent(await run({ prompt }, context)) }
    case "SessionStart":
      return sessionStart(hook, isMeant, place, run)
    case "Stop":
    case "SubagentStop":
      if ((kind === "SubagentStop") !== place.child) return hook
      return {
        ...hook,
        beforeStop: async ({ again }, context) => stopAnswer(await run({ stop_hook_active: again }, context)),
      }
    case "PreCompact":
      return {
        ...hook,
        async beforeSessionOp(op, meta, context) {
          const trigger = meta["reason"] === "manual" ? "manual" : "auto"
          if (op !== "compact" || !isMeant([trigger])) return { answer: "ok" }
          const custom_instructions = typeof meta["focus"] === "string" ? meta["focus"] : ""
          return gateAnswer(null, await run({ trigger, custom_instructions }, context))
        },
      }
    case "PreSwitch":
      return {
        ...hook,
        async beforeSessionOp(op, meta, context) {
          const target = meta["kind"] === "new" ? "new" : "resume"
          if (op !== "switch" || !isMeant([target])) return { answer: "ok" }
          const wanted = typeof meta["session"] === "string" ? { target_session: meta["session"] } : {}
          return gateAnswer(null, await run({ target, ...wanted }, context))
        },
      }
    case "SessionEnd":
    case "Notification":
      return { ...hook, watch: async (event, context) => watch(kind, event, isMeant, (fields) => run(fields, context)) }
  }
}

const modes: Readonly<Record<PermissionLevel, string>> = {
  plan: "plan",
  ask: "default",
  auto: "acceptEdits",
  full: "bypassPermissions",
}

function commonFields({ kind }: HookCommand, { session, transcript, cwd, level }: HookPlace): Fields {
  return {
    session_id: session,
    transcript_path: transcript ?? "",
    cwd,
    permission_mode: modes[level()],
    hook_event_name: kind,
  }
}

function callFields({ id, tool, arguments: args }: HookCall, { absolute, declared }: HookPlace): Fields {
  return { ...toForeign(tool, declared(tool), args, absolute), tool_use_id: id }
}

function responseOf(declared: ToolDeclaration | null, { content, details, isError }: HookResult): Fields {
  const output = content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n")
  return {
    success: !isError,
    ...(declared?.effect === "execute" ? { stdout: output, stderr: "" } : { content: output }),
    details,
  }
}

function aside({ tell, stop }: Verdict): HookAside {
  return { ...(tell !== null && { tell }), ...(stop !== null && { stop }) }
}

/** `allow` only means no objection: policy has decided already, and no hook can bypass it (engine D6). */
function gateAnswer(declared: ToolDeclaration | null, verdict: Verdict): GateAnswer {
  const { block, ask, context, input, stop } = verdict
  if (block !== null || stop !== null) return { ...aside(verdict), answer: "block", reason: block ?? stop ?? "" }
  const args = input === null ? {} : { arguments: fromForeign(declared, input) }
  if (ask !== null) return { ...aside(verdict), answer: "ask", reason: ask, ...args }
  return { ...aside(verdict), answer: "ok", ...args, ...(context !== null && { note: context }) }
}

function stopAnswer(verdict: Verdict): GateAnswer {
  return verdict.block === null
    ? { ...aside(verdict), answer: "ok" }
    : { ...aside(verdict), answer: "block", reason: verdict.block }
}

/** Changes during a hook command count as the session's own, as with commands of the model (engine D9). */
function withVerdict(
  result: HookResult,
  verdict: Verdict,
  span: { readonly started_at: number; readonly duration_ms: number },
): HookResult & HookAside {
  const additions = [verdict.block, verdict.context].filter((text) => text !== null)
  const earlier = result.details?.["hooks"]
  return {
    ...aside(verdict),
    isError: result.isError,
    content: [...result.content, ...additions.map((text) => ({ type: "text" as const, text }))],
    details: { ...result.details, hooks: [...(Array.isArray(earlier) ? earlier : []), span] },
  }
}

function beforeAgent(verdict: Verdict): BeforeAgentAnswer {
  const { block, context, tell, stop } = verdict
  const why = block ?? stop
  return {
    ...(tell !== null && { tell }),
    ...(why !== null && { stop: why }),
    ...(context !== null && { messages: [{ role: "user", content: [{ type: "text", text: context }] }] }),
  }
}

/** Runs before the first prompt, so an unused session starts nothing. */
function sessionStart(
  hook: Pick<Hook, "name"> & { readonly timeMs: number },
  isMeant: (names: readonly string[]) => boolean,
  { resumed }: HookPlace,
  run: (fields: Fields, context: HookContext) => Promise<Verdict>,
): Hook {
  const source = resumed ? "resume" : "startup"
  let began = !isMeant([source])
  return {
    ...hook,
    async onBeforeAgent(_prompt, _system, context) {
      if (began) return undefined
      began = true
      const { block, ...verdict } = await run({ source }, context)
      // A session cannot be refused, so the objection is shown to the user.
      return beforeAgent({ ...verdict, block: null, tell: verdict.tell ?? block })
    },
  }
}

async function watch(
  kind: "SessionEnd" | "Notification",
  event: HookEvent,
  isMeant: (names: readonly string[]) => boolean,
  run: (fields: Fields) => Promise<Verdict>,
): Promise<void> {
  if (kind === "SessionEnd" && event.event === "session.shutdown" && isMeant(["other"])) await run({ reason: "other" })
  if (kind === "Notification" && event.event === "permission.ask" && isMeant(["permission_prompt"])) {
    const message = `Gong needs your permission: ${event.title}`
    await run({ message, title: "Gong", notification_type: "permission_prompt" })
  }
}

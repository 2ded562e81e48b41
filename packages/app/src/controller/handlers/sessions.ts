import { isAbsolute, join } from "node:path"
import { englishOf, FailureError, messageOf, phrase, publicFailure, type SessionInfoBody, type Text } from "@gong/spec"
import { tapeStorage } from "../../compose/tapes/storage.ts"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { Session } from "@gong/session/session"
import { type Answer, answerOf, done, refusalFor, refuse } from "../answer.ts"
import { busy } from "./busy.ts"
import type { ArgsOf } from "../commands.ts"
import type { ControllerState } from "../api.ts"
import type { ExportData, LeafData, SessionData } from "../data.ts"
import type { HandlersOf } from "./handler.ts"
import { openTarget, type Target } from "../open-target.ts"
import { matchesPath } from "../files/matches-path.ts"

/** Commands that open another session or step, and commands on the whole session. */
export const sessions: HandlersOf<
  "new_session" | "switch_session" | "fork" | "reload" | "navigate" | "set_name" | "label" | "export" | "undo" | "redo"
> = {
  async new_session(state, { name }, answer) {
    answer(await switchSession(state, { kind: "new", ...(name === undefined ? {} : { name }) }))
  },
  async switch_session(state, { session }, answer) {
    answer(await switchSession(state, { kind: "stored", session }))
  },
  async fork(state, { entry }, answer) {
    if (entry !== undefined && !state.current.session.history.has(entry)) return answer(noStep(entry))
    return answer(await switchSession(state, { kind: "fork", ...(entry === undefined ? {} : { entry }) }))
  },
  async reload(state, _, answer) {
    answer(await switchSession(state, { kind: "reload" }))
  },
  navigate(state, { entry, summary, summarize = false, focus = "" }, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    const { session } = state.current
    if (!session.history.has(entry)) return answer(noStep(entry))
    if (summarize) {
      if (summary !== undefined) return answer(refuse("bad_arguments", phrase`Use either summary or summarize.`))
      state.working = "branch"
      return state.inBackground(async () => {
        answer(await checkoutWithSummary(state, entry, focus.trim()))
        state.working = null
      })
    }
    session.checkout(entry, summary ?? "")
    return answer(done({ leaf: session.history.leaf }))
  },
  set_name({ current }, { name }, answer) {
    const body: SessionInfoBody = { type: "session_info", name }
    current.session.annotate(body)
    answer(done({}))
  },
  label({ current }, { entry, label }, answer) {
    if (!current.session.history.has(entry)) return answer(noStep(entry))
    current.session.annotate({ type: "label", targetId: entry, label })
    return answer(done({}))
  },
  async export(state, args, answer) {
    answer(answerOf(await exported(state, args)))
  },
  async undo(state, { path }, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    const {
      failed: _failed,
      kept,
      ...data
    } = await state.current.session.undo(path === undefined ? undefined : (changed) => matchesPath(changed, path))
    return answer(done({ ...data, kept: kept.map(plainKept) }))
  },
  async redo(state, _, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    const { restored, kept } = await state.current.session.redo()
    return answer(done({ restored, kept: kept.map(plainKept) }))
  },
}

/** With English reasons, for programs. */
function plainKept({ path, reason }: { readonly path: string; readonly reason: Text }) {
  return { path, reason: englishOf(reason) }
}

async function checkoutWithSummary(
  { current: { session } }: ControllerState,
  entry: string,
  focus: string,
): Promise<Answer<LeafData>> {
  try {
    const { failure, ...end } = await session.checkoutWithSummary(entry, focus)
    return done({ leaf: session.history.leaf, ...end, ...(failure ? { failure: publicFailure(failure) } : {}) })
  } catch (error) {
    return refusalFor(error)
  }
}

function noStep(entry: string): Answer<never> {
  return refuse("not_found", phrase`This session has no step ${entry}.`)
}

/** Opens the other session first, so that a failure changes nothing. */
async function switchSession(state: ControllerState, target: Target): Promise<Answer<SessionData>> {
  const refused = busy(state)
  if (refused) return refused
  const isReload = target.kind === "reload"
  const { session } = state.current
  const blocked = isReload ? null : await leaveGates(session, target)
  if (blocked !== null) return refuse("busy", phrase`A hook blocked it: ${blocked}`)
  const opened = await openTarget(state, state.current, target)
  if (!opened.ok) return opened
  await state.switchTo(opened.data, isReload ? "tape" : undefined)
  const { id, resumed } = opened.data.info
  return done({ session: id, resumed })
}

/** The reason of a hook that blocks the switch; null for none. */
function leaveGates(session: Session, target: Target): Promise<Text | null> {
  return target.kind === "fork"
    ? session.mayLeave("fork", { ...target, session: session.id })
    : session.mayLeave("switch", { ...target })
}

/** Writes to a file, since a whole session does not fit into an answer. */
function exported(
  { services, spec, current: { session, info } }: ControllerState,
  args: ArgsOf<"export">,
): Promise<Outcome<ExportData>> {
  return attempt(async () => {
    if (info.tape === null) return must(usage(phrase`a session in memory cannot be exported.`))
    const file = isAbsolute(args.file) ? args.file : join(info.cwd, args.file)
    const format = args.format ?? (file.endsWith(".md") ? "markdown" : "pi")
    const { exportSession } = await import("../../administration/session-files.ts")
    const storage = must(await tapeStorage(services, spec))
    try {
      must(await exportSession(services.t, storage, { outFile: file, format }, session.id))
    } catch (error) {
      if (error instanceof FailureError) return must(usage(messageOf(error.failure)))
      throw error
    }
    return { file, format }
  })
}

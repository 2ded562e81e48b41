import { englishOf, publicFailure, type SessionInfoBody } from "@gong/spec"
import { busy, type Desk, refusedBy } from "./desk.ts"
import type { HandlersOf } from "./handler.ts"
import type { Target } from "./ports.ts"
import type { LeafData, SessionData } from "./data.ts"
import { type Answer, done, refuse } from "./protocol.ts"

/** Which session is worked in, where in it, and what is done with the whole of it. */
export const sessions: HandlersOf<
  | "new_session"
  | "switch_session"
  | "fork"
  | "navigate"
  | "set_name"
  | "label"
  | "export"
  | "undo"
  | "redo"
  | "shutdown"
> = {
  async new_session(desk, { name }, answer) {
    answer(await goOn(desk, "switch", { kind: "new", ...(name === undefined ? {} : { name }) }))
  },
  async switch_session(desk, { session }, answer) {
    answer(await goOn(desk, "switch", { kind: "stored", session }))
  },
  async fork(desk, { entry }, answer) {
    const { session } = desk.open
    if (entry !== undefined && !session.history.has(entry)) return answer(noStep(entry))
    return answer(
      await goOn(desk, "fork", { kind: "fork", session: session.id, ...(entry === undefined ? {} : { entry }) }),
    )
  },
  navigate(desk, { entry, summary, summarize = false, focus = "" }, answer) {
    const refused = busy(desk)
    if (refused) return answer(refused)
    const { session } = desk.open
    if (!session.history.has(entry)) return answer(noStep(entry))
    if (summarize) {
      if (summary !== undefined) return answer(refuse("bad_arguments", "Give a summary, or have one written."))
      desk.working = "branch"
      return desk.aside(async () => {
        answer(await goOver(desk, entry, focus.trim()))
        desk.working = null
      })
    }
    session.checkout(entry, summary ?? "")
    return answer(done({ leaf: session.history.leaf }))
  },
  set_name({ open }, { name }, answer) {
    const body: SessionInfoBody = { type: "session_info", name }
    open.session.annotate(body)
    answer(done({}))
  },
  label({ open }, { entry, label }, answer) {
    if (!open.session.history.has(entry)) return answer(noStep(entry))
    open.session.annotate({ type: "label", targetId: entry, label })
    return answer(done({}))
  },
  async export({ open }, args, answer) {
    answer(await open.export(args))
  },
  async undo(desk, _, answer) {
    answer(busy(desk) ?? (await desk.open.undo()))
  },
  async redo(desk, _, answer) {
    answer(busy(desk) ?? (await desk.open.redo()))
  },
  shutdown(desk, _, answer) {
    desk.exit = 0
    answer(done({}))
    desk.open.session.abort()
  },
}

async function goOver({ open: { session } }: Desk, entry: string, focus: string): Promise<Answer<LeafData>> {
  try {
    const { failure, ...end } = await session.checkoutWithSummary(entry, focus)
    return done({ leaf: session.history.leaf, ...end, ...(failure ? { failure: publicFailure(failure) } : {}) })
  } catch (error) {
    return refusedBy(error)
  }
}

function noStep(entry: string): Answer<never> {
  return refuse("not_found", `This session has no step ${entry}.`)
}

/** Opens the other session first: when that fails, nothing has changed. */
async function goOn(desk: Desk, op: "switch" | "fork", target: Target): Promise<Answer<SessionData>> {
  const refused = busy(desk)
  if (refused) return refused
  const { open } = desk
  const why = await open.session.mayLeave(op, { ...target })
  if (why !== null) return refuse("busy", `The session is not left: ${englishOf(why)}`)
  const opened = await desk.ports.open(target)
  if (!opened.ok) return opened
  desk.kept = (await open.leave()) && desk.kept
  await Promise.race([desk.feed.drained(), desk.ports.ending])
  desk.sitDown(opened.data)
  const { id, resumed } = opened.data.info
  return done({ session: id, resumed })
}

import { FailureError, failureOf, type PermissionAnswer, publicFailure, type RunEnd } from "@gong/spec"
import { endWithStorage, resultEvent, runSummary } from "../../session/result.ts"
import type { PromptInput } from "../input.ts"
import type { ArgsOf } from "./commands.ts"
import { busy, type Desk, refusedBy } from "./desk.ts"
import type { HandlersOf } from "./handler.ts"
import type { BashData, CompactData } from "./data.ts"
import { type Answer, done, refuse } from "./protocol.ts"

/** What begins a run, goes into it, or ends it. */
export const runs: HandlersOf<
  | "prompt"
  | "steer"
  | "follow_up"
  | "abort"
  | "bash"
  | "compact"
  | "clear_queue"
  | "remove_queued"
  | "permission_reply"
  | "ui_reply"
> = {
  async prompt(desk, args, answer) {
    // It is taken during a compaction, and answered behind it (conflict C-51).
    const refused = desk.working === "compaction" && desk.run === null ? null : busy(desk)
    if (refused) return answer(refused)
    const input = await desk.open.input(args)
    if (!input.ok) return answer(input)
    return begin(desk, input.data, answer)
  },
  async steer({ open }, { when, ...args }, answer) {
    const input = await open.input(args)
    if (!input.ok) return answer(input)
    const id = await open.session.steer(input.data.text, { ...input.data, ...(when === undefined ? {} : { when }) })
    return answer(done({ id }))
  },
  async follow_up({ open }, args, answer) {
    const input = await open.input(args)
    return answer(input.ok ? done({ id: await open.session.followUp(input.data.text, input.data) }) : input)
  },
  abort({ open, run, working }, _, answer) {
    open.session.abort()
    answer(done({ stopped: run !== null || working !== null }))
  },
  compact(desk, { focus }, answer) {
    const refused = busy(desk)
    if (refused) return answer(refused)
    desk.working = "compaction"
    desk.aside(async () => {
      answer(await compaction(desk, focus))
      desk.working = null
    })
  },
  bash(desk, args, answer) {
    const refused = busy(desk)
    if (refused) return answer(refused)
    desk.working = "bash"
    desk.aside(async () => {
      answer(await command(desk, args))
      desk.working = null
    })
  },
  async clear_queue({ open }, _, answer) {
    answer(done({ removed: await open.session.dequeue(null) }))
  },
  async remove_queued({ open }, { target }, answer, id) {
    const wanted = target ?? id
    if (wanted === undefined) return answer(refuse("bad_arguments", "Say which message: its id, or target."))
    const removed = await open.session.dequeue(String(wanted))
    if (removed.length > 0) return answer(done({ removed }))
    return answer(refuse("not_found", `No message ${wanted} waits.`, "get_state lists those that do"))
  },
  permission_reply({ open }, { target, choice, message }, answer, id) {
    const wanted = target ?? id
    if (wanted === undefined) return answer(refuse("bad_arguments", "Say which question: its id, or target."))
    const reply: PermissionAnswer = { choice, ...(message === undefined ? {} : { message }) }
    switch (open.session.reply(String(wanted), reply)) {
      case "taken":
        return answer(done({}))
      case "unknown":
        return answer(refuse("not_found", `No question ${wanted} is open.`, "get_state lists those that are"))
      case "not-offered":
        return answer(refuse("bad_arguments", `"${choice}" is not among the choices of ${wanted}.`))
    }
  },
  ui_reply({ open }, { target, ...reply }, answer, id) {
    const wanted = target ?? id
    if (wanted === undefined) return answer(refuse("bad_arguments", "Say which dialog: its id, or target."))
    switch (open.session.answer(String(wanted), reply)) {
      case "taken":
        return answer(done({}))
      case "unknown":
        return answer(refuse("not_found", `No dialog ${wanted} is open.`, "get_state lists those that are"))
      case "not-offered":
        return answer(refuse("bad_arguments", `This is no answer that ${wanted} offers.`))
    }
  },
}

type Answering = Parameters<(typeof runs)["prompt"]>[2]

/** Answers when the message is on the disk; the run then goes on by itself, and ends with a `result`. */
async function begin(desk: Desk, input: PromptInput, answer: Answering): Promise<void> {
  const { session } = desk.open
  const run: { name: string | null } = { name: null }
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>()
  const startedAt = desk.ports.now()
  const collected = runSummary()
  const leave = session.subscribe(
    (step) => {
      // A command that was typed asks: its answer comes by another command of the client's.
      if ("notification" in step && step.notification.code === "ui_request") hasBegun()
      if (!("entries" in step)) return
      for (const entry of step.entries) {
        collected.add(entry)
        if (entry.type !== "input" || entry.kind !== "prompt") continue
        run.name = entry.id
        answer(done({ run: run.name, disposition: desk.working === null ? "started" : "queued" }))
        hasBegun()
      }
    },
    { partials: false },
  )
  const finish = (end: RunEnd): void => {
    if (run.name === null && end.failure) return answer(refusedBy(new FailureError(end.failure)))
    if (run.name === null) return answer(done({ run: null, disposition: "handled" }))
    const took = desk.ports.now() - startedAt
    const kept = endWithStorage(session, end, desk.ports.exitOf(end))
    const result = resultEvent(kept.end, kept.exit, collected.summary(), session.id, took)
    desk.feed.event({ ...result, run: run.name })
  }
  desk.run = run
  desk.aside(async () => {
    try {
      finish(await session.prompt(input.text, input))
    } catch (error) {
      if (run.name === null) answer(refusedBy(error))
      else finish({ status: "failed", turns: 0, failure: failureOf(error) })
    } finally {
      leave()
      desk.run = null
      hasBegun()
      desk.open.idle()
    }
  })
  await begun
}

async function compaction({ open }: Desk, focus: string | undefined): Promise<Answer<CompactData>> {
  try {
    const { failure, ...end } = await open.session.compact(focus)
    return done({ ...end, ...(failure ? { failure: publicFailure(failure) } : {}) })
  } catch (error) {
    return refusedBy(error)
  }
}

async function command({ open, ports }: Desk, args: ArgsOf<"bash">): Promise<Answer<BashData>> {
  const startedAt = ports.now()
  try {
    const { callId, status, output, details, entry } = await open.session.command(args)
    const code = details?.["exit_code"]
    const exitCode = typeof code === "number" ? code : null
    return done({ toolCallId: callId, status, exitCode, output, details, durationMs: ports.now() - startedAt, entry })
  } catch (error) {
    return refusedBy(error)
  }
}

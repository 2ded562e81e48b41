import { failureOf, type PublishedStep } from "@gong/spec"
import { type Feed, feedTo } from "./feed.ts"
import { type Outlet, outletTo } from "./outlet.ts"
import type { OpenSession, RpcPorts } from "./ports.ts"
import { type Answer, refuse } from "./protocol.ts"

/** What may work beside runs. */
export type Working = "bash" | "compaction" | "branch"

/** What the commands of one client share. */
export interface Desk {
  readonly ports: RpcPorts
  readonly outlet: Outlet
  readonly feed: Feed
  /** The session that is open. */
  readonly open: OpenSession
  /** The run that works, by its name: null until its message is on the tape. Null: none works. */
  run: { name: string | null } | null
  /** What else works. */
  working: Working | null
  /** Set once the client wants no more. */
  exit: number | null
  /** All that sessions came to which were left for others is on the disk. */
  kept: boolean
  /** Goes on in another session, which the client hears of as of the first one. */
  sitDown(open: OpenSession): void
  /** The client writes no more: what works comes to its end, and what it would have to answer is answered with no. */
  hangUp(): void
  /** Work that nobody waits for but the end of the process. */
  aside(work: () => Promise<void>): void
  /** Resolves when no such work is left. */
  settled(): Promise<void>
}

export function createDesk(ports: RpcPorts, first: OpenSession): Desk {
  const outlet = outletTo(ports.reader, ports.now)
  const feed = feedTo(outlet)
  const works = new Set<Promise<void>>()
  let open = first
  let gone = false
  let leave = (): void => undefined
  const refuseIfGone = (step: PublishedStep): void => {
    const code = "notification" in step ? step.notification.code : null
    if (gone && (code === "permission_request" || code === "ui_request")) refuseQuestions(open)
  }
  const desk: Desk = {
    ports,
    outlet,
    feed,
    get open() {
      return open
    },
    run: null,
    working: null,
    exit: null,
    kept: true,
    sitDown(next) {
      leave()
      open = next
      leave = next.session.subscribe(refuseIfGone, { partials: false })
      feed.open(next.session, next.info)
    },
    hangUp() {
      gone = true
      refuseQuestions(open)
    },
    aside(work) {
      const running = work().finally(() => works.delete(running))
      works.add(running)
    },
    async settled() {
      while (works.size > 0) await Promise.all(works)
    },
  }
  desk.sitDown(first)
  return desk
}

function refuseQuestions({ session }: OpenSession): void {
  for (const { id } of session.questions) session.reply(id, { choice: "no", message: "Nobody is here any more." })
  for (const { id } of session.dialogs) session.answer(id, {})
}

/** A refusal while something works that the command would get in the way of; null when nothing does. */
export function busy({ run, working }: Desk): Answer<never> | null {
  if (run !== null) {
    const which = run.name === null ? "A run begins." : `The run ${run.name} works.`
    return refuse("busy", which, "use steer or follow_up, or abort it first")
  }
  if (working === null) return null
  return refuse(
    "busy",
    `${working === "bash" ? "A command" : working === "branch" ? "The summary of a branch" : "A compaction"} works.`,
    "wait for its response, or abort it",
  )
}

/** What the session itself refused, in the words of the protocol. */
export function refusedBy(error: unknown): Answer<never> {
  const { kind, message, hint } = failureOf(error)
  if (kind === "denied" || kind === "limit") return refuse("busy", message, hint)
  return refuse(kind === "bad-request" ? "bad_arguments" : "internal", message, hint)
}

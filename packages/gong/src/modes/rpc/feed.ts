import type { Event } from "@gong/spec"
import type { EventStream, Session } from "@gong/session/session"
import type { ClientOutput } from "./client-output.ts"

/** The events of the open session to the client, at the speed of the client. */
export interface Feed {
  /** Switches to the events of this session. The events of the previous one must be written: `drained`. */
  open(session: Session, info: Event): void
  /** Restarts after this entry; null: at the beginning. Throws FailureError if there is no such entry. */
  from(after: string | null): void
  setPartial(partial: boolean): void
  /** Adds an event of the frontend after all earlier ones. */
  event(event: Event): void
  /** Writes pending events until the output is full. Called before each response, so that events precede the response to them. */
  pump(): void
  /** Resolves when all pending events are written. */
  drained(): Promise<void>
}

export function createFeed(output: ClientOutput): Feed {
  let session: Session | null = null
  let stream: EventStream | null = null
  let partial = true
  let pumping = false
  let waiting = false
  const own: Event[] = []

  function pump(): void {
    if (pumping) return
    pumping = true
    try {
      while (!output.full) {
        const events = stream?.next() ?? (own.length > 0 ? own.splice(0) : null)
        if (events === null) return
        for (const event of events) output.line(event)
      }
    } finally {
      pumping = false
    }
    if (waiting) return
    waiting = true
    const resume = (): void => {
      waiting = false
      pump()
    }
    output.drained().then(resume, resume)
  }

  function restart(after: string | null): void {
    if (session === null) return
    const next = session.events({ after, partial, wake: pump })
    stream?.close()
    stream = next
    pump()
  }

  return {
    open(next, info) {
      stream?.close()
      stream = null
      session = next
      own.push(info)
      pump()
      const { all } = next.history
      restart(all.length === 0 ? null : all.head(all.length - 1).id)
    },
    from: restart,
    setPartial(wanted) {
      partial = wanted
      restart(stream?.after ?? null)
    },
    event(event) {
      own.push(event)
      pump()
    },
    pump,
    async drained() {
      for (pump(); output.full; pump()) await output.drained()
    },
  }
}

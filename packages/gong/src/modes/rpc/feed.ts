import type { Event } from "@gong/spec"
import type { EventStream, Session } from "@gong/session/session"
import type { Outlet } from "./outlet.ts"

/** The events of the open session towards the client, as fast as it reads them. */
export interface Feed {
  /** From now on those of this session. What is left of the one before must have been written: `drained`. */
  open(session: Session, info: Event): void
  /** Begins again behind this entry; null: at the first one. Throws FailureError where there is none. */
  from(after: string | null): void
  setPartial(partial: boolean): void
  /** An event of the frontend's own, behind all that has happened. */
  event(event: Event): void
  /** Writes what there is as far as there is room: to be called before each answer, which comes behind what led to it. */
  pump(): void
  /** Resolves when everything up to now has been written. */
  drained(): Promise<void>
}

export function feedTo(outlet: Outlet): Feed {
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
      while (!outlet.full) {
        const events = stream?.next() ?? (own.length > 0 ? own.splice(0) : null)
        if (events === null) return
        for (const event of events) outlet.line(event)
      }
    } finally {
      pumping = false
    }
    if (waiting) return
    waiting = true
    const again = (): void => {
      waiting = false
      pump()
    }
    outlet.room().then(again, again)
  }

  function begin(after: string | null): void {
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
      begin(all.length === 0 ? null : all.head(all.length - 1).id)
    },
    from: begin,
    setPartial(wanted) {
      partial = wanted
      begin(stream?.after ?? null)
    },
    event(event) {
      own.push(event)
      pump()
    },
    pump,
    async drained() {
      for (pump(); outlet.full; pump()) await outlet.room()
    },
  }
}

import type { DialogValue } from "./dialog.ts"
import type { AskUser, Preview } from "./questions.ts"
import type { Message } from "../messages.ts"

/** The questions that wait for the user. */
export interface Asks {
  readonly ask: AskUser
  /** The user has answered one. */
  answer(id: string, value: DialogValue): void
  /** Shows lines about a row of a list. */
  preview(id: string, of: number): void
  /** Answers all with null. */
  close(): void
}

interface Open {
  readonly preview: Preview | null
  answer(value: DialogValue): void
}

export function createAsks(dispatch: (message: Message, isUrgent?: boolean) => void): Asks {
  const open = new Map<string, Open>()
  let count = 0
  const answer = (id: string, value: DialogValue): void => {
    const asked = open.get(id)
    open.delete(id)
    asked?.answer(value)
  }
  return {
    ask({ body, form }, { signal, preview = null } = {}) {
      if (signal?.aborted === true) return Promise.resolve(null)
      const id = `question ${++count}`
      const { promise, resolve } = Promise.withResolvers<DialogValue>()
      open.set(id, { preview, answer: resolve })
      const leave = (): void => {
        dispatch({ kind: "close", id })
        answer(id, null)
      }
      signal?.addEventListener("abort", leave, { once: true })
      dispatch({ kind: "ask", dialog: { id, body, form, offset: 0, isRead: false } }, true)
      return promise.finally(() => signal?.removeEventListener("abort", leave))
    },
    answer,
    preview(id, of) {
      const show = (lines: readonly string[]): void => dispatch({ kind: "preview", id, of, lines }, true)
      open
        .get(id)
        ?.preview?.(of)
        .then(show, () => show([]))
    },
    close() {
      for (const id of open.keys()) answer(id, null)
    },
  }
}

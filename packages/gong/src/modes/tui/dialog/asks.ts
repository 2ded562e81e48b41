import type { DialogValue } from "./dialog.ts"
import type { AskUser } from "./questions.ts"
import type { Message } from "../messages.ts"

/** The questions that wait for the user. */
export interface Asks {
  readonly ask: AskUser
  /** The user has answered one. */
  answer(id: string, value: DialogValue): void
  /** Answers all with null. */
  close(): void
}

export function createAsks(dispatch: (message: Message) => void): Asks {
  const open = new Map<string, (value: DialogValue) => void>()
  let count = 0
  const answer = (id: string, value: DialogValue): void => {
    const resolve = open.get(id)
    open.delete(id)
    resolve?.(value)
  }
  return {
    ask({ body, form }, signal) {
      if (signal?.aborted === true) return Promise.resolve(null)
      const id = `question ${++count}`
      const { promise, resolve } = Promise.withResolvers<DialogValue>()
      open.set(id, resolve)
      const leave = (): void => {
        dispatch({ kind: "close", id })
        answer(id, null)
      }
      signal?.addEventListener("abort", leave, { once: true })
      dispatch({ kind: "ask", dialog: { id, body, form, offset: 0, isRead: false } })
      return promise.finally(() => signal?.removeEventListener("abort", leave))
    },
    answer,
    close() {
      for (const id of open.keys()) answer(id, null)
    },
  }
}

import { type Dialog, type DialogAnswer, phrase } from "@gong/spec"
import { usage } from "@gong/config/usage"
import { askedBy } from "@gong/extensions/asked-by"
import type { Person } from "../slash/parts.ts"
import type { ControllerState } from "./api.ts"

/**
 * The person behind a client, asked by dialogs of the open session (`ui_request`), so that any reader of the session may
 * answer. Without an answer after `signal`.
 */
export function dialogPerson(state: ControllerState, signal: AbortSignal): Person {
  const dialog = async (asked: Dialog): Promise<DialogAnswer> =>
    (await state.current.session.ask?.(asked, signal)) ?? {}
  const ask = askedBy(async (asked) => ({ by: "user", ...(await dialog(asked)) }))
  return {
    choose: async (question, rows) => (rows.length === 0 ? null : ((await ask("choose", [question, rows])) as number)),
    confirm: async (question) => (await ask("confirm", [question])) === true,
    async line(question, secret = false) {
      const { text } = await dialog({ question, choices: [], freeText: true, ...(secret && { secret }) })
      return text === undefined || text.trim() === "" ? null : text.trim()
    },
    copy: async () => usage(phrase`no clipboard is available. /export writes the session to a file.`),
    keys: [],
  }
}

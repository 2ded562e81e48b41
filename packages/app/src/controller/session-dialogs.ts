import { type Dialog, type DialogAnswer, phrase } from "@gong/spec"
import { usage } from "@gong/config/usage"
import { dialogAsk } from "@gong/extensions/dialog-ask"
import type { UserDialogs } from "../slash/result.ts"
import type { ControllerState } from "./api.ts"

/**
 * The user of a client. Questions are dialogs of the open session (`ui_request`), so that any client of the session may
 * answer. Returns no answer after `signal`.
 */
export function sessionDialogs(state: ControllerState, signal: AbortSignal): UserDialogs {
  const dialog = async (request: Dialog): Promise<DialogAnswer> =>
    (await state.current.session.ask?.(request, signal)) ?? {}
  const ask = dialogAsk(async (request) => ({ by: "user", ...(await dialog(request)) }))
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

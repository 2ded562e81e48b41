import type { HandlersOf } from "./handler.ts"
import { busy } from "./desk.ts"
import { done, refuse } from "./protocol.ts"

/** What the next run goes by. */
export const choices: HandlersOf<
  | "hello"
  | "set_model"
  | "cycle_model"
  | "get_available_models"
  | "set_thinking_level"
  | "set_auto_compaction"
  | "set_auto_retry"
  | "set_permission"
  | "set_tools"
> = {
  hello(desk, { protocol, partial, after }, answer) {
    const { version } = desk.ports
    if (protocol !== 1) {
      desk.exit = 2
      return answer(refuse("protocol", `Protocol ${protocol} is not spoken here.`, `gong ${version} speaks protocol 1`))
    }
    if (partial !== undefined) desk.feed.setPartial(partial)
    if (after !== undefined && !desk.open.session.history.has(after))
      return answer(refuse("not_found", `This session has no step ${after}.`))
    answer(done({ protocol, version }))
    if (after !== undefined) desk.feed.from(after)
  },
  async set_model(desk, { model }, answer) {
    answer(busy(desk) ?? (await desk.open.choices.setModel(model)))
  },
  async cycle_model(desk, _, answer) {
    const refused = busy(desk)
    if (refused) return answer(refused)
    const { choices } = desk.open
    const models = await choices.available()
    const at = models.findIndex(({ model }) => model === choices.model.model)
    const next = models[(at + 1) % models.length]
    return answer(next ? await choices.setModel(next.model) : refuse("not_found", "No model is available."))
  },
  async get_available_models({ open: { choices } }, _, answer) {
    const models = await choices.available()
    answer(done({ models: models.map((one) => ({ ...one, current: one.model === choices.model.model })) }))
  },
  set_thinking_level(desk, { level }, answer) {
    answer(busy(desk) ?? desk.open.choices.setThinking(level))
  },
  set_auto_compaction({ open: { choices } }, { enabled }, answer) {
    choices.autoCompaction = enabled
    answer(done({ enabled }))
  },
  set_auto_retry({ open: { choices } }, { enabled }, answer) {
    choices.autoRetry = enabled
    answer(done({ enabled }))
  },
  async set_permission({ open }, { level }, answer) {
    await open.session.setPermission(level)
    open.choices.permission = level
    answer(done({ level }))
  },
  set_tools(desk, { tools }, answer) {
    answer(busy(desk) ?? desk.open.choices.setTools(tools))
  },
}

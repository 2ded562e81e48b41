import { context, cost, filesChanged, messageIds, runs as runsFold, sessionName, todos, treeOf } from "@gong/tape"
import { type CommandName, commands } from "./commands.ts"
import type { HandlersOf } from "./handler.ts"
import { type Answer, done, refuse } from "./protocol.ts"

/** What only looks. */
export const looks: HandlersOf<
  "get_state" | "get_messages" | "get_entries" | "get_tree" | "get_commands" | "get_stats" | "list_sessions" | "search"
> = {
  get_state({ open, run, working }, _, answer) {
    const { session, info, choices } = open
    const { history } = session
    const { tools, permission, autoCompaction, autoRetry } = choices
    answer(
      done({
        session: session.id,
        name: history.follow(sessionName).value,
        cwd: info.cwd,
        workspace: info.workspace,
        tape: info.tape,
        leaf: history.leaf,
        ...choices.model,
        tools,
        permission,
        autoCompaction,
        autoRetry,
        run: run?.name ?? null,
        working,
        ...session.waiting,
        questions: session.questions,
        dialogs: session.dialogs,
        todos: history.follow(todos).value,
        messages: history.follow(context).value.messages.length,
      }),
    )
  },
  get_messages({ open }, args, answer) {
    const conversation = open.session.history.follow(context).value
    const ids = messageIds(conversation)
    const rows = conversation.messages.map((message, at) => ({ entry: ids[at] ?? "", message }))
    const page = pageOf(ids, args, (at) => rows.slice(at, at + 1))
    answer(page.ok ? done({ messages: page.data.rows.flat(), more: page.data.more }) : page)
  },
  get_entries({ open }, args, answer) {
    const { branch } = open.session.history
    const ids = Array.from({ length: branch.length }, (_, at) => branch.head(at).id)
    const page = pageOf(ids, args, (at) => branch.entry(at))
    answer(page.ok ? done({ entries: page.data.rows, more: page.data.more }) : page)
  },
  get_tree({ open }, _, answer) {
    answer(done({ tree: treeOf(open.session.history) }))
  },
  async get_commands({ open }, _, answer) {
    const names = Object.keys(commands) as CommandName[]
    answer(done({ commands: names.map((name) => ({ name, ...commands[name] })), slash: await open.slash() }))
  },
  get_stats({ open }, _, answer) {
    const { history } = open.session
    const { total, models } = history.follow(cost).value
    const files = [...history.follow(filesChanged).value.values()]
    const runs = history.follow(runsFold).value.count
    answer(done({ entries: history.all.length, runs, ...total, models: Object.fromEntries(models), files }))
  },
  async list_sessions({ ports }, args, answer) {
    answer(await ports.sessions(args))
  },
  async search({ ports }, args, answer) {
    answer(await ports.search(args))
  },
}

/** Characters of one answer's rows: with what stands around them they fit into one line. */
const maxPage = 500_000
const defaultLimit = 1000

interface Page<R> {
  readonly rows: readonly R[]
  readonly more: boolean
}

/** The rows behind the one that `after` names, up to a number and a size; a row alone may be larger. */
function pageOf<R>(
  ids: readonly string[],
  { after, limit = defaultLimit }: { readonly after?: string; readonly limit?: number },
  rowAt: (at: number) => R,
): Answer<Page<R>> {
  const before = after === undefined ? -1 : ids.lastIndexOf(after)
  if (after !== undefined && before < 0) return refuse("not_found", `There is no step ${after} here.`)
  const rows: R[] = []
  let size = 0
  for (let at = before + 1; at < ids.length && rows.length < limit; at++) {
    const row = rowAt(at)
    size += JSON.stringify(row).length
    if (rows.length > 0 && size > maxPage) break
    rows.push(row)
  }
  return done({ rows, more: before + 1 + rows.length < ids.length })
}

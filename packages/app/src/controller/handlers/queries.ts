import { phrase } from "@gong/spec"
import { context, cost, filesChanged, messageIds, runs as runsFold, sessionName, todos, treeOf } from "@gong/tape"
import { type Answer, done, refuse } from "../answer.ts"
import type { HandlersOf } from "./handler.ts"
import { matchesPath } from "../files/matches-path.ts"
import { modelOf } from "../model.ts"

/** Commands that only read the open session. */
export const queries: HandlersOf<
  "get_state" | "get_messages" | "get_entries" | "get_tree" | "find_files" | "get_diff" | "get_stats"
> = {
  get_state({ current, run, working }, _, answer) {
    const { session, info, choices } = current
    const { history, permission } = session
    const { compaction, retry } = choices.controls.settings()
    answer(
      done({
        session: session.id,
        name: history.follow(sessionName).value,
        cwd: info.cwd,
        workspace: info.workspace,
        tape: info.tape,
        leaf: history.leaf,
        ...modelOf(session),
        tools: choices.controls.tools().map(({ name }) => name),
        permission,
        autoCompaction: compaction.auto,
        autoRetry: retry.count > 0,
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
  get_messages({ current }, args, answer) {
    const conversation = current.session.history.follow(context).value
    const ids = messageIds(conversation)
    const rows = conversation.messages.map((message, at) => ({ entry: ids[at] ?? "", message }))
    const page = pageOf(ids, args, (at) => rows.slice(at, at + 1))
    answer(page.ok ? done({ messages: page.data.rows.flat(), more: page.data.more }) : page)
  },
  get_entries({ current }, args, answer) {
    const { branch } = current.session.history
    const ids = Array.from({ length: branch.length }, (_, at) => branch.head(at).id)
    const page = pageOf(ids, args, (at) => branch.entry(at))
    answer(page.ok ? done({ entries: page.data.rows, more: page.data.more }) : page)
  },
  get_tree({ current }, _, answer) {
    answer(done({ tree: treeOf(current.session.history) }))
  },
  async find_files(state, { query, limit }, answer) {
    const { fileMatches } = await import("../files/file-matches.ts")
    answer(done(await fileMatches(state, query, limit)))
  },
  async get_diff({ current }, { path }, answer) {
    const files = await current.session.diff()
    answer(done({ files: path === undefined ? files : files.filter((file) => matchesPath(file.path, path)) }))
  },
  get_stats({ current }, _, answer) {
    const { history } = current.session
    const { total, models } = history.follow(cost).value
    const files = [...history.follow(filesChanged).value.values()]
    const runs = history.follow(runsFold).value.count
    answer(done({ entries: history.all.length, runs, ...total, models: Object.fromEntries(models), files }))
  },
}

/** Characters of the rows of one answer, so that the answer fits into one line of the protocol. */
const maxPage = 500_000
const defaultLimit = 1000

interface Page<R> {
  readonly rows: readonly R[]
  readonly more: boolean
}

/** The rows after `after`, up to a number and a size; a single row may exceed the size. */
function pageOf<R>(
  ids: readonly string[],
  { after, limit = defaultLimit }: { readonly after?: string; readonly limit?: number },
  rowAt: (at: number) => R,
): Answer<Page<R>> {
  const before = after === undefined ? -1 : ids.lastIndexOf(after)
  if (after !== undefined && before < 0) return refuse("not_found", phrase`There is no step ${after} here.`)
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

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Event, SessionHit } from "@gong/spec"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import { listSessions } from "../../../src/commands/sessions/list.ts"
import { type CommandContext, writeLines } from "../../../src/commands/sessions/output.ts"
import { searchSessions } from "../../../src/commands/sessions/search.ts"
import { rebuildIndex, sessionStats } from "../../../src/commands/sessions/stats.ts"
import { restoreSession } from "../../../src/commands/sessions/trash.ts"
import { eventWatchLines, textWatchLines, watchHead } from "../../../src/commands/sessions/watch-lines.ts"
import type { StoredEvent } from "../../../src/commands/sessions/stored-projection.ts"
import type { Cli } from "../../../src/cli.ts"

const ID = "01890a5d-ac96-774b-bcce-b302099a8057"

/** A store of sessions that answers as given; `asked` has the arguments. */
function contextOf(sessions: Readonly<Record<string, (...args: readonly never[]) => unknown>>, options: object = {}) {
  const asked: unknown[] = []
  const unreadable: unknown[] = []
  const answering = Object.fromEntries(
    Object.entries(sessions).map(([name, answer]) => [
      name,
      async (...args: readonly never[]) => {
        asked.push(args)
        return answer(...args)
      },
    ]),
  )
  const place = {
    sessions: answering,
    workspace: { folder: "/repo" },
    home: "/home/.gong",
    clock: { now: () => 0 },
    reportUnreadable: (given: unknown) => void unreadable.push(given),
  }
  const cli = { t: english, style: createStyle({ terminal: false, env: {} }) }
  return { context: { place, options, cli } as unknown as CommandContext, asked, unreadable }
}

async function textOf(outcome: ReturnType<typeof searchSessions>): Promise<readonly string[]> {
  const output = await outcome
  assert.ok(output.ok, JSON.stringify(output))
  const lines = output.value.text.split("\n")
  assert.equal(lines.pop(), "")
  return lines
}

const listed = (more: object = {}) => ({ sessions: [], total: 0, everywhere: 0, unread: 0, unreadable: [], ...more })
const session = (more: object = {}) => ({
  id: ID,
  modified: Date.UTC(2026, 0, 2, 3, 4),
  model: "p/m",
  workspace: "/repo",
  replies: 2,
  cost: 0.5,
  costCny: 0,
  unpriced: 0,
  title: "a title",
  ...more,
})

test("a list has 100 sessions of the workspace, and says how many are older or not indexed", async () => {
  const of = (more: object, options: object = {}) => contextOf({ listed: () => listed(more) }, options)
  const { context, asked, unreadable } = of({ unreadable: ["x"] })
  assert.deepEqual(await textOf(listSessions(english, context)), ["No sessions in /repo yet."])
  assert.deepEqual([asked, unreadable], [[[{ workspace: "/repo", limit: 100, milliseconds: 1_000 }]], [["x"]]])
  const everywhere = of({ everywhere: 3 })
  assert.deepEqual(await textOf(listSessions(english, everywhere.context)), [
    "No sessions in /repo yet (3 elsewhere: gong sessions --all).",
  ])
  const json = of({}, { all: true, json: true })
  await listSessions(english, json.context)
  assert.deepEqual(json.asked, [[{ milliseconds: 1_000 }]])
  const two = of({ sessions: [session(), session({ replies: 1, model: null })], total: 5, unread: 1 })
  const rows = await textOf(listSessions(english, two.context))
  assert.match(rows[0] ?? "", /^099a8057 {2}2026-01-02 \d\d:04 {2}p\/m {2}2 turns {2}\$0\.50 {2}a title$/)
  assert.match(rows[1] ?? "", / {2}- {5}1 turn /)
  assert.deepEqual(rows.slice(2), [
    "... and 3 older ones",
    "1 older session is not indexed yet: gong sessions rebuild indexes all of them.",
  ])
  const all = of({ sessions: [session()], total: 1, unread: 2 }, { all: true })
  const shown = await textOf(listSessions(english, all.context))
  assert.match(shown[0] ?? "", / {2}\/repo {2}a title$/)
  assert.deepEqual(shown.slice(1), ["2 older sessions are not indexed yet: gong sessions rebuild indexes all of them."])
  assert.deepEqual(await textOf(listSessions(english, of({ unread: 2 }).context)), shown.slice(1))
})

const hit = (more: object = {}): SessionHit =>
  ({
    session: ID,
    title: "a title",
    inSession: 1,
    snippet: { text: "one two", marks: [[4, 7]] },
    entry: { id: "e1", type: "message", timestamp: "2026-01-02T03:04:00.000Z", message: { role: "user" } },
    ...more,
  }) as unknown as SessionHit
const searched = (more: object = {}) => ({ hits: [], total: 0, more: false, unread: 0, unreadable: [], ...more })

test("hits are grouped by session; what is not shown is counted", async () => {
  const search = (more: object, options: object = {}) => contextOf({ search: () => searched(more) }, options)
  const entry = (type: string, role?: string) => ({
    id: type,
    type,
    timestamp: "2026-01-02T03:04:00.000Z",
    message: { role },
  })
  const hits = [
    hit({ inSession: 4 }),
    hit({ session: ID.replace(/7$/, "8"), title: null, entry: entry("input") }),
    hit({ inSession: 4, entry: entry("compaction") }),
    hit({ inSession: 4, entry: entry("message", "tool") }),
  ]
  const { context, asked } = search({ hits, total: 4 })
  const rows = (await textOf(searchSessions(context, "two"))).map((row) => row.replace(/\d\d:04/, "TIME"))
  assert.deepEqual(asked, [["two", { workspace: "/repo", limit: 20, milliseconds: 10_000 }]])
  assert.deepEqual(rows, [
    "099a8057  a title",
    "  e1  2026-01-02 TIME  user       one two",
    "  compaction  2026-01-02 TIME  compaction  one two",
    "  message  2026-01-02 TIME  tool       one two",
    "  ... and 1 more in this session",
    "099a8058  (empty)",
    "  input  2026-01-02 TIME  user       one two",
  ])
  const cut = search({ hits: [hit()], total: 2, unread: 1 })
  assert.deepEqual((await textOf(searchSessions(cut.context, "two"))).slice(2), [
    "2 found; the best 1 are shown",
    "1 older session is not indexed yet: gong sessions rebuild indexes all of them.",
  ])
  const more = search({ hits: [hit()], total: 2, more: true })
  assert.equal((await textOf(searchSessions(more.context, "two")))[2], "more than 2 found; the best 1 are shown")
})

test("matches are marked in the text around them", async () => {
  const { context } = contextOf({
    search: () =>
      searched({
        hits: [
          hit({
            snippet: {
              text: "a b c b",
              marks: [
                [2, 3],
                [6, 7],
              ],
            },
          }),
        ],
        total: 1,
      }),
  })
  const style = { ...context.cli.style, match: (text: string) => `<${text}>` }
  const [, row] = await textOf(searchSessions({ ...context, cli: { ...context.cli, style } as Cli }, "b"))
  assert.match(row ?? "", /a <b> c <b>$/)
})

test("without hits here those of other workspaces are counted", async () => {
  const { context, asked } = contextOf({
    search: ((_: string, scope: { workspace?: string }) =>
      searched({ total: scope.workspace === undefined ? 7 : 0 })) as never,
  })
  assert.deepEqual(await textOf(searchSessions(context, "x")), [
    "Nothing found in /repo (7 found elsewhere: gong sessions search --all x).",
  ])
  assert.deepEqual(asked[1], ["x", { limit: 1, milliseconds: 10_000 }])
  const all = contextOf({ search: () => searched({ unread: 2 }) }, { all: true })
  assert.deepEqual(await textOf(searchSessions(all.context, "x")), [
    "Nothing found. --substring also looks inside words.",
    "2 older sessions are not indexed yet: gong sessions rebuild indexes all of them.",
  ])
  assert.deepEqual(all.asked, [["x", { limit: 20, milliseconds: 10_000 }]])
})

test("a search of any substring reads the sessions, for a minute at most", async () => {
  const scan = (more: object, options: object = {}) =>
    contextOf(
      { scan: () => ({ hits: [], read: 2, sessions: 3, bytes: 1_500_000, more: false, unreadable: [], ...more }) },
      { substring: true, ...options },
    )
  const found = scan({ hits: [hit()], more: true })
  const rows = await textOf(searchSessions(found.context, "wo"))
  assert.match(rows[0] ?? "", /^099a8057 {2}e1 {2}2026-01-02 \d\d:04 {2}user {7}one two$/)
  assert.equal(rows[1], "Read 2 of 3 sessions (1.5 MB) without the index. There may be more.")
  assert.deepEqual(found.asked, [["wo", { workspace: "/repo", limit: 20, milliseconds: 60_000 }]])
  const none = scan({}, { all: true })
  assert.deepEqual(await textOf(searchSessions(none.context, "wo")), [
    "Nothing found.",
    "Read 2 of 3 sessions (1.5 MB) without the index.",
  ])
  assert.deepEqual(none.asked, [["wo", { limit: 20, milliseconds: 60_000 }]])
})

const damage = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ file: `f${at}`, offset: at, reason: "cut" }))

test("a rebuilt index is reported with the first five damaged lines, and if it could not be stored", async () => {
  const rebuild = (more: object) => {
    let now = 0
    const { context } = contextOf({
      rebuild: () => (
        (now = 2_500),
        { sessions: 1, bytes: 2_000_000, damage: [], kept: true, unreadable: [], ...more }
      ),
    })
    return textOf(
      rebuildIndex(english, {
        ...context,
        place: { ...context.place, clock: { ...context.place.clock, now: () => now } },
      }),
    )
  }
  assert.deepEqual(await rebuild({}), ["Read 1 session (2.0 MB) in 2.5 s."])
  assert.deepEqual(await rebuild({ sessions: 2, damage: damage(1), kept: false }), [
    "Read 2 sessions (2.0 MB) in 2.5 s.",
    "skipped: f0 at byte 0, cut",
    "/home/.gong is not writable: the index was not stored.",
  ])
  assert.deepEqual((await rebuild({ damage: damage(5) })).length, 6)
  const many = await rebuild({ damage: damage(6) })
  assert.deepEqual([many.length, many.at(-1)], [7, "... and 1 more damaged lines"])
})

test("statistics have damaged lines and models only where there are some", async () => {
  const stats = (more: object) => {
    const of = contextOf({
      stats: () => ({
        sessions: 1,
        workspaces: 2,
        prompts: 3,
        replies: 4,
        calls: 5,
        entries: 6,
        bytes: 7_000_000,
        cost: 0.5,
        costCny: 0,
        unpriced: 0,
        damaged: 0,
        models: [],
        unread: 0,
        unreadable: [],
        ...more,
      }),
    })
    return { of, text: textOf(sessionStats(english, of.context)) }
  }
  const { of, text } = stats({})
  assert.deepEqual(
    (await text).map((row) => row.replaceAll(/ +/g, " ")),
    [
      "sessions 1",
      "workspaces 2",
      "your messages 3",
      "turns 4",
      "tool calls 5",
      "steps 6",
      "size 7.0 MB",
      "cost $0.50",
    ],
  )
  assert.deepEqual(of.asked, [[{ milliseconds: 10_000 }]])
  const more = await stats({
    damaged: 2,
    unread: 1,
    models: [{ model: null, sessions: 3, cost: 0, costCny: 0, unpriced: 0 }],
  }).text
  assert.deepEqual(
    more.slice(8).map((row) => row.replaceAll(/ +/g, " ")),
    [
      "damaged lines 2",
      "",
      "By last model: sessions, cost",
      "no model yet 3 $0",
      "1 older session is not indexed yet: gong sessions rebuild indexes all of them.",
    ],
  )
})

test("a session that is not in the trash is an error that names what is there", async () => {
  const restore = async (removed: readonly object[]) => {
    const restored = await restoreSession(contextOf({ restore: () => ({ ok: false, removed }) }).context, "x")
    assert.ok(!restored.ok)
    return restored.error.lines.join("\n")
  }
  assert.equal(await restore([]), 'gong: there is no session "x" in the trash. The trash is empty.')
  const many = await restore(Array.from({ length: 11 }, () => ({ id: ID })))
  assert.equal(
    many,
    `gong: there is no session "x" in the trash. It contains ${Array.from({ length: 10 }, () => "099a8057").join(", ")}.`,
  )
  const found = await restoreSession(
    contextOf({ restore: () => ({ ok: true, session: { id: ID, path: "/p" } }) }).context,
    "x",
  )
  assert.deepEqual(found, {
    ok: true,
    value: { text: "Session 099a8057 is restored.\n", json: { id: ID, path: "/p" } },
  })
})

test("lines are written until stdout is closed, and after each million characters the reader catches up", async () => {
  const log: string[] = []
  let closesAt = Infinity
  const cli = {
    get outputClosed() {
      return log.length >= closesAt
    },
    out: (line: string) => void log.push(`${line.length}`),
    flush: async () => void log.push("flush"),
  } as unknown as Cli
  const line = "x".repeat(500_000)
  await writeLines(cli, [line, line, line, "y", line])
  assert.deepEqual(log, ["500000", "500000", "flush", "500000", "1", "500000", "flush"])
  log.length = 0
  closesAt = 2
  await writeLines(cli, ["a", "b", "c"])
  assert.deepEqual(log, ["1", "1"])
})

const stored = (event: object): StoredEvent => ({ event: event as Event, time: "2026-01-02T03:04:05.000Z" })
const watched = { id: ID, info: { cwd: "/repo" } } as Parameters<typeof watchHead>[1]

test("watched events are numbered lines for programs, with the session before and the result behind them", async () => {
  const lines = eventWatchLines(stored({ type: "session" }))
  const all = [
    ...lines.begin(),
    ...lines.lines([stored({ type: "turn_start" })]),
    ...lines.idle(),
    ...(await lines.end(stored({ type: "result" }))),
  ]
  assert.deepEqual(
    all,
    ["session", "turn_start", "result"].map(
      (type, at) => `{"type":"${type}","seq":${at + 1},"time":"2026-01-02T03:04:05.000Z"}\n`,
    ),
  )
  const late = eventWatchLines(null)
  assert.deepEqual([...late.begin(), ...(await late.end(null))], [])
})

test("watched events are lines for users: messages, calls, failures, and what runs when nothing follows", async () => {
  const lines = textWatchLines(english, { session: watched, holder: { pid: 7 } as never, hidden: 1 })
  assert.deepEqual(
    [...lines.begin()],
    ["Watching session 099a8057 in /repo by pid 7: read-only; a step is shown when it is stored. Ctrl+C exits.\n"],
  )
  assert.equal(watchHead(english, watched, null).includes("by pid"), false)
  const call = { toolCallId: "c", name: "bash", title: "ls", args: { command: "ls" } }
  const shown = (...events: readonly object[]) => [...lines.lines(events.map(stored))]
  assert.deepEqual(shown({ type: "tool_execution_start", ...call }), [], "a hidden entry")
  assert.deepEqual([...lines.idle()], ["  bash ls ...\n"])
  assert.deepEqual([...lines.idle()], [], "once")
  const message = (role: string, text: string) => ({
    type: "message_end",
    message: { role, content: [{ type: "text", text }] },
  })
  assert.deepEqual(
    shown(
      { type: "session" },
      { type: "tool_execution_end", ...call, status: "ok", content: [], details: null, durationMs: 0 },
      message("user", "one\ntwo"),
      message("assistant", "answer"),
      message("assistant", ""),
      { type: "failure", failure: { kind: "auth", message: "no key" } },
      { type: "agent_end", status: "failed" },
      { type: "agent_end", status: "done" },
      { type: "model_select", model: "p/m" },
      { type: "turn_start", turn: 1 },
    ),
    ["  bash ls  0.0 s\n", "> one\n> two\n", "answer\n", "gong: no key\n", "[failed]\n", "[model: p/m]\n"],
  )
  shown({ type: "tool_execution_start", ...call }, { type: "agent_end", status: "done" })
  assert.deepEqual([...lines.idle(), ...(await lines.end(null))], [])
})

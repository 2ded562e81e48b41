import assert from "node:assert/strict"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { openStage, type Run, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

/** Three sessions: two of the repository, one of another folder. */
async function threeSessions(t: TestContext): Promise<Stage & { readonly ids: readonly string[] }> {
  const stage = await openStage(t, {
    turns: [
      { text: "The applyDiscount function subtracts twice." },
      { text: "搜索会话的错误修好了" },
      { text: "The discount of the other place." },
    ],
  })
  const ids: string[] = []
  const say = async (cwd: string, id: string, text: string): Promise<void> => {
    const run = await stage.gong(["-pq", "--session-id", id, text], { cwd })
    assert.equal(run.status, 0, run.err)
    ids.push(id)
  }
  await say(stage.repo, "work-0001", "fix the discount")
  await say(stage.repo, "work-0002", "修复会话搜索")
  await say(stage.home, "else-0003", "and here\nsecond line")
  return { ...stage, ids }
}

function json(run: Run): Record<string, unknown> & {
  readonly hits: readonly Record<string, unknown>[]
  readonly sessions: readonly Record<string, unknown>[]
} {
  assert.deepEqual([run.status, run.err], [0, ""])
  return JSON.parse(run.out)
}

interface MarkedText {
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
}

function snippetOf({ hits: [first] }: { readonly hits: readonly Record<string, unknown>[] }): MarkedText {
  assert.ok(first)
  return first["snippet"] as MarkedText
}

test("[TAPE-S.03] sessions are listed, searched and shown without an agent; as JSON for programs", async (t) => {
  const stage = await threeSessions(t)
  assert.ok(!existsSync(join(stage.gongHome, "index.db")), "no run waits for the index")
  const ask = (...args: readonly string[]): Promise<Run> =>
    stage.gong(["sessions", ...args], { env: { GONG_MODEL: undefined, GONG_BASE_URL: undefined } })

  const list = await ask()
  assert.deepEqual(
    list.out.split("\n").map((line) => line.split("  ").at(-1)),
    ["修复会话搜索", "fix the discount", ""],
  )
  const all = json(await ask("--all", "--json"))
  assert.deepEqual(
    all.sessions.map(({ id, title, replies, model }) => [id, title, replies, model]),
    [
      ["else-0003", "and here", 1, "custom/mock"],
      ["work-0002", "修复会话搜索", 1, "custom/mock"],
      ["work-0001", "fix the discount", 1, "custom/mock"],
    ],
  )

  const found = await ask("search", "discount", "subtr")
  assert.match(
    found.out,
    /^work-0001 {2}fix the discount\n {2}\S{12} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}assistant {2}The applyDiscount function subtracts twice\.\n$/,
  )
  const chinese = json(await ask("search", "会话", "--json"))
  assert.deepEqual(chinese.hits.map(({ session, role }) => `${String(session)} ${String(role)}`).toSorted(), [
    "work-0002 assistant",
    "work-0002 user",
  ])
  const { text, marks } = snippetOf(chinese)
  assert.deepEqual(
    marks.map(([from, to]) => text.slice(from, to)),
    ["会话"],
  )
  assert.equal(json(await ask("search", "discount", "--json")).hits.length, 2)
  assert.equal(json(await ask("search", "discount", "--all", "--json")).hits.length, 3)
  const shown = JSON.parse((await ask("show", "work-0001", "--json")).out) as { entries: readonly { id: string }[] }
  assert.ok(
    shown.entries.some(({ id }) => found.out.includes(id)),
    "a hit names the entry",
  )
})

test("a search without hits suggests alternatives; --substring searches inside words and reports its cost", async (t) => {
  const stage = await threeSessions(t)
  const ask = (...args: readonly string[]): Promise<Run> => stage.gong(["sessions", "search", ...args])
  assert.equal(
    (await ask("place")).out,
    `Nothing found in ${stage.repo} (1 found elsewhere: gong sessions search --all place). \n`.replace(" \n", "\n"),
  )
  assert.equal((await ask("iscoun")).out, `Nothing found in ${stage.repo}. --substring also looks inside words.\n`)
  const inside = await ask("--substring", "iscoun")
  assert.match(
    inside.out,
    /^work-0001 {2}.*\nwork-0001 {2}.*\nRead 2 of 2 sessions \(\d+\.\d MB\) without the index\.\n$/,
  )
  assert.match((await ask("--substring", "--all", "没有")).out, /^Nothing found\.\nRead 3 of 3 sessions/)
  const none = await ask("--", "(*)")
  assert.deepEqual(
    [none.status, none.err],
    [2, 'gong: "(*)" contains no letter and no digit. --substring finds any characters.\n'],
  )
  const bare = await ask()
  assert.deepEqual(
    [bare.status, bare.err],
    [2, 'gong: "sessions search" needs a value: gong sessions search WORD...\n'],
  )
})

test("rm moves a session to the trash and restore restores it; an open session is refused", async (t) => {
  const stage = await threeSessions(t)
  const ask = (...args: readonly string[]): Promise<Run> => stage.gong(["sessions", ...args])
  const listed = async (): Promise<unknown[]> => json(await ask("--all", "--json")).sessions.map(({ id }) => id)
  const file = join(stage.gongHome, "sessions/work-0001/anchors/001_session-start/entries.jsonl")
  const before = readFileSync(file, "utf8")
  const gone = await ask("rm", "work-0001")
  const trash = join(stage.gongHome, "trash/work-0001")
  assert.deepEqual(
    [gone.status, gone.out],
    [0, `Session work-0001 is in the trash (${trash}). gong sessions restore work-0001 restores it.\n`],
  )
  assert.equal(statSync(join(stage.gongHome, "trash")).mode & 0o777, 0o700)
  assert.deepEqual(await listed(), ["else-0003", "work-0002"])
  assert.deepEqual(json(await ask("search", "--json", "discount")).hits, [])
  assert.equal((await stage.gong(["-pq", "--session", "work-0001", "x"])).status, 2)
  const wrong = await ask("restore", "work-9999")
  assert.deepEqual(
    [wrong.status, wrong.err.split("\n")[0]],
    [2, 'gong: there is no session "work-9999" in the trash. It contains work-0001.'],
  )
  assert.equal((await ask("restore", "0001")).out, "Session work-0001 is restored.\n")
  assert.deepEqual([await listed(), readFileSync(file, "utf8")], [["else-0003", "work-0002", "work-0001"], before])

  const holder = { pid: process.pid, host: "elsewhere", startTime: "", nonce: "n", beat: Date.now() }
  writeFileSync(join(stage.gongHome, "sessions/work-0002/lock"), JSON.stringify(holder))
  const held = await ask("rm", "work-0002")
  assert.deepEqual([held.status, held.out], [2, ""])
  assert.match(held.err, /^gong: session work-0002 is open in another gong/)
})

test("a damaged, deleted or unwritable index does not change answers; stats and rebuild", async (t) => {
  const stage = await threeSessions(t)
  const ask = (...args: readonly string[]): Promise<Run> => stage.gong(["sessions", ...args])
  const file = join(stage.gongHome, "index.db")
  const right = (await ask("--all")).out
  assert.equal(statSync(file).mode & 0o777, 0o600)
  rmSync(file)
  assert.equal((await ask("--all")).out, right)
  writeFileSync(file, "garbage".repeat(1000))
  assert.equal((await ask("--all")).out, right)
  const rebuilt = await ask("rebuild")
  assert.match(rebuilt.out, /^Read 3 sessions \(0\.0 MB\) in \d+\.\d s\.\n$/)
  const stats = await ask("stats")
  assert.match(stats.out, /^sessions +3\nworkspaces +2\nyour messages +3\nturns +3\n/)
  assert.match(stats.out, /^cost +\$\?$/m, "a price that nobody knows is not 0")
  assert.match(stats.out, /^\S+\/\S+ +3 +\$\?$/m)
  const wrong = await ask("show", "work-000")
  assert.match(wrong.err, /^gong: "work-000" matches 2 sessions: work-000\d, work-000\d\. Give more of the id\.\n$/)
  const misplaced = await stage.gong(["sessions", "list", "--substring"])
  assert.deepEqual(
    [misplaced.status, misplaced.err],
    [2, 'gong: --substring works only with "gong sessions search".\n'],
  )
})

test("tree shows the branches, fork copies one at a step, verify checks every line", async (t) => {
  const stage = await threeSessions(t)
  const ask = (...args: readonly string[]): Promise<Run> => stage.gong(["sessions", ...args])
  const shown = JSON.parse((await ask("show", "work-0001", "--json")).out) as {
    entries: readonly { id: string; type: string }[]
  }
  const step = shown.entries.find(({ type }) => type === "input")?.id ?? ""
  const forked = JSON.parse((await ask("fork", "work-0001", step, "--json")).out) as { id: string }
  assert.equal(
    (await stage.gong(["sessions", "tree", forked.id])).out.split("\n").length,
    4,
    "one parting: before it, left, new",
  )
  assert.match((await ask("tree", "work-0001")).out, /^\* \S{12} {2}\d+ steps {2}fix the discount\n$/)
  const unknown = await ask("fork", "work-0001", "nosuchstep00")
  assert.deepEqual([unknown.status, unknown.out], [2, ""])
  assert.match(unknown.err, /^gong: .*nosuchstep00.*\n$/)

  const fine = await ask("verify", "work-0001")
  assert.match(fine.out, /^\d+ steps in 1 phase, \d+ artifacts: all checksums match\.\n$/)
  const file = join(stage.gongHome, "sessions/work-0001/anchors/001_session-start/entries.jsonl")
  writeFileSync(file, readFileSync(file, "utf8").replace("subtracts", "subtract5"))
  const bad = await ask("verify", "work-0001")
  assert.equal(bad.status, 1)
  assert.match(
    bad.out,
    /: 2 do not match\.\n\S+entries\.jsonl:7: line does not match its check sum\n\S+:8: parent \S+ is missing/,
  )
})

test("costs in yuan are shown before dollars: in the list, the sums and the stats of rpc", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two", usage: { input: 1000, output: 1000 } }] })
  const price = { input: 670, output: 6700, yuanPerDollar: 6.7 }
  const models = { mock: { contextWindow: 65_536, price } }
  stage.write({ [`${stage.gongHome}/models.json`]: JSON.stringify({ providers: { custom: { models } } }) })
  for (const text of ["first", "second"]) assert.equal((await stage.gong(["-pq", text])).status, 0)
  const list = json(await stage.gong(["sessions", "--json"]))
  const known = list.sessions.map(({ cost, costCny }) => [cost, costCny])
  // 120 and 40 tokens: 0.0804 + 0.268 yuan; 1,000 of each: 0.67 + 6.7.
  assert.deepEqual(known.flat().map(rounded), [1.1, 7.37, 0.052, 0.3484])
  const stats = await stage.gong(["sessions", "stats"])
  assert.match(stats.out, /^cost +¥7\.72 \(\$1\.15\)$/m)
  assert.match(stats.out, /^custom\/mock +2 +¥7\.72 \(\$1\.15\)$/m)
  assert.match((await stage.gong(["sessions"])).out, / ¥0\.35 \(\$0\.0520\) /)
  const client = startRpc(t, stage, ["--session", sessionOf(list)])
  const asked = await client.request("get_stats")
  assert.deepEqual([asked.costCny, asked.models["custom/mock"]?.costCny].map(rounded), [7.37, 7.37])
  client.close()
  assert.equal((await client.ended).status, 0)
})

/** The line written last. */
function sessionOf({ sessions: [newest] }: { readonly sessions: readonly Record<string, unknown>[] }): string {
  return String(newest?.["id"])
}

function rounded(value: unknown): number {
  return Number(Number(value).toFixed(6))
}

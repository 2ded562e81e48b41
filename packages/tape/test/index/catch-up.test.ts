import assert from "node:assert/strict"
import {
  appendFileSync,
  closeSync,
  cpSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { openIndexFile } from "../../src/index/database.ts"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { type Disk, forkTape, mergeTape, nodeDisk } from "../../src/store/file.ts"
import { openIndex, type TapeIndex } from "../../src/index/index.ts"
import { input, reply, result, start, user } from "../world.ts"
import { foundBy, type Home, testHome } from "./home.ts"

const lines = "anchors/001_session-start/entries.jsonl"

/** Counts the bytes that are read of entries files. */
function countingDisk(): { readonly disk: Disk; read(): number } {
  const inner = nodeDisk()
  let read = 0
  return {
    disk: {
      ...inner,
      read(file, into, position) {
        const count = inner.read(file, into, position)
        read += count
        return count
      },
    },
    read() {
      const before = read
      read = 0
      return before
    },
  }
}

/** Everything that an index can be asked. */
function answersOf(index: TapeIndex) {
  const { damage, ...rest } = { damage: [], ...index.list() }
  return {
    ...rest,
    damage,
    stats: index.stats(),
    found: ["word", "zwei", "修复", "result"].map((one) => foundBy(index, one)),
  }
}

function threeTapes(home: Home): void {
  for (const id of ["a", "b", "c"]) {
    const tape = home.make(id)
    const [asked] = tape.append([input(`word of ${id} 修复`)], { sync: true })
    tape.append([user(`word of ${id} 修复`, asked?.id), reply("zwei word", ["c1"]), start("c1"), result("c1")], {
      sync: false,
    })
    tape.handoff("next")
    tape.append([reply("word")], { sync: false })
    tape.close()
  }
}

test("only new entries are read, and none if there are none", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const { disk, read } = countingDisk()
  const index = home.index(disk)
  index.catchUp()
  const all = statSync(`${home.sessions}/a/${lines}`).size * 3
  assert.ok(read() > all)
  assert.deepEqual([index.catchUp().bytes, read()], [0, 0])
  const tape = home.reopen("b")
  tape.append([user("late word")], { sync: true })
  tape.close()
  const { bytes } = index.catchUp()
  assert.ok(bytes > 100 && bytes < 400, `${bytes} are one line`)
  // Beside it: tape.json and the bytes by which a file is known again.
  assert.ok(read() < 1000)
  assert.equal(foundBy(index, "late").length, 1)
})

test("a list has the data of the tapes, newest first", (t) => {
  const home = testHome(t)
  threeTapes(home)
  home.make("elsewhere", "/v").close()
  const index = home.index()
  index.catchUp()
  const { sessions, total, everywhere } = index.list({ workspace: "/w", limit: 2 })
  assert.deepEqual([sessions.length, total, everywhere], [2, 3, 4])
  const [one] = index.list({ workspace: "/w" }).sessions.filter(({ id }) => id === "b")
  const phases = ["001_session-start", "002_next"].map((name) =>
    statSync(`${home.sessions}/b/anchors/${name}/entries.jsonl`),
  )
  assert.deepEqual(one, {
    id: "b",
    path: `${home.sessions}/b`,
    cwd: "/w",
    workspace: "/w",
    created: "2025-01-01T00:00:00.000Z",
    modified: phases[1]?.mtimeMs,
    from: null,
    damaged: 0,
    title: "word of b 修复",
    name: null,
    model: "acme/m1",
    entries: 8,
    prompts: 1,
    replies: 2,
    calls: 1,
    // Without the newlines at the end, after which the next lines are read.
    bytes: phases.reduce((sum, { size }) => sum + size - 1, 0),
    cost: 1,
    costCny: 0,
    unpriced: 0,
  })
  const times = index.list().sessions.map(({ modified }) => modified)
  assert.deepEqual(
    times,
    times.toSorted((x, y) => y - x),
  )
  const { models, ...sums } = index.stats()
  assert.deepEqual([sums.sessions, sums.workspaces, sums.entries, sums.cost], [4, 2, 25, 3])
  assert.deepEqual(models, [
    { model: "acme/m1", sessions: 3, cost: 3, costCny: 0, unpriced: 0 },
    { model: null, sessions: 1, cost: 0, costCny: 0, unpriced: 0 },
  ])
})

test("a tape that is removed, moved, truncated or replaced leaves no rows", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const index = home.index()
  index.catchUp()
  rmSync(`${home.sessions}/a`, { recursive: true })
  renameSync(`${home.sessions}/b`, `${home.folder}/b`)
  index.catchUp()
  assert.deepEqual(new Set(foundBy(index, "word").map((hit) => hit[0])), new Set(["c"]))
  assert.deepEqual(
    index.list().sessions.map(({ id }) => id),
    ["c"],
  )

  const whole = readFileSync(`${home.sessions}/c/${lines}`)
  const second = whole.indexOf(10) + 1
  cutTo(`${home.sessions}/c/${lines}`, second)
  cutTo(`${home.sessions}/c/anchors/002_next/entries.jsonl`, 0)
  index.catchUp()
  assert.deepEqual([foundBy(index, "word"), index.list().sessions[0]?.entries], [[], 1])

  renameSync(`${home.folder}/b`, `${home.sessions}/c2`)
  rmSync(`${home.sessions}/c`, { recursive: true })
  renameSync(`${home.sessions}/c2`, `${home.sessions}/c`)
  index.catchUp()
  assert.deepEqual(
    index.list().sessions.map(({ id, path }) => [id, path]),
    [["b", `${home.sessions}/c`]],
  )
  assert.equal(foundBy(index, "word").length, 3)
})

function cutTo(path: string, length: number): void {
  const file = openSync(path, "r+")
  ftruncateSync(file, length)
  closeSync(file)
}

test("[TAPE-INIT.4] [TAPE-REBUILD.1] [TAPE-REBUILD.3] deleted, emptied, cut, overwritten, of another version or a folder: the answers stay the same", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const fresh = home.index()
  fresh.catchUp()
  const right = answersOf(fresh)
  assert.deepEqual(
    right.found.map((hits) => hits.length),
    [9, 3, 3, 3],
  )
  fresh.close()
  const bytes = readFileSync(home.file)
  const remove = (): void =>
    ["", "-wal", "-shm"].forEach((end) => rmSync(home.file + end, { force: true, recursive: true }))
  const wrongs: Readonly<Record<string, () => void>> = {
    "is deleted": () => undefined,
    "is empty": () => writeFileSync(home.file, ""),
    "is garbage": () => writeFileSync(home.file, Buffer.alloc(100_000, "garbage")),
    "is cut in the middle": () => writeFileSync(home.file, bytes.subarray(0, bytes.length >> 1)),
    "is cut inside its header": () => writeFileSync(home.file, bytes.subarray(0, 50)),
    "has a page of zeros": () => writeFileSync(home.file, Buffer.from(bytes).fill(0, 4096, 12_288)),
    "has pages of noise": () => writeFileSync(home.file, Buffer.from(bytes).fill("noise", 8192, 40_000)),
    "is of another version": () => edit(home.file, "PRAGMA user_version = 99"),
    "lacks a table": () => edit(home.file, "DROP TABLE files"),
    "has another table": () => edit(home.file, "ALTER TABLE entries RENAME COLUMN entry TO other"),
    "lacks rows": () => edit(home.file, "DELETE FROM sessions WHERE folder = 'b'"),
    "is a folder": () => cpSync(home.sessions, home.file, { recursive: true }),
  }
  for (const [name, make] of Object.entries(wrongs)) {
    remove()
    if (name.startsWith("has") || name.startsWith("lacks") || name.startsWith("is of")) writeFileSync(home.file, bytes)
    make()
    const index = home.index()
    index.catchUp()
    assert.deepEqual(answersOf(index), right, `the file ${name}`)
    index.rebuild()
    assert.deepEqual(answersOf(index), right, `the file ${name}, made anew`)
    index.close()
  }
})

function edit(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

test("a search notices a line that is not at its location in the index", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const index = home.index()
  index.catchUp()
  edit(home.file, "UPDATE entries SET line_offset = line_offset + 1 WHERE session = 1")
  assert.equal(foundBy(index, "zwei").length, 3)
  assert.deepEqual(index.search("zwei")?.stale, [])
})

test("[TAPE-MERGE.1] merged entries are found in the main session, once each", (t) => {
  const home = testHome(t)
  const tape = home.make("s1")
  tape.append([user("alpha")], { sync: true })
  tape.close()
  const into = `${home.sessions}/s1`
  const from = forkTape(home.ports, { path: into, id: "fork" })
  const copy = home.reopen("fork")
  copy.append([user("grown beta")], { sync: true })
  copy.close()
  const index = home.index()
  index.catchUp()
  const hit = (id: string) => `${id}/${copy.leaf}`
  assert.deepEqual(foundBy(index, "grown"), [hit("fork")])
  mergeTape(home.ports, { into, from })
  index.catchUp()
  assert.deepEqual(foundBy(index, "grown"), [hit("fork"), hit("s1")])
  assert.equal(foundBy(index, "alpha").filter((found) => found.startsWith("s1/")).length, 1)
})

test("[TAPE-REBUILD.2] a damaged line is skipped and reported, the rest is found; a torn last line is read later", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const file = `${home.sessions}/a/anchors/002_next/entries.jsonl`
  const whole = readFileSync(file, "utf8")
  const [first = "", second = ""] = whole.trimEnd().split("\n")
  writeFileSync(file, `${first}\n${second.replace("word", "wort")}\n${second.slice(0, 40)}`)
  const index = home.index()
  const { damage } = index.catchUp()
  assert.deepEqual(
    damage.map(({ file: where, offset }) => [where, offset]),
    [[file, first.length + 1]],
  )
  assert.deepEqual([foundBy(index, "wort").length, foundBy(index, "word").length], [0, 8])
  assert.equal(index.list().sessions.find(({ id }) => id === "a")?.damaged, 1)
  appendFileSync(file, second.slice(40))
  index.catchUp()
  assert.equal(foundBy(index, "word").length, 9, "also before its newline is there")
  appendFileSync(file, `\n${second}\n`)
  index.catchUp()
  assert.deepEqual([foundBy(index, "word").length, index.catchUp().bytes], [9, 0], "a doubled line counts once")
  const steps = index.list().sessions.find(({ id }) => id === "a")?.entries
  assert.equal(steps, home.reopen("a").store.heads().length, "as many steps as the session has")
  const before = answersOf(index)
  assert.deepEqual([index.rebuild().damage.length, answersOf(index)], [1, before])
})

test("a file that was exchanged for a longer one of the same tape is read from its beginning", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const index = home.index()
  index.catchUp()
  // The newest phase: older ones are never written to again.
  const file = `${home.sessions}/a/anchors/002_next/entries.jsonl`
  writeFileSync(
    file,
    Buffer.concat([readFileSync(`${home.sessions}/b/${lines}`), readFileSync(`${home.sessions}/c/${lines}`)]),
  )
  index.catchUp()
  const before = answersOf(index)
  index.rebuild()
  assert.deepEqual(before, answersOf(index))
})

test("a complete entry after the start of a torn line counts once, and only when the line has ended", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const file = `${home.sessions}/a/anchors/002_next/entries.jsonl`
  const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? ""
  const index = home.index()
  appendFileSync(file, `{"id":"torn${last.replace("word", "nothing").slice(0, 60)}${start("x").name}`)
  const whole = `${home.sessions}/b/anchors/002_next/entries.jsonl`
  appendFileSync(file, readFileSync(whole, "utf8").trimEnd().split("\n").at(-1) ?? "")
  for (let n = 0; n < 2; n++) {
    index.catchUp()
    assert.equal(index.search("word")?.total, 9)
  }
  appendFileSync(file, "\n")
  index.catchUp()
  assert.equal(index.search("word")?.total, 10)
  const before = answersOf(index)
  index.rebuild()
  assert.deepEqual(before, answersOf(index))
})

test("time ends it at the end of a tape; the newest are read first and the others are named", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const index = home.index()
  const { outdated } = index.catchUp(0)
  assert.equal(outdated.length, 3)
  assert.equal(index.list().total, 0)
  assert.deepEqual(index.catchUp().outdated, [])
  assert.equal(index.list().total, 3)
})

test("only the given tape is read, from its new entries on, and not at all beyond the limit", (t) => {
  const home = testHome(t)
  threeTapes(home)
  const index = home.index()
  const { bytes } = index.catchUpTape("b", 100_000)
  const one = index.list().sessions.map(({ id }) => id)
  assert.deepEqual([one, foundBy(index, "word").every((hit) => hit.startsWith("b/"))], [["b"], true])
  assert.deepEqual(index.catchUpTape("b", 100_000).bytes, 0)
  const tape = home.reopen("b")
  tape.append([user("late word")], { sync: true })
  tape.close()
  const tooMuch = index.catchUpTape("b", 100)
  assert.deepEqual([tooMuch.bytes, tooMuch.outdated.map(({ folder }) => folder)], [0, ["b"]])
  assert.deepEqual(foundBy(index, "late"), [])
  assert.ok(index.catchUpTape("b", bytes - 1).bytes > 100, "what was read before does not count")
  assert.equal(foundBy(index, "late").length, 1)
  index.catchUp()
  assert.equal(index.list().total, 3)
})

test("another process that writes is awaited for the timeout; then it is a failure", (t) => {
  const home = testHome(t)
  threeTapes(home)
  home.index().catchUp()
  const writer = new DatabaseSync(home.file)
  t.after(() => writer.close())
  writer.exec("BEGIN IMMEDIATE")
  const { file, sessions, ports } = home
  const index = openIndex({ disk: ports.disk, clock: ports.clock }, { file, source: { sessions }, busyTimeout: 0 })
  t.after(() => index.close())
  assert.throws(() => index.catchUpTape("a", 100_000), /another gong is writing it/)
})

test("an index that another process locks is kept, and used when it is free", (t) => {
  const { file } = testHome(t)
  const holder = new DatabaseSync(file)
  t.after(() => holder.close())
  holder.exec("BEGIN EXCLUSIVE")
  const index = openIndexFile(file, 0)
  t.after(() => index.close())
  const count = (db: DatabaseSync): unknown => db.prepare("SELECT count(*) AS n FROM entries").get()?.["n"]
  assert.throws(() => index.use(count), /cannot be used: another gong is writing it/)
  assert.deepEqual([index.timesRemade, index.inMemory], [0, false])
  holder.exec("ROLLBACK")
  assert.equal(index.use(count), 0)
  assert.deepEqual([index.timesRemade, index.inMemory], [0, false])
})

test("folders without a tape are skipped", (t) => {
  const home = testHome(t)
  threeTapes(home)
  writeFileSync(`${home.sessions}/stray`, "")
  cpSync(`${home.sessions}/a/anchors`, `${home.sessions}/junk/anchors`, { recursive: true })
  const index = home.index()
  for (let n = 0; n < 2; n++) index.catchUp()
  assert.deepEqual(index.list().total, 3)
  assert.equal(foundBy(index, "word").length, 9)
})

test("the file is the user's alone", (t) => {
  const home = testHome(t)
  home.index().catchUp()
  assert.equal(statSync(home.file).mode & 0o777, 0o600)
})

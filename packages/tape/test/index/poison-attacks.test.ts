import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { test, type TestContext } from "node:test"
import { attack } from "@gong/testing/attacks"
import { openIndex, type TapeIndex } from "../../src/index/index.ts"
import { entryAt } from "../../src/index/line-at.ts"
import { type Disk, nodeDisk } from "../../src/store/file.ts"
import { input, reply, user } from "../world.ts"
import { foundBy, type Home, testHome } from "./home.ts"

// The file of an index made by others: whatever it contains, answers come from the tapes.

/** All that an index answers. */
function answers(index: TapeIndex) {
  return { ...index.list(), stats: index.stats(), found: ["word", "secret"].map((one) => foundBy(index, one)) }
}

/** Two tapes, one outside the requested folder of sessions, and an index of both. */
function poisonable(t: TestContext): Home {
  const home = testHome(t)
  for (const id of ["a", "b"]) {
    const tape = home.make(id)
    const [asked] = tape.append([input(`word of ${id}`)], { sync: true })
    tape.append([user(`word of ${id}`, asked?.id), reply("word", [])], { sync: true })
    tape.close()
  }
  const index = home.index()
  index.catchUp()
  index.close()
  const outside = home.make("outside")
  outside.append([input("secret word")], { sync: true })
  outside.close()
  renameSync(`${home.sessions}/outside`, `${home.folder}/outside`)
  return home
}

/** The disk, with the paths that were looked at. */
function watched(): { readonly disk: Disk; readonly seen: Set<string> } {
  const inner = nodeDisk()
  const seen = new Set<string>()
  const noting =
    <Rest extends readonly unknown[], T>(work: (path: string, ...rest: Rest) => T) =>
    (path: string, ...rest: Rest): T => {
      seen.add(path)
      return work(path, ...rest)
    }
  return {
    disk: { ...inner, stat: noting(inner.stat), open: noting(inner.open), list: noting(inner.list) },
    seen,
  }
}

function edit(file: string, sql: string): void {
  const db = new DatabaseSync(file, { defensive: false })
  db.exec(sql)
  db.close()
}

const lines = "anchors/001_session-start/entries.jsonl"
const outside = `../outside/${lines}`
const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

const poisons: Readonly<Record<string, string>> = {
  "a view in place of a table": `ALTER TABLE sessions RENAME TO own; CREATE VIEW sessions AS SELECT * FROM own
    UNION ALL SELECT 99, '../outside', tape, cwd, workspace, created, from_tape, from_entry, damaged, phases_at, newest, newest_size, modified,
    title, name, model, entries, prompts, replies, calls, bytes, cost, costCny, unpriced FROM own WHERE id = 1`,
  "a view without end": `ALTER TABLE files RENAME TO own; CREATE VIEW files AS
    SELECT x AS session, '' AS file_path, 0 AS indexed_bytes, 0 AS size, 0 AS modified, x'' AS tail FROM (${endless})`,
  "a trigger": "CREATE TRIGGER t AFTER DELETE ON entries BEGIN DELETE FROM sessions; END; DELETE FROM files",
  "a trigger without end": `CREATE TRIGGER t BEFORE DELETE ON files BEGIN DELETE FROM entries WHERE id IN (${endless}); END; DELETE FROM sessions WHERE id = 1`,
  "a computed column": "ALTER TABLE sessions ADD COLUMN more AS (hex(folder) || 'more')",
  "an index over an expression": "CREATE INDEX i ON files(length(hex(tail)))",
  "a table of its own": "CREATE TABLE more(x)",
  "a folder above the sessions": "UPDATE sessions SET folder = '../outside' WHERE id = 1",
  "a folder by its full path": "UPDATE sessions SET folder = '/etc' WHERE id = 1",
  "a folder above in the middle": "UPDATE sessions SET folder = 'a/../../outside' WHERE id = 1",
  "a folder with a NUL": "UPDATE sessions SET folder = 'a' || char(0) || 'b' WHERE id = 1",
  "the newest file elsewhere": `UPDATE sessions SET newest = '${outside}'`,
  "lines elsewhere": `UPDATE entries SET file_path = '../${outside}'`,
  "read files elsewhere": `UPDATE files SET file_path = '../${outside}'`,
  "a line below zero": "UPDATE entries SET line_offset = -5",
  "a line beyond all numbers": "UPDATE entries SET line_offset = 9223372036854775807",
  "a line that is text": "UPDATE entries SET line_offset = 'x'",
  "a title of bytes": "UPDATE sessions SET title = x'1b5d30'",
  "a price of words": "UPDATE sessions SET cost = 'much', costCny = x'00'",
  "a count of words": "UPDATE sessions SET prompts = 'many', damaged = 'some'",
  "a count beyond all numbers": "UPDATE sessions SET prompts = 9223372036854775807, calls = -9223372036854775807",
  "a time beyond all calendars": "UPDATE sessions SET modified = 9e300",
  "a time of words": "UPDATE sessions SET modified = 'now', phases_at = x'ff'",
  "a workspace of bytes": "UPDATE sessions SET workspace = x'2f77'",
  "metadata that is none": "UPDATE entries SET metadata = '{' || char(27)",
  "metadata of bytes": "UPDATE entries SET metadata = x'ff'",
  "a tail of text": "UPDATE files SET tail = 'text', size = 1",
  "bytes below zero": "UPDATE files SET indexed_bytes = -1000, size = 1",
  "no words": "DELETE FROM text_data",
  "a version of the future":
    "CREATE VIEW later AS SELECT 1; CREATE TRIGGER t AFTER INSERT ON sessions BEGIN DELETE FROM sessions; END; PRAGMA user_version = 9999",
}

/** Opened and read to the end, with the paths that were looked at for it. */
function opened(home: Home) {
  const { disk, seen } = watched()
  const index = home.index(disk)
  index.catchUp()
  return { index, seen }
}

/** The answers of the tapes, through an untouched index. */
function rightOf(home: Home) {
  const index = openIndex(home.ports, { file: ":memory:", source: { sessions: home.sessions } })
  index.catchUp()
  const right = answers(index)
  index.close()
  return right
}

for (const [name, sql] of Object.entries(poisons))
  test(`an index with ${name} changes no answer and leads nowhere`, (t) => {
    const home = poisonable(t)
    edit(home.file, sql)
    const { index, seen } = opened(home)
    assert.deepEqual(answers(index), rightOf(home))
    const led = [...seen].filter((path) => !`${path}/`.startsWith(`${home.sessions}/`) || path.includes(".."))
    assert.deepEqual(led, [])
  })

test("before anything is read a list of a poisoned index is empty or right, and a search too", (t) => {
  for (const [name, sql] of Object.entries(poisons)) {
    const home = poisonable(t)
    const right = rightOf(home)
    edit(home.file, sql)
    const { disk, seen } = watched()
    const index = home.index(disk)
    for (const { path } of index.list().sessions)
      assert.ok(
        right.sessions.some((one) => one.path === path),
        name,
      )
    foundBy(index, "word")
    index.stats()
    assert.deepEqual(
      [...seen].filter((path) => !`${path}/`.startsWith(`${home.sessions}/`) || path.includes("..")),
      [],
    )
  }
})

attack("the place of a line in the index leads a search out of the sessions", (t, guard) => {
  const home = poisonable(t)
  const [line = ""] = readFileSync(`${home.folder}/outside/${lines}`, "utf8").split("\n")
  const { id } = JSON.parse(line) as { id: string }
  const path = `../../outside/${lines}`
  edit(home.file, `UPDATE entries SET file_path = '${path}', line_offset = 0, entry = '${id}' WHERE id = 1`)
  if (guard === "off") return { reached: entryAt(nodeDisk(), `${home.sessions}/a/${path}`, 0)?.id === id }
  const { index } = opened(home)
  return { reached: foundBy(index, "word").includes(`a/${id}`) }
})

const files: Readonly<Record<string, (file: string, mine: string) => void>> = {
  "a symbolic link": (file, mine) => symlinkSync(mine, file),
  "a hard link": (file, mine) => linkSync(mine, file),
}

for (const [name, make] of Object.entries(files))
  attack(`an index that is ${name} has another file written`, (t, guard) => {
    const home = poisonable(t)
    const mine = `${home.folder}/mine.db`
    // Foreign tables, one of them with the name of Gong's.
    edit(mine, "CREATE TABLE sessions(a); INSERT INTO sessions VALUES ('mine')")
    const before = readFileSync(mine)
    for (const end of ["", "-wal", "-shm"]) rmSync(home.file + end, { force: true })
    make(home.file, mine)
    if (guard === "off")
      edit(home.file, "PRAGMA journal_mode = WAL; DROP TABLE IF EXISTS sessions; CREATE TABLE sessions(a)")
    else assert.deepEqual(answers(opened(home).index), rightOf(home))
    return { reached: !readFileSync(mine).equals(before) }
  })

test("a named pipe, a folder and a link to nothing in place of the index hold nothing up", (t) => {
  const make: readonly ((file: string) => void)[] = [
    (file) => execFileSync("mkfifo", [file]),
    (file) => mkdirSync(file),
    (file) => symlinkSync("/nowhere/at/all", file),
    (file) => symlinkSync(file, file),
    (file) => symlinkSync("/dev/zero", file),
  ]
  for (const end of ["", "-wal", "-shm", "-journal"])
    for (const one of make) {
      const home = poisonable(t)
      rmSync(home.file + end, { force: true })
      one(home.file + end)
      assert.deepEqual(answers(opened(home).index), rightOf(home), `${one} ${end}`)
    }
})

test("an index with damaged pages, in a hundred ways, is built again or used, and nothing is thrown", (t) => {
  const home = poisonable(t)
  const bytes = readFileSync(home.file)
  const right = rightOf(home)
  for (let seed = 0; seed < 100; seed++) {
    rmSync(`${home.file}-wal`, { force: true })
    rmSync(`${home.file}-shm`, { force: true })
    const broken = Buffer.from(bytes)
    let dice = seed + 1
    for (let at = 0; at < 40; at++) {
      dice = (Math.imul(dice, 1_103_515_245) + 12_345) >>> 0
      broken[dice % broken.length] = dice >>> 24
    }
    writeFileSync(home.file, broken)
    const { index } = opened(home)
    answers(index)
    index.rebuild()
    assert.deepEqual(answers(index), right, `seed ${seed}`)
    index.close()
  }
})

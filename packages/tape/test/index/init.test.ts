import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { type IndexedTape, initIndexedTape } from "../../src/index/index.ts"
import { nodeDisk, type StorePorts } from "../../src/store/file.ts"
import { testPorts, user } from "../world.ts"

interface Row {
  readonly id: number
  readonly kind: string
  readonly anchor_name: string
  readonly anchor_seq: number
  readonly file_path: string
  readonly line_offset: number
  readonly summary: string | null
  readonly metadata: string | null
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(`${tmpdir()}/gong-init-`)
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function opened(folder: string, ports: StorePorts = testPorts(nodeDisk())): IndexedTape {
  const made = initIndexedTape(ports, folder)
  assert.ok(made.ok, JSON.stringify(made))
  return made.value
}

/** Asks the index past Gong. */
function ask<R>(folder: string, sql: string): readonly R[] {
  const db = new DatabaseSync(`${folder}/index.db`)
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }) as R)
  } finally {
    db.close()
  }
}

function change(folder: string, sql: string): void {
  const db = new DatabaseSync(`${folder}/index.db`)
  db.exec(sql)
  db.close()
}

const rowsOf = (folder: string): readonly Row[] => ask<Row>(folder, "SELECT * FROM entries ORDER BY id")
const linesOf = (folder: string): string => readFileSync(`${folder}/anchors/001_session-start/entries.jsonl`, "utf8")

test("[TAPE-INIT.1] [TAPE-INIT.2] an empty folder becomes a tape with its index; a second time changes nothing", (t) => {
  const folder = emptyFolder(t)
  opened(folder).close()
  assert.deepEqual(readdirSync(folder).toSorted(), ["anchors", "index.db", "tape.json"])
  assert.deepEqual(readdirSync(`${folder}/anchors`), ["001_session-start"])
  const before = [linesOf(folder), rowsOf(folder)]
  const again = opened(folder)
  assert.equal(again.tape.store.heads().length, 1)
  again.close()
  assert.deepEqual([linesOf(folder), rowsOf(folder)], before)
  assert.deepEqual(readdirSync(`${folder}/anchors`), ["001_session-start"])
})

test("[TAPE-INIT.3] the table of the contract, with indexes and full text", (t) => {
  const folder = emptyFolder(t)
  opened(folder).close()
  const columns = ask<{ name: string; type: string; notnull: number; pk: number }>(folder, "PRAGMA table_info(entries)")
  const wanted = [
    "id INTEGER 0 1",
    "kind TEXT 1 0",
    "anchor_name TEXT 1 0",
    "anchor_seq INTEGER 1 0",
    "file_path TEXT 1 0",
  ]
  const more = ["line_offset INTEGER 0 0", "created_at TEXT 1 0", "summary TEXT 0 0", "metadata TEXT 0 0"]
  const found = columns.map(({ name, type, notnull, pk }) => `${name} ${type} ${notnull} ${pk}`)
  assert.deepEqual(found.slice(0, 9), [...wanted, ...more])
  const [table] = ask<{ sql: string }>(folder, "SELECT sql FROM sqlite_master WHERE name = 'entries'")
  assert.match(table?.sql ?? "", /id INTEGER PRIMARY KEY AUTOINCREMENT/)
  assert.ok(ask(folder, "PRAGMA index_list(entries)").length > 0)
  assert.equal(ask(folder, "SELECT * FROM sqlite_master WHERE sql LIKE '%USING fts5%'").length, 1)
})

test("[TAPE-INIT.5] if nothing can be created the error names the reason", (t) => {
  const folder = emptyFolder(t)
  writeFileSync(`${folder}/file`, "")
  const made = initIndexedTape(testPorts(nodeDisk()), `${folder}/file/tape`)
  assert.deepEqual([made.ok, !made.ok && made.failure.kind], [false, "storage"])
  const odd = initIndexedTape(testPorts(nodeDisk()), `${folder}/a name with blanks`)
  assert.ok(!odd.ok && odd.failure.message.includes("cannot be a session id"))
})

test("[TAPE-APPEND.1] [TAPE-APPEND.2] [TAPE-APPEND.3] one line and one row each, in order, at the right place", (t) => {
  const folder = emptyFolder(t)
  const made = opened(folder)
  const texts = ["one\ntwo\u2028", "修复 🙂 \u0000", "three"]
  const first = made.append("session-start", [user(texts[0] ?? "")])
  const more = made.append(
    1,
    texts.slice(1).map((text) => user(text)),
  )
  assert.ok(first.ok && more.ok)
  const entries = [...first.value.entries, ...more.value.entries]
  const rows = rowsOf(folder)
  const bytes = Buffer.from(linesOf(folder))
  assert.deepEqual([rows.length, linesOf(folder).trimEnd().split("\n").length], [4, 4])
  for (const [at, entry] of entries.entries()) {
    const row = rows[at + 1]
    assert.ok(row)
    const line = bytes.subarray(row.line_offset, bytes.indexOf(10, row.line_offset)).toString()
    assert.deepEqual({ ...JSON.parse(line), crc: 0 }, { ...entry, crc: 0 })
    assert.deepEqual(
      [row.kind, row.anchor_name, row.anchor_seq, row.file_path],
      ["message", "session-start", 1, "anchors/001_session-start/entries.jsonl"],
    )
  }
  made.close()
  const again = opened(folder)
  assert.deepEqual(again.tape.entriesOfBranch().slice(1), entries)
  again.close()
})

test("[TAPE-APPEND.4] a phase that is unknown or over takes nothing", (t) => {
  const made = opened(emptyFolder(t))
  made.tape.handoff("next")
  for (const [anchor, why] of [
    [3, "There is no phase 3"],
    ["nowhere", "There is no phase nowhere"],
    [1, "Phase 1 is over"],
  ] as const) {
    const refused = made.append(anchor, [user("x")])
    assert.ok(!refused.ok)
    assert.deepEqual(
      [refused.failure.kind, refused.failure.message],
      ["bad-request", `${why}: entries go to 2 (next).`],
    )
  }
  assert.ok(made.append(2, [user("x")]).ok && made.append("next", [user("y")]).ok)
  assert.deepEqual(made.search("x y"), [])
  assert.equal(made.search("y").length, 1)
  made.close()
})

test("[TAPE-HANDOFF.1] [TAPE-HANDOFF.2] [TAPE-HANDOFF.4] a new phase has a row with its summary, and what follows has its folder", (t) => {
  const folder = emptyFolder(t)
  const made = opened(folder)
  made.tape.handoff("compaction", { summary: "all tests pass" })
  assert.ok(made.append("compaction", [user("after")]).ok)
  const rows = rowsOf(folder).slice(1)
  assert.deepEqual(
    rows.map(({ kind, summary }) => [kind, summary]),
    [
      ["anchor", "all tests pass"],
      ["message", null],
    ],
  )
  for (const { anchor_name, anchor_seq, file_path } of rows)
    assert.deepEqual([anchor_name, anchor_seq, file_path], ["compaction", 2, "anchors/002_compaction/entries.jsonl"])
  made.close()
})

test("[TAPE-APPEND.5] metadata is stored in the index", (t) => {
  const folder = emptyFolder(t)
  const made = opened(folder)
  const data = { a: [1, "修复"], b: null }
  made.append(1, [{ type: "custom", customType: "note", data }])
  made.close()
  assert.deepEqual(JSON.parse(rowsOf(folder).at(-1)?.metadata ?? ""), data)
})

test("[TAPE-APPEND.6] concurrent appends are all kept, with complete lines; a second process gets the holder of the lock", async (t) => {
  const folder = emptyFolder(t)
  const ports = testPorts(nodeDisk())
  const made = opened(folder, ports)
  const words = Array.from({ length: 50 }, (_, n) => `word${n}`)
  await Promise.all(words.map(async (word) => Promise.resolve().then(() => made.append(1, [user(word)]))))
  assert.deepEqual(rowsOf(folder).length, 51)
  assert.ok(words.every((word) => made.search(`"${word}"`).length === 1))
  const second = opened(folder, { ...testPorts(nodeDisk(), "b"), machine: { ...ports.machine, pid: 200 } })
  const refused = second.append(1, [user("late")])
  assert.ok(!refused.ok && refused.failure.message.includes("open in another gong"), JSON.stringify(refused))
  assert.equal(second.search("word7").length, 1)
  second.close()
  made.close()
})

test("[TAPE-DUAL.1] [TAPE-DUAL.2] the file is written first, then the index in one transaction; entries that the index cannot take are reported and added later", (t) => {
  const folder = emptyFolder(t)
  const made = opened(folder)
  change(
    folder,
    "CREATE TRIGGER no BEFORE INSERT ON entries WHEN NEW.kind = 'label' BEGIN SELECT RAISE(ABORT, 'no'); END",
  )
  const bodies = [user("alpha"), { type: "label" as const, targetId: "x", label: "beta" }]
  const appended = made.append(1, bodies)
  assert.ok(appended.ok)
  assert.equal(appended.value.unindexed?.kind, "storage")
  assert.match(linesOf(folder), /alpha.*\n.*beta/)
  assert.deepEqual([made.search("alpha"), rowsOf(folder).length], [[], 1], "nothing of a batch that fails")
  made.close()
  change(folder, "DROP TRIGGER no")
  const again = opened(folder)
  assert.deepEqual([again.search("alpha").length, again.search("beta").length, rowsOf(folder).length], [1, 1, 3])
  again.close()
})

test("[TAPE-DUAL.3] what did not get into the file is not in the index", (t) => {
  const folder = emptyFolder(t)
  const inner = nodeDisk()
  let full = false
  const ports = testPorts({
    ...inner,
    write(file, bytes, position) {
      if (full) throw Object.assign(new Error("no room"), { code: "ENOSPC" })
      inner.write(file, bytes, position)
    },
  })
  const made = opened(folder, ports)
  full = true
  const appended = made.append(1, [user("alpha")])
  assert.ok(appended.ok && appended.value.unindexed?.kind === "storage")
  assert.deepEqual([made.search("alpha"), rowsOf(folder).length], [[], 1])
  full = false
  assert.ok(made.tape.flush())
  made.catchUp()
  assert.equal(made.search("alpha").length, 1)
  made.close()
})

test("[TAPE-DUAL.4] killed between the two writes: index and file agree after the next opening", (t) => {
  const folder = emptyFolder(t)
  const made = opened(folder)
  made.append(1, [user("alpha")])
  // The line is written, and the process is gone before the index knows.
  made.tape.append([user("beta")], { sync: true })
  made.close()
  assert.equal(rowsOf(folder).length, 2)
  const again = opened(folder)
  assert.deepEqual([again.search("beta").length, rowsOf(folder).length], [1, 3])
  assert.deepEqual(again.rebuildIndex(), [])
  assert.deepEqual([again.search("alpha").length, rowsOf(folder).length], [1, 3])
  again.close()
})

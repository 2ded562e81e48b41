import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { failure, FailureError, phrase, type Sessions, type Store, type StoredSession } from "@gong/spec"
import { english } from "@gong/texts/translator"
import type { Outcome } from "@gong/config/usage"
import { folder } from "@gong/testing/folder"
import {
  existingTape,
  newTape,
  openingLines,
  openToFollow,
  openToRead,
  openToWrite,
  sessionInUse,
  taskTape,
} from "../../../src/compose/tapes/tape.ts"
import { persistentSessions } from "../../../src/compose/tapes/sessions.ts"
import type { TapeStorage } from "../../../src/compose/tapes/storage.ts"
import { systemClock, systemIds } from "../../../src/ports.ts"

function place(t: TestContext, replaced: Partial<Sessions> = {}): TapeStorage {
  const home = folder(t)
  const workspace = { host: "local", cwd: home, folder: home, git: false, repository: home, roots: [home], notes: [] }
  const clock = systemClock
  const ids = systemIds(clock)
  const sessions = { ...persistentSessions({ clock, ids, home, syncMode: "at-once" }), ...replaced }
  return { home, workspace, temp: home, clock, ids, sessions, reportUnreadable: () => undefined }
}

const linesOf = (outcome: Outcome<unknown>): readonly string[] => (outcome.ok ? ["(ok)"] : outcome.error.lines)

const stored = { id: "0123456789-abcdef", path: "/s/x.jsonl" } as unknown as StoredSession

test("a storage error at the start is a usage error; one with a cause asks about the folder", async (t) => {
  const failing = (error: unknown): Partial<Sessions> => ({
    create: () => Promise.reject(error),
    open: () => Promise.reject(error),
    fork: () => Promise.reject(error),
  })
  const text = phrase`The file is damaged.`
  const plain = new FailureError(failure("storage", text))
  const caused = new FailureError({ ...failure("storage", text), cause: { code: "EACCES" } } as never)
  for (const [error, ending] of [
    [plain, () => ""],
    [caused, (home: string) => ` Is ${home} writable? --no-session runs without storing anything.`],
  ] as const) {
    const where = place(t, failing(error))
    const expected = [`gong: The file is damaged.${ending(where.home)}`]
    assert.deepEqual(linesOf(await newTape(where, true, "new-1")), expected)
    assert.deepEqual(linesOf(await existingTape(where, stored, false)), expected)
    assert.deepEqual(linesOf(await existingTape(where, stored, true)), expected)
  }
  const bug = place(t, failing(new TypeError("a bug")))
  await assert.rejects(newTape(bug, true, "new-1"), /a bug/)
  await assert.rejects(existingTape(bug, stored, false), /a bug/)
  assert.deepEqual(await existingTape(bug, null, false), { ok: true, value: null })
})

test("a session is created on the disk, or in memory", async (t) => {
  const where = place(t)
  for (const persistent of [true, false]) {
    const made = await newTape(where, persistent, "made-0001")
    assert.ok(made.ok)
    const { tape, resumed, sessions, abandon } = made.value
    assert.deepEqual([tape.id, resumed, tape.store.path !== null], ["made-0001", false, persistent])
    assert.equal(sessions === where.sessions, persistent)
    await abandon()
  }
  writeFileSync(join(where.home, "file"), "")
  const unusable = { ...where, home: join(where.home, "file", "home") }
  const refused = await newTape(unusable, true, "made-0002")
  assert.match(linesOf(refused).join(), /^gong: cannot write to \S+\/file\/home \(ENOTDIR\)\. Set GONG_HOME/)
  const inMemory = await newTape(unusable, false, "made-0002")
  assert.ok(inMemory.ok, "no folder is needed in memory")
  await inMemory.value.abandon()
})

test("an opened session is resumed; a copy of it is a session of its own, which is removed if its start fails", async (t) => {
  const where = place(t)
  const made = await newTape(where, true, "made-0001")
  assert.ok(made.ok)
  made.value.tape.close()
  const { sessions } = await where.sessions.list()
  const [first = assert.fail()] = sessions
  const ids = async () => (await where.sessions.list()).sessions.map(({ id }) => id)
  const again = await existingTape(where, first, false)
  assert.ok(again.ok && again.value)
  assert.deepEqual([again.value.tape.id, again.value.resumed], ["made-0001", true])
  await again.value.abandon()
  const fork = await existingTape(where, first, true)
  assert.ok(fork.ok && fork.value)
  assert.deepEqual([fork.value.tape.id === "made-0001", fork.value.resumed], [false, true])
  assert.equal((await ids()).length, 2)
  await fork.value.abandon()
  assert.deepEqual(await ids(), ["made-0001"])
})

test("a copy that cannot be opened is an internal error", async (t) => {
  const refused = { ok: false, reason: phrase`in use`, holder: null } as const
  const where = place(t, { fork: async () => stored, open: async () => refused })
  await assert.rejects(existingTape(where, stored, true), /^Error: Internal error in Gong: a new copy is in use$/)
})

test("a session is read and followed while another process writes to it, which cannot be opened twice", async (t) => {
  const where = place(t)
  const made = await newTape(where, true, "made-0001")
  assert.ok(made.ok)
  const { store } = made.value.tape
  const { sessions } = await where.sessions.list()
  const [first = assert.fail()] = sessions
  const read = await openToRead(where, first)
  const followed = await openToFollow(where, first)
  assert.deepEqual([read.id, followed.tape.id, store.info.cwd], ["made-0001", "made-0001", read.store.info.cwd])
  assert.deepEqual(await followed.coming.next(), [])
  const second = await openToWrite(where, first)
  assert.match(
    linesOf(second).join(),
    /^gong: session \S+ is .*--fork \S+ starts a copy; gong attach \S+ watches it\.$/,
  )
  const task = await taskTape(where, made.value, "call-1")
  assert.match(task.store.path ?? "", /made-0001/)
  for (const tape of [read, followed.tape, task]) tape.close()
  await made.value.abandon()
})

test("a session in use is refused with what else can be done, if a process holds it", () => {
  const refused = (holder: unknown) =>
    linesOf(sessionInUse(stored, { reason: phrase`open elsewhere`, holder } as never))
  const [alone = ""] = refused(null)
  assert.match(alone, /^gong: session \S+ is open elsewhere\.$/)
  const id = alone.split(" ")[2]
  assert.deepEqual(refused({ pid: 1 }), [`${alone} --fork ${id} starts a copy; gong attach ${id} watches it.`])
})

test("damaged lines, interrupted calls and unsent messages of an opened session are reported", () => {
  const lines = (damage: readonly object[], calls: number, unsent: readonly string[]) =>
    openingLines(english, { store: { damage } as unknown as Store } as never, { calls, unsent } as never)
  assert.deepEqual(lines([], 0, []), [])
  assert.deepEqual(
    lines(
      [
        { file: "a.jsonl", offset: 12, reason: "not JSON" },
        { file: "b", offset: 1, reason: "x" },
      ],
      1,
      ['say "hi"', "x".repeat(90)],
    ),
    [
      "gong: 2 damaged line(s) in this session were kept and skipped; the first: a.jsonl at byte 12, not JSON.",
      "gong: this session was interrupted during 1 tool call(s); the model is informed.",
      'gong: a message from before the interruption was not sent: "say \\"hi\\""',
      `gong: a message from before the interruption was not sent: "${"x".repeat(80)}"`,
    ],
  )
})

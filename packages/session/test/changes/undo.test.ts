import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { builtInDeclarations } from "@gong/tools"
import { type ChangeBody, englishOf, type Host, noCopy, type ChangeDetector } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { remake } from "@gong/tools/remake"
import { undo } from "../../src/changes/undo.ts"
import { appendTo, place, type Place, start } from "../world.ts"

const write = (path: string, content: string) => ({ calls: [{ name: "write", arguments: { path, content } }] })
const edit = (path: string, oldText: string, newText: string) => ({
  calls: [{ name: "edit", arguments: { path, edits: [{ oldText, newText }] } }],
})

/** No command did anything that is not known. */
const whole = { failed: 0, lost: [], cut: null }

const undoIn = (tape: Tape, host: Host) =>
  undo({ tape, append: appendTo(tape), host, declared: builtInDeclarations, remake })

async function textOf({ host }: Place, path: string): Promise<string | null> {
  return (await host.stat(path)) ? Buffer.from(await host.readRange(path, 0)).toString() : null
}

const small = { "/work/a.txt": "alpha\nbeta\n", "/work/b.txt": "b\n" }
/** Too long to be stored in the entry itself. */
const big = { "/work/a.txt": "alpha\n".repeat(4_000), "/work/b.txt": "beta\n".repeat(4_000) }

async function changed(script: Parameters<typeof start>[1], files: Readonly<Record<string, string>> = small) {
  const where = place({ files })
  const running = await start(where, { writeGuard: false, ...script })
  await running.session.prompt("change things")
  return { where, ...running }
}

test("every file is as before the session's first change; created files are removed", async () => {
  const { where, tape } = await changed({
    script: [edit("a.txt", "alpha", "ALPHA"), edit("a.txt", "beta", "BETA"), write("new.txt", "n"), { text: "done" }],
  })
  assert.equal(await textOf(where, "/work/a.txt"), "ALPHA\nBETA\n")
  assert.deepEqual(await undoIn(tape, where.host), {
    restored: ["/work/a.txt", "/work/new.txt"],
    merged: [],
    kept: [],
    ...whole,
  })
  assert.equal(await textOf(where, "/work/a.txt"), "alpha\nbeta\n")
  assert.equal(await textOf(where, "/work/new.txt"), null)
  assert.equal(await textOf(where, "/work/b.txt"), "b\n")
})

test("a changed file that someone else deleted since stays deleted", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "mine"), { text: "done" }] })
  await where.host.remove("/work/a.txt")
  assert.deepEqual(inEnglish(await undoIn(tape, where.host)), {
    restored: [],
    merged: [],
    kept: [{ path: "/work/a.txt", reason: "it was deleted by someone else since" }],
    ...whole,
  })
  assert.equal(await textOf(where, "/work/a.txt"), null)
})

test("a file that someone else changed since is kept and reported; other files are restored", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "mine"), write("b.txt", "mine"), { text: "done" }] })
  await where.host.replaceFile("/work/a.txt", Buffer.from("theirs"))
  const { restored, kept } = await undoIn(tape, where.host)
  assert.deepEqual([restored, kept.map(({ path }) => path)], [["/work/b.txt"], ["/work/a.txt"]])
  assert.equal(await textOf(where, "/work/a.txt"), "theirs")
})

test("a second undo finds nothing to do, also in the next process; later changes can be undone again", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "mine"), { text: "done" }] })
  await undoIn(tape, where.host)
  assert.deepEqual(await undoIn(tape, where.host), { restored: [], merged: [], kept: [], ...whole })
  tape.close()
  const next = await start(where, { writeGuard: false, script: [write("a.txt", "again"), { text: "done" }] })
  assert.deepEqual(await undoIn(next.tape, where.host), { restored: [], merged: [], kept: [], ...whole })
  await next.session.prompt("once more")
  assert.deepEqual((await undoIn(next.tape, where.host)).restored, ["/work/a.txt"])
  assert.equal(await textOf(where, "/work/a.txt"), "alpha\nbeta\n")
})

test("a change that was recorded and never made leaves the one before it to be undone", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "mine"), { text: "done" }] })
  tape.append([{ type: "change", callId: "c9", path: "/work/a.txt", before: null, after: "0".repeat(64) }], {
    sync: true,
  })
  assert.deepEqual((await undoIn(tape, where.host)).restored, ["/work/a.txt"])
  assert.equal(await textOf(where, "/work/a.txt"), "alpha\nbeta\n")
})

test("an image that is missing and a place that refuses are reasons, not crashes", async () => {
  const script = [write("a.txt", "mine"), write("b.txt", "mine"), { text: "done" }]
  const { where, tape } = await changed({ script }, big)
  const refusing = {
    ...where.host,
    replaceFile: async (path: string) => {
      throw new Error(`EACCES: ${path}`)
    },
  }
  const { kept, failed } = await undoIn(tape, refusing)
  assert.equal(failed, 2)
  assert.deepEqual(
    kept.map(({ reason }) => reason),
    ["EACCES: /work/a.txt", "EACCES: /work/b.txt"],
  )
  for (const name of where.disk.list("/sessions/s1/artifacts")) where.disk.unlink(`/sessions/s1/artifacts/${name}`)
  const gone = await undoIn(tape, where.host)
  assert.deepEqual(
    gone.kept.map(({ reason }) => englishOf(reason)),
    Array(2).fill("its earlier content is missing from the session"),
  )
  assert.equal(await textOf(where, "/work/a.txt"), "mine")
})

test("what an undo replaced is on the tape before it is replaced", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "mine"), { text: "done" }] })
  await undoIn(tape, where.host)
  const change = tape.entriesOfBranch().findLast((entry) => entry.type === "change")
  const kept = await tape.store.artifacts.get(change?.before ?? "")
  assert.equal(Buffer.from(kept ?? []).toString(), "mine")
})

test("a long file is undone from its artifact, a short one from the entry itself", async () => {
  const script = [write("a.txt", "mine"), write("b.txt", "mine"), { text: "done" }]
  const { where, tape } = await changed({ script }, { ...big, "/work/b.txt": "b\n" })
  const changes = tape.entriesOfBranch().filter((entry) => entry.type === "change")
  assert.deepEqual(
    changes.map(({ beforeText }) => beforeText),
    [undefined, "b\n"],
  )
  assert.deepEqual((await undoIn(tape, where.host)).restored, ["/work/a.txt", "/work/b.txt"])
  assert.equal(await textOf(where, "/work/a.txt"), big["/work/a.txt"])
  assert.equal(await textOf(where, "/work/b.txt"), "b\n")
})

test("a before-image that holds a known key does not stand on the tape, and is undone all the same", async () => {
  const script = [write("b.txt", "mine"), { text: "done" }]
  const secret = { "/work/b.txt": "key = sk-very-secret\n" }
  const { where, tape } = await changed(
    { script, redact: (text) => text.replaceAll("sk-very-secret", "[key]") },
    secret,
  )
  const change = tape.entriesOfBranch().find((entry) => entry.type === "change")
  assert.equal(change?.beforeText, undefined)
  await undoIn(tape, where.host)
  assert.equal(await textOf(where, "/work/b.txt"), "key = sk-very-secret\n")
})

/** The results of a scan, set by the test. */
function detectorOf(found: readonly Omit<ChangeBody, "type">[], cut: string | null = null): ChangeDetector {
  let due = true
  return {
    expectChange: () => undefined,
    isDue: () => due,
    async scan() {
      due = false
      return { changes: found, cut }
    },
  }
}

const file = { path: "a.txt", change: "modified", added: 0, removed: 0 } as const

test("a command's change is on the tape before the next change and before the end of the run", async () => {
  const change = { callId: "c0", path: "/work/c.txt", before: noCopy, after: "0".repeat(64), file }
  const { where, tape } = await changed({
    script: [{ calls: [{ name: "ls", arguments: {} }] }, write("b.txt", "mine"), { text: "done" }],
    changeDetector: detectorOf([change], "it has too many files"),
  })
  const entries = tape.entriesOfBranch()
  const paths = entries.flatMap((entry) => (entry.type === "change" ? [entry.path] : []))
  assert.deepEqual(paths, ["/work/c.txt", "/work/b.txt"])
  assert.equal(entries.at(-1)?.type, "run_end")
  const { restored, lost, cut } = await undoIn(tape, where.host)
  assert.deepEqual([restored, lost, cut], [["/work/b.txt"], ["/work/c.txt"], "it has too many files"])
})

test("a change by someone else between an edit and a command is kept without a conflict", async () => {
  const lines = (...texts: readonly string[]) => `${texts.join("\n\n\n\n")}\n`
  const theirs = lines("ONE", "two of theirs", "three")
  const { where, tape } = await changed(
    { script: [edit("a.txt", "one", "ONE"), { text: "done" }] },
    { "/work/a.txt": lines("one", "two", "three") },
  )
  await where.host.replaceFile("/work/a.txt", Buffer.from(`${theirs}by a command\n`))
  const now = await tape.store.artifacts.put(Buffer.from(`${theirs}by a command\n`))
  const before = await tape.store.artifacts.put(Buffer.from(theirs))
  tape.append(
    [
      { type: "tool_start", callId: "c8", name: "bash", title: "" },
      { type: "change", callId: "c8", path: "/work/a.txt", before, after: now.slice("sha256-".length), file },
    ],
    { sync: true },
  )
  assert.deepEqual((await undoIn(tape, where.host)).merged, ["/work/a.txt"])
  assert.equal(await textOf(where, "/work/a.txt"), lines("one", "two of theirs", "three"))
})

test("a file that is back as it was before counts as restored, and is not written again", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "mine"), { text: "done" }] })
  const found = await where.host.stat("/work/a.txt")
  await where.host.replaceFile("/work/a.txt", Buffer.from(small["/work/a.txt"]), { expect: found })
  const before = tape.all.length
  assert.deepEqual(await undoIn(tape, where.host), { restored: ["/work/a.txt"], merged: [], kept: [], ...whole })
  const added = Array.from({ length: tape.all.length - before }, (_, at) => tape.all.kind(before + at).type)
  assert.deepEqual(added, ["custom"])
})

test("an undo is of the files that are wanted, and of none it writes nothing", async () => {
  const { where, tape } = await changed({ script: [write("a.txt", "x"), write("b.txt", "y"), { text: "done" }] })
  const undoOf = (wanted: string) =>
    undo({
      tape,
      append: appendTo(tape),
      host: where.host,
      declared: builtInDeclarations,
      remake,
      matches: (path) => path === wanted,
    })
  const before = tape.all.length
  assert.deepEqual((await undoOf("/work/c.txt")).restored, [])
  assert.equal(tape.all.length, before)
  assert.deepEqual((await undoOf("/work/b.txt")).restored, ["/work/b.txt"])
  assert.deepEqual([await textOf(where, "/work/a.txt"), await textOf(where, "/work/b.txt")], ["x", "b\n"])
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import type { Tape } from "../../../src/index.ts"
import {
  type Disk,
  discardFork,
  forkTape,
  initTape,
  listTapes,
  memoryDisk,
  mergeTape,
  openStore,
  type StorePorts,
} from "../../../src/store/file.ts"
import { readWhole } from "../../../src/store/disk/disk.ts"
import { disks, newTape, putFile, reopen, result, testIds, testMachine, testPorts, user } from "../../world.ts"

const isStorage = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === "storage"

const idsOf = (tape: Pick<Tape, "store">): readonly string[] => tape.store.heads().map(({ id }) => id)

/** Every file of a folder with its bytes. */
function filesIn(disk: Disk, folder: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const name of disk.list(folder)) {
    const path = `${folder}/${name}`
    if (disk.stat(path)?.kind === "folder") Object.assign(files, filesIn(disk, path))
    else files[path] = Buffer.from(readWhole(disk, path) ?? []).toString("latin1")
  }
  return files
}

/** A closed tape of two phases with an artifact and a fork of it; each process has ids of its own. */
function forked(disk: Disk, sessions: string): { main: string; fork: string; ports(prefix: string): StorePorts } {
  const ports = (prefix: string): StorePorts => ({ ...testPorts(disk), ids: testIds(prefix) })
  const tape = newTape(ports("a"), sessions)
  tape.append([user("one"), result("c1", { diff: "x".repeat(70_000) })], { sync: true })
  tape.handoff("next", { entries: [user("two")] })
  tape.close()
  const main = `${sessions}/s1`
  return { main, fork: forkTape(ports("f"), { path: main, id: "fork" }), ports }
}

for (const { name, use } of disks) {
  test(`[TAPE-FORK.1] [TAPE-FORK.3] ${name}: a fork has all that was there, grows by itself, and the main tape stays byte for byte`, () => {
    return use((disk, sessions) => {
      const { main, fork, ports } = forked(disk, sessions)
      const before = filesIn(disk, main)
      const [source, copy] = [reopen(ports("x"), main), reopen(ports("b"), fork)]
      assert.deepEqual(copy.entriesOfBranch(), source.entriesOfBranch())
      assert.deepEqual(copy.store.info.from, { id: "s1", entry: source.leaf })
      copy.append([user("only in the fork")], { sync: true })
      copy.handoff("mine")
      copy.append([result("c2", { diff: "y".repeat(70_000) })], { sync: true })
      copy.close()
      source.close()
      assert.deepEqual(filesIn(disk, main), before)
      assert.equal(reopen(ports("c"), fork).branch.length, copy.branch.length)
      assert.deepEqual(
        disk.list(sessions).toSorted(),
        [".durable", "fork", "s1"],
        "the folder in which it was made is gone",
      )
    })
  })

  test(`[TAPE-FORK.2] ${name}: a discarded fork is removed, and the main tape is unchanged`, () => {
    return use((disk, sessions) => {
      const { main, fork, ports } = forked(disk, sessions)
      const before = filesIn(disk, main)
      discardFork(ports("x"), fork)
      assert.deepEqual(disk.list(sessions).toSorted(), [".durable", "s1"])
      assert.deepEqual(filesIn(disk, main), before)
      assert.throws(() => discardFork(ports("x"), main), /is no fork/)
      assert.equal(listTapes(disk, sessions).length, 1)
    })
  })

  test(`[TAPE-MERGE.1] [TAPE-MERGE.3] ${name}: new entries of a fork are merged into the main tape; an unchanged fork changes nothing`, () => {
    return use((disk, sessions) => {
      const { main, fork, ports } = forked(disk, sessions)
      const before = filesIn(disk, main)
      assert.deepEqual(mergeTape(ports("m"), { into: main, from: fork }), { added: 0, phase: null })
      assert.deepEqual(filesIn(disk, main), before)
      const copy = reopen(ports("b"), fork)
      copy.append([user("grown"), result("c2", { diff: "y".repeat(70_000) })], { sync: true })
      copy.close()
      assert.deepEqual(mergeTape(ports("m"), { into: main, from: fork }), { added: 2, phase: 3 })
      const merged = reopen(ports("c"), main)
      assert.deepEqual(
        merged.entriesOfBranch().map(({ id }) => id),
        copy.entriesOfBranch().map(({ id }) => id),
        "it goes on where the fork stands",
      )
      assert.deepEqual(merged.entriesOfBranch().at(-1), copy.entriesOfBranch().at(-1), "with the artifact")
      assert.deepEqual(merged.store.damage, [])
      assert.ok(disk.list(`${main}/anchors`).includes("003_merge"))
      merged.close()
      assert.equal(mergeTape(ports("n"), { into: main, from: fork }).added, 0, "once is enough")
    })
  })
}

test("[TAPE-MERGE.2] the main tape has grown too: both are there as branches, its own stays active, nothing is overwritten", () => {
  const disk = memoryDisk()
  const { main, fork, ports } = forked(disk, "/sessions")
  const copy = reopen(ports("b"), fork)
  copy.append([user("in the fork")], { sync: true })
  copy.close()
  const tape = reopen(ports("c"), main)
  const [own] = tape.append([user("in the main tape")], { sync: true })
  tape.close()
  const before = filesIn(disk, main)
  mergeTape(ports("m"), { into: main, from: fork })
  const after = filesIn(disk, main)
  for (const [path, bytes] of Object.entries(before)) assert.equal(after[path], bytes, path)
  const merged = reopen(ports("d"), main)
  for (const id of [...idsOf(copy), ...idsOf(tape)]) assert.ok(merged.has(id))
  assert.equal(new Set(idsOf(merged)).size, idsOf(merged).length)
  const branch = merged.entriesOfBranch().map(({ id }) => id)
  assert.ok(branch.includes(own?.id ?? "") && !branch.includes(copy.leaf ?? ""))
  assert.deepEqual(
    merged.branchTo(copy.leaf ?? "")?.length,
    copy.branch.length,
    "and the fork's branch is whole beside it",
  )
})

test("a tape that is no fork of the other is not merged", () => {
  const { ports, main } = forked(memoryDisk(), "/sessions")
  newTape(ports("o"), "/sessions", "other").close()
  assert.throws(() => mergeTape(ports("m"), { into: main, from: "/sessions/other" }), /no step in common/)
  assert.throws(() => mergeTape(ports("m"), { into: main, from: main }), isStorage)
})

test("[TAPE-MERGE.4] a merge that fails at any call leaves the tape whole: all of the fork's entries or none, and it merges when tried again", () => {
  const grown = (fault?: (index: number) => boolean) => {
    let active = false
    let from = 0
    const disk = memoryDisk({
      fault: ({ index }) => (active && fault?.(index - from) === true ? { code: "EIO" } : null),
    })
    const { main, fork, ports } = forked(disk, "/sessions")
    const copy = reopen(ports("b"), fork)
    copy.append([user("grown"), result("c2", { diff: "y".repeat(70_000) }), user("more")], { sync: true })
    copy.close()
    const arm = (on: boolean): void => {
      active = on
      if (on) from = disk.calls
    }
    return { disk, main, fork, ports, calls: () => disk.calls - from, arm }
  }
  const whole = grown()
  whole.arm(true)
  mergeTape(whole.ports("m"), { into: whole.main, from: whole.fork })
  const total = whole.calls()
  let rolledBack = 0
  for (let at = 1; at <= total; at++) {
    const { main, fork, ports, arm, disk } = grown((index) => index === at)
    const before = idsOf(reopenReadOnly(ports("x"), main))
    arm(true)
    let failure = ""
    try {
      mergeTape(ports("m"), { into: main, from: fork })
    } catch (error) {
      failure = String(error)
      assert.ok(isStorage(error), `call ${at}: ${failure}`)
    }
    arm(false)
    const after = reopenReadOnly(ports("x"), main)
    assert.deepEqual(after.store.damage, [], `call ${at}`)
    const added = idsOf(after).filter((id) => !before.includes(id)).length
    assert.ok(added === 0 || added === 4, `call ${at}: ${added} of 4`)
    // Errors of closing occur after the merge.
    if (/Cannot (merge session|write the session)/.test(failure)) assert.equal(added, 0, `call ${at}: rolled back`)
    if (failure !== "" && added === 0) rolledBack += 1
    disk.powerCut()
    mergeTape({ ...ports("n"), machine: testMachine(900) }, { into: main, from: fork })
    assert.equal(idsOf(reopenReadOnly(ports("y"), main)).filter((id) => id.startsWith("b")).length, 3, `call ${at}`)
  }
  assert.ok(rolledBack > 20, `${rolledBack} of ${total} were rolled back`)
})

function reopenReadOnly(ports: StorePorts, path: string): Pick<Tape, "store"> {
  const store = openStore(ports, { path, readOnly: true })
  store.close()
  return { store }
}

test("a fork that fails at any call leaves nothing that counts as a session", () => {
  const whole = memoryDisk()
  const source = (disk: Disk): StorePorts => {
    const tape = newTape(testPorts(disk))
    tape.append([user("one")], { sync: true })
    tape.handoff("next", { entries: [result("c1", { diff: "x".repeat(70_000) })] })
    tape.close()
    return { ...testPorts(disk), ids: testIds("f") }
  }
  const ports = source(whole)
  const from = whole.calls
  forkTape(ports, { path: "/sessions/s1", id: "fork" })
  for (let at = from + 1; at <= whole.calls; at++) {
    const disk = memoryDisk({ fault: ({ index }) => (index === at ? { code: "EIO" } : null) })
    const again = source(disk)
    try {
      forkTape(again, { path: "/sessions/s1", id: "fork" })
    } catch (error) {
      assert.ok(isStorage(error), `call ${at}: ${String(error)}`)
    }
    const names = listTapes(disk, "/sessions").map(({ id }) => id)
    if (names.includes("fork")) assert.equal(reopen(again, "/sessions/fork").store.heads().length, 4)
    assert.equal(reopenReadOnly(again, "/sessions/s1").store.heads().length, 4)
  }
})

test("a fork at an earlier step continues there and keeps the rest as a branch; a fork at an unknown step fails", () => {
  const disk = memoryDisk()
  const { main, ports } = forked(disk, "/sessions")
  const { id = "" } = reopenReadOnly(ports("x"), main).store.heads()[1] ?? {}
  const path = forkTape(ports("g"), { path: main, id: "early", entry: id, place: { cwd: "/v", workspace: "/v" } })
  const fork = reopen(ports("h"), path)
  assert.equal(fork.branchTo(id)?.length, 2)
  assert.deepEqual([fork.branch.length, fork.store.info.cwd, fork.store.info.from?.entry], [3, "/v", id])
  assert.equal(fork.all.length, 6)
  assert.throws(() => forkTape(ports("g"), { path: main, id: "none", entry: "000000000000" }), /has no step/)
  assert.throws(() => forkTape(ports("g"), { path: main, id: "early" }), /is there already/)
  assert.deepEqual(disk.list("/sessions").toSorted(), [".durable", "early", "fork", "s1"])
})

test("a tape that another process is writing is forked without the line it is just writing, however long", () => {
  const half = '{"id":"half'
  for (const line of [half, half + "x".repeat(1024 * 1024 - 30), half + "x".repeat(3 * 1024 * 1024)]) {
    const disk = memoryDisk()
    const tape = newTape(testPorts(disk))
    tape.append([user("one")], { sync: true })
    const file = "/sessions/s1/anchors/001_session-start/entries.jsonl"
    const bytes = readWhole(disk, file) ?? new Uint8Array()
    putFile(disk, file, Buffer.concat([bytes, Buffer.from(line)]))
    const other = { ...testPorts(disk), ids: testIds("b"), machine: testMachine(200, "here", { 100: "boot/ns/100" }) }
    const fork = reopen(other, forkTape(other, { path: "/sessions/s1", id: "fork" }))
    assert.deepEqual([fork.store.damage, fork.branch.length, fork.store.readOnly], [[], 2, null])
    assert.deepEqual(readWhole(disk, file.replace("s1", "fork"))?.subarray(0, bytes.length), bytes)
  }
})

test("[TAPE-INIT.2] an existing tape is opened: nothing is lost, its phases are the same", () => {
  const disk = memoryDisk()
  const place = { cwd: "/w", workspace: "/w" }
  const first = initTape(testPorts(disk), "/sessions/s1", place)
  first.append([user("kept")], { sync: true })
  first.close()
  const again = initTape({ ...testPorts(disk), ids: testIds("b") }, "/sessions/s1", place)
  assert.deepEqual(again.phases(), [{ seq: 1, name: "session-start", first: 0 }])
  assert.deepEqual(again.entriesOfBranch(), first.entriesOfBranch())
  assert.equal(again.id, "s1")
})

test("[TAPE-INIT.5] a place that takes no files is a failure with one clear line", () => {
  const disk = memoryDisk({ fault: ({ name }) => (name === "mkdir" ? { code: "EROFS" } : null) })
  const place = { cwd: "/w", workspace: "/w" }
  assert.throws(() => initTape(testPorts(disk), "/sessions/s1", place), /the file system is read-only/)
  assert.throws(() => initTape(testPorts(disk), "/sessions/s1", place), isStorage)
})

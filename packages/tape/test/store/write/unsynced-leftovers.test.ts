import assert from "node:assert/strict"
import { test } from "node:test"
import { type PowerCutOutcome, memoryDisk, type MemoryDisk, verifyTape } from "../../../src/store/file.ts"
import { forkTape, mergeTape } from "../../../src/store/file.ts"
import { newTape, reopen, result, testIds, testMachine, testPorts, user } from "../../world.ts"

// Data found by a process may come from one that was killed before its sync. Only a power cut shows the
// difference; the pages of a dead process are there all the same.

/** All names and lengths as last set, and every unsynced sector as NUL bytes. */
const torn: PowerCutOutcome = { names: () => true, length: (unsynced) => unsynced, sector: () => false }

/** Another process, after the one before was killed. */
function nextProcess(disk: MemoryDisk, pid: number) {
  return { ...testPorts(disk), ids: testIds(`p${pid}`), machine: testMachine(pid) }
}

test("folders that a killed process created without a sync are durable with the first input of the next process", () => {
  const disk = memoryDisk()
  newTape(testPorts(disk), "/home/.gong/sessions")
  const tape = reopen(nextProcess(disk, 101), "/home/.gong/sessions/s1")
  const [entry] = tape.append([user("kept")], { sync: true })
  disk.powerCut()
  assert.ok(reopen(nextProcess(disk, 102), "/home/.gong/sessions/s1").has(entry?.id ?? ""))
})

test("a new session beside the remains of a killed process: the folder of both is durable with its first input", () => {
  const disk = memoryDisk()
  newTape(testPorts(disk), "/home/.gong/sessions")
  const tape = newTape(nextProcess(disk, 101), "/home/.gong/sessions", "s2")
  const [entry] = tape.append([user("kept")], { sync: true })
  disk.powerCut()
  assert.ok(reopen(nextProcess(disk, 102), "/home/.gong/sessions/s2").has(entry?.id ?? ""))
})

test("a fork in a folder that a killed process made is durable when it has its name", () => {
  const disk = memoryDisk()
  newTape(testPorts(disk), "/home/.gong/sessions")
  const path = forkTape(nextProcess(disk, 101), { path: "/home/.gong/sessions/s1", id: "fork" })
  disk.powerCut()
  assert.equal(reopen(nextProcess(disk, 102), path).branch.length, 1)
})

test("the folders above are synced once in the life of a folder of sessions, not by every session", () => {
  const synced: string[] = []
  const disk = memoryDisk({ fault: ({ name, path }) => (name === "syncFolder" && synced.push(path), null) })
  newTape(testPorts(disk), "/home/.gong/sessions").append([user("first")], { sync: true })
  assert.deepEqual(synced.slice(-4), ["/home/.gong/sessions", "/home/.gong", "/home", "/"])
  newTape(nextProcess(disk, 101), "/home/.gong/sessions", "s2").append([user("second")], { sync: true })
  assert.equal(synced.at(-1), "/home/.gong/sessions")
})

for (const code of ["EACCES", "EINVAL"]) {
  test(`a folder above that may not be synced (${code}) keeps no session from being written, and one of Gong's does`, () => {
    const refused = (folder: string) =>
      memoryDisk({ fault: ({ name, path }) => (name === "syncFolder" && path === folder ? { code } : null) })
    const tape = newTape(testPorts(refused("/home")), "/home/.gong/sessions")
    tape.append([user("kept")], { sync: true })
    assert.equal(tape.stalled, null)
    const other = newTape(testPorts(refused("/home/.gong/sessions")), "/home/.gong/sessions")
    other.append([user("waits")], { sync: true })
    assert.equal(other.stalled?.kind, "storage")
  })
}

test("a phase is durable with everything before it, including lines that a killed process did not sync", () => {
  const disk = memoryDisk()
  const before = newTape(testPorts(disk))
  before.append([user("synced")], { sync: true })
  const [line] = before.append([user("not synced")], { sync: false })
  const [anchor] = reopen(nextProcess(disk, 101)).handoff("next")
  disk.powerCut()
  const tape = reopen(nextProcess(disk, 102))
  assert.deepEqual([tape.has(anchor?.id ?? ""), tape.has(line?.id ?? "")], [true, true])
})

test("a session that is only opened and closed syncs nothing", () => {
  let syncs = 0
  const disk = memoryDisk({ fault: ({ name }) => (/sync/i.test(name) && (syncs += 1), null) })
  newTape(testPorts(disk)).close()
  syncs = 0
  reopen(nextProcess(disk, 101)).close()
  assert.equal(syncs, 0)
})

const image = Buffer.from("a file as it was before a command changed it")

test("bytes that a power cut tore are written anew when they are kept again, and are not taken for whole by their length", async () => {
  const disk = memoryDisk()
  const before = newTape(testPorts(disk))
  before.append([user("one")], { sync: true })
  const name = await before.store.artifacts.put(image)
  disk.powerCut(torn)
  const { artifacts } = reopen(nextProcess(disk, 101)).store
  assert.equal(await artifacts.get(name), null, "NUL bytes are not what was kept: undo would write them")
  assert.equal(await artifacts.put(image), name)
  assert.deepEqual(await artifacts.get(name), image)
})

test("bytes that are durable stay so when they are kept again without a sync", async () => {
  const disk = memoryDisk()
  const before = newTape(testPorts(disk))
  before.append([user("one")], { sync: true })
  const name = await before.store.artifacts.put(image, { sync: true })
  await reopen(nextProcess(disk, 101)).store.artifacts.put(image)
  disk.powerCut(torn)
  assert.deepEqual(await reopen(nextProcess(disk, 102)).store.artifacts.get(name), image)
})

test("a merge copies the artifacts of its entries, also if a power cut tore the tape's own", async () => {
  const disk = memoryDisk()
  const details = { text: "x".repeat(70_000) }
  newTape(testPorts(disk)).append([user("one")], { sync: true })
  const path = forkTape(testPorts(disk, "f"), { path: "/sessions/s1", id: "fork" })
  await reopen(nextProcess(disk, 101)).store.artifacts.put(new TextEncoder().encode(JSON.stringify(details)))
  disk.powerCut(torn)
  reopen(nextProcess(disk, 102), path).append([result("c1", details)], { sync: true })
  mergeTape(nextProcess(disk, 103), { into: "/sessions/s1", from: path })
  disk.powerCut(torn)
  const verified = verifyTape(nextProcess(disk, 104), "/sessions/s1")
  assert.deepEqual(verified.artifacts, { checked: 1, damaged: [], missing: [] })
})

test("details of a result whose artifact is torn are named as missing; the session opens", () => {
  const disk = memoryDisk()
  const tape = newTape(testPorts(disk))
  tape.append([result("c1", { text: "x".repeat(70_000) })], { sync: true })
  const folder = "/sessions/s1/artifacts"
  const [name = ""] = disk.list(folder)
  disk.unlink(`${folder}/${name}`)
  const file = disk.open(`${folder}/${name}`, "create")
  disk.write(file, new Uint8Array(70_011))
  disk.close(file)
  const entry = reopen(nextProcess(disk, 101)).entriesOfBranch().at(-1)
  const details = entry?.type === "message" && entry.message.role === "tool" ? entry.message.details : null
  assert.deepEqual(details, { missing: name })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import { followStore, openStore, type StorePorts } from "../../../src/store/file.ts"
import { disks, newTape, reply, testIds, testMachine, testPorts, user } from "../../world.ts"

const other = (ports: StorePorts): StorePorts => ({
  ...ports,
  ids: testIds("z"),
  machine: testMachine(200, "here", { 100: "boot/ns/100" }),
})

for (const { name, use } of disks) {
  test(`${name}: what another process appends comes in its order, also in new phases, each entry once`, () =>
    use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      tape.append([user("before")], { sync: true })
      const path = `${sessions}/s1`
      const store = openStore(other(ports), { path, readOnly: true })
      const coming = followStore(other(ports), path, store)
      assert.deepEqual(coming.next(), [])
      const one = tape.append([user("one"), reply("two")], { sync: false })
      assert.deepEqual(coming.next(), one)
      assert.deepEqual(coming.next(), [])
      const three = tape.append([user("three")], { sync: true })
      const four = tape.handoff("next", { entries: [reply("four")] })
      const image = { type: "image" as const, mimeType: "image/png", data: Buffer.from("picture").toString("base64") }
      const five = tape.append([{ type: "message", message: { role: "user", content: [image] } }], { sync: true })
      assert.deepEqual(coming.next(), [...three, ...four, ...five])
      assert.equal(coming.holder()?.pid, 100)
      tape.close()
      assert.equal(coming.holder(), null)
      store.close()
    }))

  test(`${name}: an incomplete line is returned when it is complete, a duplicate one once`, () =>
    use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      const path = `${sessions}/s1`
      const store = openStore(other(ports), { path, readOnly: true })
      const coming = followStore(other(ports), path, store)
      const [entry] = tape.append([user("whole at last")], { sync: true })
      tape.close()
      const file = `${path}/anchors/001_session-start/entries.jsonl`
      const number = disk.open(file, "read")
      const bytes = Buffer.alloc(disk.fstat(number).size)
      disk.read(number, bytes, 0)
      disk.close(number)
      const from = bytes.subarray(0, -1).lastIndexOf(0x0a) + 1
      const line = bytes.subarray(from)
      assert.deepEqual(coming.next(), [entry])
      const append = disk.open(file, "append")
      disk.write(append, line)
      disk.write(append, line.subarray(0, 30))
      assert.deepEqual(coming.next(), [])
      const last = Buffer.from(line.toString().replaceAll("whole at last", "changed later"))
      disk.write(append, last.subarray(30))
      disk.close(append)
      assert.deepEqual(coming.next(), [], "a line that does not match its check sum is none")
      store.close()
    }))
}

test("a tape that is deleted while it is watched is one clear line", () => {
  const ports = testPorts()
  newTape(ports).close()
  const path = "/sessions/s1"
  const store = openStore(other(ports), { path, readOnly: true })
  const coming = followStore(other(ports), path, store)
  ports.disk.rename(path, "/sessions/.gone")
  assert.throws(
    () => coming.next(),
    (error) => error instanceof FailureError && /no longer at/.test(error.message),
  )
})

test("a holder that died is none", () => {
  const ports = testPorts()
  newTape(ports)
  const gone = { ...ports, ids: testIds("z"), machine: testMachine(200) }
  const store = openStore(gone, { path: "/sessions/s1", readOnly: true })
  assert.equal(followStore(gone, "/sessions/s1", store).holder(), null)
  assert.notEqual(store.holder, null)
})

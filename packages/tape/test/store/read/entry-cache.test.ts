import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { memoryDisk } from "../../../src/store/file.ts"
import { newTape, reopen, reply, testPorts, user } from "../../world.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

test("an entry that is read again has the message that is still in use; another entry in use is the same", async () => {
  let reads = 0
  const fault = ({ name }: { readonly name: string }) => {
    if (name === "read") reads += 1
    return null
  }
  const ports = testPorts(memoryDisk({ fault }))
  const tape = newTape(ports)
  tape.append([user("one"), reply("two"), { type: "session_info", name: "n" }], { sync: true })
  const last = tape.branch.length - 1
  tape.close()
  const again = reopen(ports)
  const messageAt = (at: number) => {
    const entry = again.branch.entry(at)
    return entry.type === "message" ? entry.message : assert.fail(entry.type)
  }
  const [message, info] = [messageAt(last - 1), again.branch.entry(last)]
  assert.equal(messageAt(last - 1), message)
  // Weak references live until the end of the turn.
  await turn()
  collect()
  const before = reads
  assert.equal(messageAt(last - 1), message, "the same object")
  assert.ok(reads > before, "the entry around it was read again")
  const between = reads
  assert.equal(again.branch.entry(last), info)
  assert.equal(reads, between, "nothing is read for an entry in use")
  assert.ok(Object.isFrozen(message))
  again.close()
})

import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { chmodSync } from "node:fs"
import { test } from "node:test"
import { systemClock } from "../../src/host/clock.ts"
import { sha256, sha256OfParts, sha256Stream } from "../../src/host/digest.ts"
import { findProgram, pathWithoutProject } from "../../src/host/processes/program-path.ts"
import { isSame } from "../../src/host/files/stat.ts"
import { place } from "../workspace.ts"

test("a sleep ends with its signal, before and during the wait, otherwise by itself", async () => {
  const reason = new Error("enough")
  await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort(reason)), reason)
  const controller = new AbortController()
  const sleeping = systemClock.sleep(60_000, controller.signal)
  controller.abort(reason)
  await assert.rejects(sleeping, reason)
  await systemClock.sleep(1)
  await systemClock.sleep(1, new AbortController().signal)
})

test("a cancelled timer does not fire", async () => {
  const ran: string[] = []
  const cancel = systemClock.timer(1, () => ran.push("cancelled"))
  cancel()
  systemClock.timer(1, () => ran.push("other"))
  await systemClock.sleep(5)
  assert.deepEqual(ran, ["other"])
})

test("the hash of parts equals that of the whole", () => {
  const wanted = createHash("sha256").update("abc").digest("hex")
  const parts = ["a", "", "bc"].map((text) => Buffer.from(text))
  const stream = sha256Stream()
  for (const part of parts) stream.update(part)
  assert.deepEqual(
    [sha256(Buffer.from("abc")), sha256OfParts(parts), sha256OfParts([Buffer.from("abc")]), stream.hex()],
    [wanted, wanted, wanted, wanted],
  )
  assert.equal(sha256OfParts([]), createHash("sha256").digest("hex"))
})

test("a file is the same only with equal identity, size, time and names", () => {
  const stat = { kind: "file", size: 1, mtimeMs: 2, ctimeMs: 3, mode: 4, links: 5, id: "6" } as const
  assert.equal(isSame(stat, { ...stat, ctimeMs: 9, mode: 9 }), true)
  for (const other of [{ size: 9 }, { mtimeMs: 9 }, { links: 9 }, { id: "9" }])
    assert.equal(isSame(stat, { ...stat, ...other }), false, JSON.stringify(other))
  assert.deepEqual([isSame(null, null), isSame(stat, null), isSame(null, stat)], [true, false, false])
})

test("a program is searched in each folder in order; a name with a slash is a path", (t) => {
  const here = place(t)
  for (const path of ["one/tool", "two/tool", "two/text"]) here.put(path, "")
  chmodSync(here.at("two/tool"), 0o755)
  const path = [here.at("none"), here.at("one"), here.at("two")].join(":")
  assert.equal(findProgram("tool", path), here.at("two/tool"))
  assert.equal(findProgram("missing", path), null)
  assert.equal(findProgram(here.at("two/tool"), ""), here.at("two/tool"))
  assert.equal(findProgram("two/tool", path), null)
  assert.equal(pathWithoutProject("/bin:rel:/p:/p/bin:/pq:", "/p"), "/bin:/pq")
})

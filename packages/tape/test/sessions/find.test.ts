import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError, failure } from "@gong/spec"
import { findSession } from "../../src/sessions/find.ts"
import { type DiskCall, memoryDisk } from "../../src/store/file.ts"
import { newTape, testPorts } from "../world.ts"

/** Two named sessions; the disk refuses to read files with this in their paths. */
function named() {
  let refused = /^$/
  const fault = ({ name, path }: DiskCall) => (name === "open" && refused.test(path) ? { code: "EIO" } : null)
  const ports = testPorts(memoryDisk({ fault }))
  for (const name of ["alpha", "beta"]) {
    const tape = newTape(ports, "/s", `id-${name.length}`)
    tape.append([{ type: "session_info", name }], { sync: true })
    tape.close()
  }
  const context = { ports, sessions: "/s", trash: "/t", index: ":memory:", spillFolder: null }
  return { context, refuse: (paths: RegExp) => void (refused = paths) }
}

const idOf = async (found: ReturnType<typeof findSession>) => {
  const result = await found
  return result.ok ? result.session.id : result.matches.map(({ id }) => id)
}

test("a name is found in sessions that are not in the index, and without an index", async () => {
  const { context, refuse } = named()
  const none = () => Promise.resolve([])
  const fails = () => Promise.reject(new FailureError(failure("storage", "busy")))
  for (const readNames of [none, fails]) {
    assert.equal(await idOf(findSession(context, readNames, "beta")), "id-4")
    assert.deepEqual(await idOf(findSession(context, readNames, "gamma")), [])
  }
  refuse(/id-5.*entries/)
  assert.equal(await idOf(findSession(context, none, "beta")), "id-4")
  assert.deepEqual(await idOf(findSession(context, none, "alpha")), [])
})

test("the index decides about the names that it has; it gets a second for it, and its errors are not hidden", async () => {
  const { context } = named()
  const given: number[] = []
  const readNames = (milliseconds: number) => {
    given.push(milliseconds)
    return Promise.resolve([
      { path: "/s/id-5", name: "other" },
      { path: "/s/id-4", name: null },
    ])
  }
  assert.equal(await idOf(findSession(context, readNames, "other")), "id-5")
  for (const name of ["alpha", "beta"]) assert.deepEqual(await idOf(findSession(context, readNames, name)), [])
  assert.deepEqual(given, [1000, 1000, 1000])
  assert.equal(await idOf(findSession(context, readNames, "id-5")), "id-5")
  assert.equal(given.length, 3, "the index is not needed for ids")
  const broken = findSession(context, () => Promise.reject(new TypeError("a bug")), "beta")
  await assert.rejects(broken, TypeError)
})

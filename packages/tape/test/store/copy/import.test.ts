import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry, EntryBody, ImportedSession } from "@gong/spec"
import { importTape } from "../../../src/store/file.ts"
import { reopen, testPorts, user } from "../../world.ts"

const created = "2025-01-01T00:00:00.000Z"
const idOf = (at: number) => `e${at.toString(36).padStart(11, "0")}`

/** A chain of these entries, as read from another program. */
function chain(bodies: readonly EntryBody[], timestamp = "2025-02-01T00:00:00.000Z"): readonly Entry[] {
  return bodies.map(
    (body, at) =>
      ({ id: idOf(at), parentId: at === 0 ? null : idOf(at - 1), timestamp, ...body, type: body.type }) as Entry,
  )
}

/** The phases of an imported session: number, name, time of the anchor, and number of entries below it. */
function phases(entries: readonly Entry[], more: Partial<ImportedSession> = {}) {
  const ports = testPorts()
  const path = importTape(
    ports,
    { id: "x", cwd: "/c", workspace: "/w", created, entries, ...more },
    {
      sessions: "/sessions",
      id: "in",
    },
  )
  const tape = reopen(ports, path)
  const found: unknown[][] = []
  for (const entry of tape.entriesOfBranch()) {
    const last = found.at(-1)
    if (entry.type === "anchor" && last?.[0] !== entry.seq) found.push([entry.seq, entry.name, entry.timestamp, 0])
    else if (last !== undefined) last[3] = Number(last[3]) + 1
  }
  const root = tape.all.head(0)
  assert.equal(root.parentId, null)
  return { path, info: tape.store.info, found, length: tape.all.length }
}

const anchor = (seq: number, name = `phase ${seq}`): EntryBody => ({ type: "anchor", seq, name })
const time = "2025-02-01T00:00:00.000Z"

test("a session without anchors gets a first one, with the time of its first entry or of the session", () => {
  assert.deepEqual(phases(chain([user("a"), user("b")])).found, [[1, "session-start", time, 2]])
  assert.deepEqual(phases([]).found, [[1, "session-start", created, 0]])
})

test("anchors begin phases while their numbers continue; others are entries", () => {
  assert.deepEqual(phases(chain([anchor(1), user("a"), anchor(2), user("b"), user("c")])).found, [
    [1, "phase 1", time, 1],
    [2, "phase 2", time, 2],
  ])
  assert.deepEqual(phases(chain([user("a"), anchor(2), user("b")])).found, [
    [1, "session-start", time, 1],
    [2, "phase 2", time, 1],
  ])
})

test("entries are written in batches of 500, none is lost", () => {
  for (const count of [499, 500, 501, 1001]) {
    const { length, found } = phases(chain(Array.from({ length: count }, (_, at) => user(`${at}`))))
    assert.deepEqual([length, found.map((phase) => phase[3])], [count + 1, [count]])
  }
})

test("an imported session keeps its folder, its workspace and its time, and its host if that is another machine", () => {
  const { path, info } = phases([])
  assert.equal(path, "/sessions/in")
  assert.deepEqual(info, { format: 1, id: "in", cwd: "/c", workspace: "/w", created })
  assert.equal(phases([], { host: "far" }).info.host, "far")
  assert.equal("host" in phases([], { host: "local" }).info, false)
})

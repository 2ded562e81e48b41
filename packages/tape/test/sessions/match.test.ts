import assert from "node:assert/strict"
import { test } from "node:test"
import type { StoredSession } from "@gong/spec"
import { matchName, matchId } from "../../src/sessions/match.ts"

function stored(id: string, workspace = "/w"): StoredSession {
  const path = `/home/sessions/${id}`
  return {
    id,
    path,
    modified: 0,
    info: { format: 1, id, cwd: workspace, workspace, created: "2026-01-01T00:00:00.000Z" },
  }
}

const a = stored("0198aaaa-1111-7000-8000-00000000cafe")
const b = stored("0198aaaa-2222-7000-8000-00000000beef", "/other")
const c = stored("0198bbbb-3333-7000-8000-000000000001")
const sessions = [c, b, a]
const nameOf = (session: StoredSession): string | null =>
  session === b ? "login" : session === c ? "twin" : session === a ? "twin" : null

test("a session is found by its id, its folder, and a unique beginning or end of its id", () => {
  for (const wanted of [a.id, `/home/sessions/${a.id}`, "0198aaaa-1", "0000cafe", "cafe"]) {
    assert.deepEqual(matchId(sessions, wanted), { ok: true, session: a }, wanted)
  }
})

test("an ambiguous prefix lists all matches; one shorter than 4 characters matches none", () => {
  assert.deepEqual(matchId(sessions, "0198aaaa"), { ok: false, matches: [b, a] })
  assert.deepEqual(matchId(sessions, "001"), { ok: false, matches: [] })
})

test("a session is found by its name, and two of one name are none", () => {
  assert.deepEqual(matchName(sessions, "login", nameOf), { ok: true, session: b })
  assert.deepEqual(matchName(sessions, "twin", nameOf), { ok: false, matches: [c, a] })
  assert.deepEqual(matchName(sessions, "beef", nameOf), { ok: false, matches: [] })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, phrase } from "@gong/spec"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import { forkSession, verifySession } from "../../../src/commands/sessions/branches.ts"
import type { CommandContext } from "../../../src/commands/sessions/output.ts"
import { contextWindowOf, lastRun } from "../../../src/commands/sessions/stored-projection.ts"

const ID = "01890a5d-ac96-774b-bcce-b302099a8057"

/** A store with one session; `asked` has the arguments of forks. */
function contextOf(sessions: object) {
  const found = { ok: true, session: { id: ID, path: "/sessions/one" }, unreadable: [] }
  const place = { sessions: { find: async () => found, ...sessions }, reportUnreadable: () => undefined }
  return {
    place,
    options: {},
    cli: { t: english, style: createStyle({ terminal: false, env: {} }) },
  } as unknown as CommandContext
}

const problem = (line: number) => ({ file: "entries.jsonl", line, reason: "cut" })

async function verified(more: object = {}) {
  const result = {
    files: [{ file: "a", valid: 3 }],
    problems: [],
    artifacts: { checked: 0, damaged: [], missing: [] },
    ...more,
  }
  const outcome = await verifySession(contextOf({ verify: async () => result }), "one")
  assert.ok(outcome.ok)
  assert.equal(outcome.value.json, result)
  return [outcome.value.exit, ...outcome.value.text.trimEnd().split("\n")]
}

test("a session whose checksums match has status 0, and its steps and phases are counted", async () => {
  assert.deepEqual(await verified(), [0, "3 steps in 1 phase, 0 artifacts: all checksums match."])
  const files = [
    { file: "a", valid: 3 },
    { file: "b", valid: 4 },
  ]
  assert.deepEqual(await verified({ files, artifacts: { checked: 2, damaged: [], missing: [] } }), [
    0,
    "7 steps in 2 phases, 2 artifacts: all checksums match.",
  ])
})

test("damaged lines and artifacts, and missing ones, are status 1; twenty are named", async () => {
  const artifacts = { checked: 1, damaged: ["x"], missing: [{ artifact: "y", entry: "e1" }] }
  assert.deepEqual(await verified({ problems: [problem(7)], artifacts }), [
    1,
    "3 steps in 1 phase, 1 artifacts: 3 do not match.",
    "entries.jsonl:7: cut",
    "artifact x is damaged",
    "artifact y of step e1 is missing",
  ])
  const many = (count: number) => verified({ problems: Array.from({ length: count }, (_, at) => problem(at)) })
  assert.deepEqual([(await many(20)).length, (await many(20)).at(-1)], [22, "entries.jsonl:19: cut"])
  assert.deepEqual([(await many(22)).length, (await many(22)).at(-1)], [23, "... and 2 more"])
})

test("a session is copied whole or up to a step; a step that is not there is an error", async () => {
  const asked: unknown[] = []
  const fork = async (session: { id: string }, at: object) => {
    asked.push([session.id, at])
    return { id: ID.replace(/7$/, "8"), path: "/sessions/two" }
  }
  const whole = await forkSession(contextOf({ fork }), "one", undefined)
  assert.deepEqual(whole, {
    ok: true,
    value: {
      text: "Session 099a8058 is the copy. Continue it: gong --session 099a8058\n",
      json: { id: ID.replace(/7$/, "8"), path: "/sessions/two", from: ID },
    },
  })
  await forkSession(contextOf({ fork }), "one", "e1")
  assert.deepEqual(asked, [
    [ID, {}],
    [ID, { entry: "e1" }],
  ])
  const unknown = () => Promise.reject(new FailureError(failure("bad-request", phrase`no step ${"e9"}`)))
  const refused = await forkSession(contextOf({ fork: unknown }), "one", "e9")
  assert.ok(!refused.ok)
  assert.deepEqual([refused.error.exit, refused.error.lines.join()], [2, "gong: no step e9"])
  await assert.rejects(
    forkSession(contextOf({ fork: () => Promise.reject(new Error("broken")) }), "one", "e9"),
    /broken/,
  )
})

test("the context size of a stored model is known by its name, or a default", async () => {
  const unknown = await contextWindowOf(null)
  assert.equal(await contextWindowOf("no-provider/no-model"), unknown)
  assert.equal(unknown, await contextWindowOf("custom/a/b"))
  const known = await contextWindowOf("anthropic/claude-opus-4-1")
  assert.ok(known >= 200_000 && known !== unknown, String(known))
})

test("the result is that of the last run, with its input and its time", () => {
  const run = lastRun({ id: ID, info: { created: "2026-01-01T00:00:00.000Z" } } as Parameters<typeof lastRun>[0])
  const add = (body: object) =>
    run.add({ id: "e", parentId: null, ...body } as unknown as Parameters<typeof run.add>[0])
  assert.equal(run.result(), null)
  const end = (timestamp: string) => add({ type: "run_end", status: "done", turns: 1, timestamp })
  const prompt = (id: string, timestamp: string) => {
    add({ type: "input", kind: "prompt", timestamp })
    add({
      type: "message",
      id: `of ${id}`,
      inputId: id,
      timestamp,
      message: { role: "user", content: [{ type: "text", text: id }] },
    })
  }
  prompt("i1", "2026-01-01T00:00:01.000Z")
  assert.equal(run.result(), null)
  end("2026-01-01T00:00:03.500Z")
  const about = () => {
    const found = run.result()
    const { durationMs, run: name, exit } = (found?.event ?? {}) as { durationMs?: number; run?: string; exit?: number }
    return [found?.time, durationMs, name, exit]
  }
  assert.deepEqual(about(), ["2026-01-01T00:00:03.500Z", 2_500, "i1", 0])
  add({ type: "input", kind: "steer", timestamp: "2026-01-01T00:00:04.000Z" })
  assert.deepEqual(about()[2], "i1", "another kind of input begins no run")
  prompt("i2", "2026-01-01T00:01:00.000Z")
  assert.equal(run.result(), null)
  end("2026-01-01T00:01:01.000Z")
  assert.deepEqual(about(), ["2026-01-01T00:01:01.000Z", 1_000, "i2", 0])
})

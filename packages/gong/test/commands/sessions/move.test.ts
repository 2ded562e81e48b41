import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { test } from "node:test"
import { idsOf, place, printed } from "./three-sessions.ts"

test("gong sessions fork, rm, restore and import", async (t) => {
  const program = await place(t)
  const { repo, gongHome } = program
  const [second = "", first = ""] = await idsOf(program)
  const lines = (await program.gong(["sessions", "show", second, "--output", "events"])).out.split("\n")
  const { entry } = JSON.parse(lines[5] ?? "") as { entry: string }
  assert.deepEqual(await printed(program, "fork", second), [
    0,
    "Session s4 is the copy. Continue it: gong --session s4",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "fork", second, entry), [
    0,
    "Session s5 is the copy. Continue it: gong --session s5",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "fork", second, "nope"), [2, "", "gong: Session S2 has no step nope.\n"])
  assert.deepEqual(await printed(program, "rm", first), [
    0,
    "Session s1 is in the trash ($GONG/trash/S1). gong sessions restore s1 restores it.",
    "",
    "",
  ])
  assert.equal(existsSync(`${gongHome}/trash/${first}`), true)
  assert.deepEqual(await printed(program, "restore", "nope"), [
    2,
    "",
    'gong: there is no session "nope" in the trash. It contains s1.\n',
  ])
  assert.deepEqual(await printed(program, "restore", first.slice(-8)), [0, "Session s1 is restored.", "", ""])
  assert.deepEqual(await printed(program, "restore", first), [
    2,
    "",
    'gong: there is no session "S1" in the trash. The trash is empty.\n',
  ])
  assert.deepEqual(await printed(program, "rm", first, "--json"), [0, '{"id":"S1","path":"$GONG/trash/S1"}', "", ""])
  assert.deepEqual(await printed(program, "restore", first, "--json"), [
    0,
    '{"id":"S1","path":"$GONG/sessions/S1"}',
    "",
    "",
  ])
  await program.gong(["sessions", "export", second, "-o", `${program.repo}/x.jsonl`])
  assert.deepEqual(await printed(program, "import", `${repo}/x.jsonl`), [
    0,
    "Session s6: 12 steps, from $REPO.",
    "Continue it: gong --session s6",
    "",
    "",
  ])
  await program.gong(["sessions", "rm", second])
  assert.deepEqual(await printed(program, "import", `${repo}/x.jsonl`), [
    0,
    "Session s2: 12 steps, from $REPO.",
    "Continue it: gong --session s2",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "restore", second), [2, "", "gong: $GONG/sessions/S2 is there already.\n"])
  assert.deepEqual(await printed(program, "import", `${repo}/nope`), [
    2,
    "",
    "gong: $REPO/nope cannot be read (ENOENT).\n",
  ])
  assert.deepEqual(await printed(program, "import", repo), [2, "", "gong: $REPO is not a file.\n"])
  program.write({ "bad.jsonl": "no session\n", "half.jsonl": `${program.read("x.jsonl")}{ broken\n` })
  assert.deepEqual(await printed(program, "import", `${repo}/bad.jsonl`), [
    2,
    "",
    "gong: $REPO/bad.jsonl was not imported. This is no session of Pi: its first line is not the head of one.\n",
  ])
  assert.deepEqual((await printed(program, "import", `${repo}/half.jsonl`)).slice(0, 3), [
    0,
    "Session s7: 12 steps, from $REPO.",
    "1 line(s) were invalid; the first: line 14, not JSON.",
  ])
})

test("gong undo restores changed files once", async (t) => {
  const program = await place(t)
  const undo = async (...args: readonly string[]) => {
    const { status, out, err } = await program.gong(["undo", ...args])
    return [status, program.plain(out), program.plain(err)]
  }
  const [second = "", first = ""] = await idsOf(program)
  assert.deepEqual([program.plain(second), program.plain(first)], ["S2", "S1"])
  assert.deepEqual(await undo("--session", first), [0, "Session s1 has no file changes to undo.\n", ""])
  assert.deepEqual(await undo(), [0, "restored  $REPO/a.txt\n", ""])
  assert.equal(existsSync(`${program.repo}/a.txt`), false)
  assert.deepEqual(await undo(), [0, "Session s2 has no file changes to undo.\n", ""])
  assert.deepEqual(await undo("compaction"), [0, "Session s2 has no compaction to undo.\n", ""])
  assert.deepEqual(await undo("--session", "nope"), [
    2,
    "",
    'gong: there is no session "nope". gong sessions lists them.\n',
  ])
})

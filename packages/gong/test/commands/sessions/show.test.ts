import assert from "node:assert/strict"
import { test } from "node:test"
import { idsOf, place, printed } from "./three-sessions.ts"

test("gong sessions show, tree and export as text and as JSON", async (t) => {
  const program = await place(t)
  const [second = "", first = ""] = await idsOf(program)
  assert.deepEqual(await printed(program, "show", first), [
    0,
    "Session S1",
    "$REPO, created TIME",
    "$GONG/sessions/S1",
    "",
    "[model: custom/mock]",
    "",
    "> Why is the discount wrong?",
    "",
    "The discount is subtracted twice.",
    "",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "show", second), [
    0,
    "Session S2",
    "$REPO, created TIME",
    "$GONG/sessions/S2",
    "",
    "[model: lab/big]",
    "",
    "> write it",
    "",
    "I'll write it.",
    "",
    "  write a.txt  0.0 s  ok",
    "    Successfully wrote 8 bytes to a.txt",
    "",
    "Written; discount fixed.",
    "",
    "",
    "",
  ])
  const shown = JSON.parse((await program.gong(["sessions", "show", second.slice(-8), "--json"])).out) as {
    entries: { type: string }[]
  }
  assert.deepEqual(
    [Object.keys(shown), shown.entries.map(({ type }) => type)],
    [
      ["format", "id", "cwd", "workspace", "created", "path", "entries", "damage"],
      [
        "anchor",
        "prompt",
        "model_change",
        "thinking_level_change",
        "input",
        "message",
        "message",
        "tool_start",
        "change",
        "message",
        "message",
        "run_end",
      ],
    ],
  )
  assert.deepEqual(await printed(program, "show", "nope"), [
    2,
    "",
    'gong: there is no session "nope". gong sessions lists them.\n',
  ])
  assert.deepEqual(await printed(program, "tree", second), [0, "* E1  12 steps  write it", "", ""])
  assert.deepEqual(await printed(program, "tree", second, "--json"), [
    0,
    '{"steps":[{"id":"E2","parentId":null,"type":"anchor","label":null,"active":true},{"id":"E3","parentId":"E2","type":"prompt","label":null,"active":true},{"id":"E4","parentId":"E3","type":"model_change","label":null,"active":true},{"id":"E5","parentId":"E4","type":"thinking_level_change","label":null,"active":true},{"id":"E6","parentId":"E5","type":"input","label":null,"active":true},{"id":"E7","parentId":"E6","type":"message","role":"user","label":null,"active":true},{"id":"E8","parentId":"E7","type":"message","role":"assistant","label":null,"active":true},{"id":"E9","parentId":"E8","type":"tool_start","label":null,"active":true},{"id":"E10","parentId":"E9","type":"change","label":null,"active":true},{"id":"E11","parentId":"E10","type":"message","role":"tool","label":null,"active":true},{"id":"E12","parentId":"E11","type":"message","role":"assistant","label":null,"active":true},{"id":"E1","parentId":"E12","type":"run_end","label":null,"active":true}],"next":[]}',
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "verify", second), [
    0,
    "12 steps in 1 phase, 1 artifacts: all checksums match.",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "verify", second, "--json"), [
    0,
    '{"id":"S2","files":[{"file":"$GONG/sessions/S2/anchors/001_session-start/entries.jsonl","valid":12}],"problems":[],"artifacts":{"checked":1,"damaged":[],"missing":[]}}',
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "export", second, "--format", "markdown"), [
    0,
    "# Session S2",
    "",
    "`$REPO`, begun TIME",
    "",
    "*Model: lab/big*",
    "",
    "## You",
    "",
    "write it",
    "",
    "## lab/big",
    "",
    "I'll write it.",
    "",
    "### write: `a.txt`",
    "",
    "```",
    "Successfully wrote 8 bytes to a.txt",
    "```",
    "",
    "## lab/big",
    "",
    "Written; discount fixed.",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "export", second, "-o", `${program.repo}/x.md`), [
    0,
    "Session s2 is in $REPO/x.md.",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "export", second, "-o", `${program.repo}/x.jsonl`), [
    0,
    "Session s2 is in $REPO/x.jsonl.",
    "",
    "",
  ])
  const lines = (await program.gong(["sessions", "show", second, "--output", "events"])).out.split("\n")
  assert.deepEqual(
    lines.map((line) => (line === "" ? "" : (JSON.parse(line) as { type: string }).type)),
    [
      "session",
      "model_select",
      "agent_start",
      "turn_start",
      "message_end",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "turn_end",
      "turn_start",
      "message_end",
      "turn_end",
      "agent_end",
      "result",
      "",
    ],
  )
  const { entry } = JSON.parse(lines[5] ?? "") as { entry: string }
  const found: unknown[] = []
  for (const after of ["3", entry, "nope", "000000000000", "99"]) {
    const { status, out, err } = await program.gong([
      "sessions",
      "show",
      second,
      "--output",
      "events",
      "--after",
      after,
    ])
    found.push([status, out.split("\n").length, program.plain(err)])
  }
  assert.deepEqual(found, [
    [0, 12, ""],
    [0, 9, ""],
    [
      2,
      1,
      'gong: --after nope: the active branch of session s2 has no such entry. Give the "entry" or the number of a line.\n',
    ],
    [
      2,
      1,
      'gong: --after E13: the active branch of session s2 has no such entry. Give the "entry" or the number of a line.\n',
    ],
    [0, 1, ""],
  ])
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"

async function said(program: Program, ...args: readonly string[]): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(["sessions", ...args])
  return [status, ...program.plain(out).split("\n"), program.plain(err)]
}

const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 }

/** Two sessions here, one with a tool call, and one elsewhere. */
async function place(t: Parameters<typeof openWithModel>[0]) {
  const program = await openWithModel(t, {
    turns: [
      { text: "The discount is subtracted twice." },
      { text: "I'll write it.", calls: [{ name: "write", args: { path: "a.txt", content: "one\ntwo\n" } }] },
      { text: "Written; discount fixed." },
      { text: "Elsewhere: discount." },
    ],
  })
  const { GONG_BASE_URL, GONG_API_KEY } = program.env
  program.write({
    [`${program.gongHome}/models.json`]: JSON.stringify({
      providers: {
        lab: {
          baseUrl: GONG_BASE_URL,
          keys: ["LAB_KEY"],
          models: { big: { contextWindow: 64_000, maxOutput: 4000, price } },
        },
      },
    }),
  })
  const env = { GONG_BASE_URL: undefined, GONG_MODEL: "lab/big", GONG_API_KEY: undefined, LAB_KEY: GONG_API_KEY }
  await program.gong(["-p", "Why is the discount wrong?"])
  await program.gong(["-p", "write it", "--yolo"], { env })
  program.write({ [`${program.root}/other/.git/x`]: "" })
  await program.gong(["-p", "a third one"], { env, cwd: `${program.root}/other` })
  return program
}

const idsOf = async (program: Program, ...more: readonly string[]) => {
  const { sessions } = JSON.parse((await program.gong(["sessions", "--json", ...more])).out) as {
    sessions: { id: string }[]
  }
  return sessions.map(({ id }) => id)
}

test("gong sessions show, tree and export tell one session for people and for programs", async (t) => {
  const program = await place(t)
  const [second = "", first = ""] = await idsOf(program)
  assert.deepEqual(await said(program, "show", first), [
    0,
    "Session S1",
    "$REPO, begun TIME",
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
  assert.deepEqual(await said(program, "show", second), [
    0,
    "Session S2",
    "$REPO, begun TIME",
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
  assert.deepEqual(await said(program, "show", "nope"), [
    2,
    "",
    'gong: there is no session "nope". gong sessions lists them.\n',
  ])
  assert.deepEqual(await said(program, "tree", second), [0, "* E1  12 steps  write it", "", ""])
  assert.deepEqual(await said(program, "tree", second, "--json"), [
    0,
    '{"steps":[{"id":"E2","parentId":null,"type":"anchor","label":null,"active":true},{"id":"E3","parentId":"E2","type":"prompt","label":null,"active":true},{"id":"E4","parentId":"E3","type":"model_change","label":null,"active":true},{"id":"E5","parentId":"E4","type":"thinking_level_change","label":null,"active":true},{"id":"E6","parentId":"E5","type":"input","label":null,"active":true},{"id":"E7","parentId":"E6","type":"message","role":"user","label":null,"active":true},{"id":"E8","parentId":"E7","type":"message","role":"assistant","label":null,"active":true},{"id":"E9","parentId":"E8","type":"tool_start","label":null,"active":true},{"id":"E10","parentId":"E9","type":"change","label":null,"active":true},{"id":"E11","parentId":"E10","type":"message","role":"tool","label":null,"active":true},{"id":"E12","parentId":"E11","type":"message","role":"assistant","label":null,"active":true},{"id":"E1","parentId":"E12","type":"run_end","label":null,"active":true}],"next":[]}',
    "",
    "",
  ])
  assert.deepEqual(await said(program, "verify", second), [
    0,
    "12 steps in 1 phase, 1 artifacts: all as they were written.",
    "",
    "",
  ])
  assert.deepEqual(await said(program, "verify", second, "--json"), [
    0,
    '{"id":"S2","files":[{"file":"$GONG/sessions/S2/anchors/001_session-start/entries.jsonl","valid":12}],"problems":[],"artifacts":{"checked":1,"damaged":[],"missing":[]}}',
    "",
    "",
  ])
  assert.deepEqual(await said(program, "export", second, "--format", "markdown"), [
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
  assert.deepEqual(await said(program, "export", second, "-o", `${program.repo}/x.md`), [
    0,
    "Session s2 is in $REPO/x.md.",
    "",
    "",
  ])
  assert.deepEqual(await said(program, "export", second, "-o", `${program.repo}/x.jsonl`), [
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
      'gong: --after nope: the active branch of session s2 has no such entry. Give the "entry" of a line, or the number of a line of this list.\n',
    ],
    [
      2,
      1,
      'gong: --after E13: the active branch of session s2 has no such entry. Give the "entry" of a line, or the number of a line of this list.\n',
    ],
    [0, 1, ""],
  ])
})

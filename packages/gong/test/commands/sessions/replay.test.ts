import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"

async function printed(program: Program, ...args: readonly string[]): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(["sessions", ...args])
  return [status, ...program.plain(out).split("\n"), program.plain(err)]
}

const recorded = JSON.stringify({ record: "on" })

test("gong sessions replay compares a recorded session", async (t) => {
  const program = await openWithModel(t, {
    turns: [
      {
        text: "I look.",
        calls: [
          { name: "read", args: { path: "b.txt" } },
          { name: "ls", args: {} },
        ],
      },
      { fault: { kind: "status", status: 429 } },
      { calls: [{ name: "write", args: { path: "a.txt", content: "one\n" } }] },
      { text: "Written." },
    ],
  })
  program.write({ [`${program.gongHome}/settings.json`]: recorded, "b.txt": "two\n" })
  await program.gong(["-p", "write it", "--yolo"])
  const [id = ""] = readdirSync(`${program.gongHome}/sessions`).filter((name) => !name.startsWith("."))
  const file = `${program.gongHome}/sessions/${id}/artifacts/exchanges.jsonl`
  const recording = program.read(file)
  assert.deepEqual(await printed(program, "replay", id), [0, "replayed 4 requests, 16 steps: the same", "", ""])
  assert.deepEqual(await printed(program, "replay", id, "--json"), [
    0,
    '{"session":"S1","same":true,"requests":4,"entries":16,"difference":null,"notes":[]}',
    "",
    "",
  ])
  const changes: readonly (readonly [string, string])[] = [
    ["write it", "write this"],
    ['\\"temperature', '\\"x'],
    ["Written.", "Not written."],
    ['"status":200', '"status":500'],
    ["b.txt", "c.txt"],
    ["gpt", "x"],
    ['"stream', '"streem'],
  ]
  const found: unknown[] = []
  for (const [from, to] of changes) {
    program.write({ [file]: recording.replaceAll(from, to) })
    found.push([from, ...(await printed(program, "replay", id))])
  }
  const lines = recording.trimEnd().split("\n")
  for (const [name, some] of [
    ["first", lines.slice(0, 1)],
    ["last", lines.slice(1)],
    ["none", []],
    ["broken", ["{"]],
    ["swapped", lines.toReversed()],
  ] as const) {
    program.write({ [file]: some.map((line) => `${line}\n`).join("") })
    found.push([name, ...(await printed(program, "replay", id))])
  }
  assert.deepEqual(found, [
    [
      "write it",
      1,
      "replayed 1 request, 4 steps: request 1 differs at messages[1].content",
      '  recorded: "write this"',
      '  replayed: "write it"',
      "",
      "",
    ],
    ['\\"temperature', 0, "replayed 4 requests, 16 steps: the same", "", ""],
    [
      "Written.",
      1,
      "replayed 4 requests, 15 steps: step E1 (message) differs at message.content[0].text",
      '  recorded: "Written."',
      '  replayed: "Not written."',
      "",
      "",
    ],
    [
      '"status":200',
      1,
      "replayed 1 request, 5 steps: step E2 (message) differs at type",
      '  recorded: "message"',
      '  replayed: "model_call"',
      "",
      "",
    ],
    [
      "b.txt",
      1,
      "replayed 1 request, 5 steps: step E2 (message) differs at message.content[1].arguments.path",
      '  recorded: "b.txt"',
      '  replayed: "c.txt"',
      "",
      "",
    ],
    ["gpt", 0, "replayed 4 requests, 16 steps: the same", "", ""],
    [
      '"stream',
      1,
      "replayed 1 request, 4 steps: request 1 differs at streem",
      "  recorded: true",
      "  replayed: nothing",
      "",
      "",
    ],
    ["first", 2, "", "gong: the recording of session s1 has no request of a run.\n"],
    ["last", 2, "", "gong: line 2 of the recording of session s1 cannot be read.\n"],
    ["none", 2, "", "gong: the recording of session s1 has no request of a run.\n"],
    ["broken", 2, "", "gong: line 1 of the recording of session s1 cannot be read.\n"],
    ["swapped", 2, "", "gong: line 1 of the recording of session s1 cannot be read.\n"],
  ])
})

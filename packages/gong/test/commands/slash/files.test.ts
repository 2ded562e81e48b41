import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { ModelServerOptions } from "@gong/testing/model-server"
import { openWithModel, type Program } from "../program.ts"

/** The output of a conversation without the greeting. */
async function talk(
  program: Program,
  typed: readonly string[],
  ...args: readonly string[]
): Promise<readonly string[]> {
  const { all } = await program.gong(args, { typed })
  const lines = program.plain(all).split("\n")
  return lines.slice(lines.findIndex((line) => line.startsWith("> ")))
}

const open = (t: TestContext, options: ModelServerOptions = {}) =>
  openWithModel(t, { otherwise: { text: "Fine." }, ...options })

test("/diff, /undo and /redo show, undo and redo file changes", async (t) => {
  const edits = [{ oldText: "one", newText: "two" }]
  const program = await open(t, {
    turns: [
      {
        calls: [
          { name: "edit", args: { path: "a.txt", edits } },
          { name: "write", args: { path: "in/b.txt", content: "b\n" } },
        ],
      },
      { text: "Changed." },
    ],
  })
  program.write({ "a.txt": "one\n" })
  assert.deepEqual(
    await talk(
      program,
      ["change", "/diff", "/diff b.txt", "/diff c.txt", "/undo", "/undo", "/redo", "/redo", "/diff"],
      "--yolo",
    ),
    [
      "> change",
      "  edit a.txt  0.0 s  +1 -1",
      "  write in/b.txt  0.0 s  +1 -0",
      "Changed.",
      "> /diff",
      "--- $REPO/a.txt",
      "+++ $REPO/a.txt",
      "@@ -1,1 +1,1 @@",
      "-one",
      "+two",
      "--- /dev/null",
      "+++ $REPO/in/b.txt",
      "@@ -0,0 +1,1 @@",
      "+b",
      "> /diff b.txt",
      "--- /dev/null",
      "+++ $REPO/in/b.txt",
      "@@ -0,0 +1,1 @@",
      "+b",
      "> /diff c.txt",
      "The session has no changes in c.txt.",
      "> /undo",
      "restored  $REPO/a.txt",
      "restored  $REPO/in/b.txt",
      "> /undo",
      "Session s1 has no file changes to undo.",
      "> /redo",
      "repeated  $REPO/a.txt",
      "repeated  $REPO/in/b.txt",
      "> /redo",
      "There is no undo to redo.",
      "> /diff",
      "--- $REPO/a.txt",
      "+++ $REPO/a.txt",
      "@@ -1,1 +1,1 @@",
      "-one",
      "+two",
      "--- /dev/null",
      "+++ $REPO/in/b.txt",
      "@@ -0,0 +1,1 @@",
      "+b",
      "> ",
    ],
  )
})

test("permission questions: once, for the session, always, and no with a reason", async (t) => {
  const bash = (command: string) => ({ calls: [{ name: "bash", args: { command } }] })
  const program = await open(t, {
    turns: [bash("touch a"), bash("touch b"), bash("touch b"), bash("touch c"), bash("touch d"), { text: "Done." }],
  })
  assert.deepEqual(
    (await talk(program, ["go", "x", "y", "s", "a", "n", "later"])).map((line) => line.replaceAll(/\d+\.\d s/g, "N s")),
    [
      "> go",
      "bash needs permission",
      "  touch a",
      "  why: it is not known to only read",
      'Run "touch a"? [y]es [s]ession [a]lways bash(touch a) [n]o [e]xplain: x',
      'Run "touch a"? [y]es [s]ession [a]lways bash(touch a) [n]o [e]xplain: y',
      "  bash touch a  N s  exit 0",
      "bash needs permission",
      "  touch b",
      "  why: it is not known to only read",
      'Run "touch b"? [y]es [s]ession [a]lways bash(touch b) [n]o [e]xplain: s',
      "  bash touch b  N s  exit 0",
      "  bash touch b  N s  exit 0",
      "bash needs permission",
      "  touch c",
      "  why: it is not known to only read",
      'Run "touch c"? [y]es [s]ession [a]lways bash(touch c) [n]o [e]xplain: a',
      "  bash touch c  N s  exit 0",
      "bash needs permission",
      "  touch d",
      "  why: it is not known to only read",
      'Run "touch d"? [y]es [s]ession [a]lways bash(touch d) [n]o [e]xplain: n',
      "  bash  N s  refused",
      "Done.",
      'gong: bash was refused: the user said no to "touch d".',
      "> later",
      "Fine.",
      "> ",
    ],
  )
  assert.equal(
    program.plain(program.read(`${program.gongHome}/permissions.json`)),
    '{\n  "$REPO": [\n    "bash(touch c)"\n  ]\n}\n',
  )
})

test("multi-line messages, templates and the user's own commands", async (t) => {
  const program = await open(t)
  program.write({
    [`${program.gongHome}/prompts/p.md`]: "Look at $1.\n",
    [`${program.gongHome}/skills/s/SKILL.md`]: "---\nname: s\ndescription: does s\n---\nb\n",
  })
  assert.deepEqual(
    (
      await talk(program, [
        '"""',
        "one",
        "two",
        '"""',
        "a\\",
        "b",
        "/p here",
        "/skills",
        "!echo hi",
        "/reload",
        "/usr/bin is full",
        "",
        "/init short",
      ])
    ).map((line) => line.replaceAll(/\d+\.\d s/g, "N s")),
    [
      '> """',
      "... one",
      "... two",
      '... """',
      "Fine.",
      "> a\\",
      "... b",
      "Fine.",
      "> /p here",
      "Fine.",
      "> /skills",
      "/skill:s  does s",
      "> !echo hi",
      "Fine.",
      "> /reload",
      "custom/mock from GONG_API_KEY · ask · sandbox: off · session s1",
      "> /usr/bin is full",
      "Fine.",
      "> ",
      "> /init short",
      "Fine.",
      "> ",
    ],
  )
  const sent = program.server.requests.map(
    ({ body }) =>
      (body as { messages: readonly { role: string; content: unknown }[] }).messages.findLast(
        ({ role }) => role === "user",
      )?.content,
  )
  assert.deepEqual(
    sent.map((text) => String(text).slice(0, 60)),
    [
      "one\ntwo",
      "a\nb",
      "Look at here.",
      "!echo hi",
      "/usr/bin is full",
      "Write AGENTS.md in the root of this repository, for coding a",
    ],
  )
})

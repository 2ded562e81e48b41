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
      "    - 1 one",
      "    + 1 two",
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
    (await talk(program, ["go", "x", "y", "s", "a", "n", "later"])).map((line) =>
      line.replaceAll(/\d+(?:\.\d)? s\b/g, "N s"),
    ),
    [
      "> go",
      "bash wants to run",
      "  touch a",
      "  why: it is not known to only read",
      "  session, always: bash(touch a)",
      '  "always" is stored in $GONG/permissions.json',
      "Run it? [y]es [s]ession [a]lways [n]o [e]xplain: x",
      "Run it? [y]es [s]ession [a]lways [n]o [e]xplain: y",
      "  bash touch a  N s  exit 0",
      "bash wants to run",
      "  touch b",
      "  why: it is not known to only read",
      "  session, always: bash(touch b)",
      '  "always" is stored in $GONG/permissions.json',
      "Run it? [y]es [s]ession [a]lways [n]o [e]xplain: s",
      "  bash touch b  N s  exit 0",
      "  bash touch b  N s  exit 0",
      "bash wants to run",
      "  touch c",
      "  why: it is not known to only read",
      "  session, always: bash(touch c)",
      '  "always" is stored in $GONG/permissions.json',
      "Run it? [y]es [s]ession [a]lways [n]o [e]xplain: a",
      "  bash touch c  N s  exit 0",
      "bash wants to run",
      "  touch d",
      "  why: it is not known to only read",
      "  session, always: bash(touch d)",
      '  "always" is stored in $GONG/permissions.json',
      "Run it? [y]es [s]ession [a]lways [n]o [e]xplain: n",
      "  bash touch d  N s  refused",
      "Done.",
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

test("a question shows what the call would do, and the wider rule in a question of its own", async (t) => {
  const edit = (path: string, oldText: string, newText: string) => ({
    calls: [{ name: "edit", args: { path, edits: [{ oldText, newText }] } }],
  })
  const write = (path: string, content: string) => ({ calls: [{ name: "write", args: { path, content } }] })
  const program = await open(t, {
    turns: [
      edit("src/a.txt", "two", "zwei"),
      edit("src/b.txt", "one", "eins"),
      write("a.txt", "new\n"),
      write("a.txt", "new\n"),
      write("c/new.txt", "1\n2\n"),
      edit("src/a.txt", "not there", "x"),
      { calls: [{ name: "bash", args: { command: "npm run lint" } }] },
      { text: "Done." },
    ],
  })
  program.write({ "src/a.txt": "one\ntwo\n", "src/b.txt": "one\n", "a.txt": "old\n", "package.json": "{}" })
  const typed = ["go", "w", "", "w", "s", "a", "n", "e", "not now"]
  const answers = "[y]es [s]ession [a]lways"
  const stored = '  "always" is stored in $GONG/permissions.json'
  const goesBack = "for this [s]ession, or [a]lways (in $GONG/permissions.json)? Enter goes back:"
  assert.deepEqual(
    (await talk(program, typed, "--permission", "ask")).map((line) => line.replaceAll(/\d+(?:\.\d)? s\b/g, "N s")),
    [
      "> go",
      "edit wants to change src/a.txt (+1 -1)",
      "    1 one",
      "  - 2 two",
      "  + 2 zwei",
      "  why: level ask",
      "  session, always: edit(src/a.txt)",
      "  wider: edit(src/**)",
      stored,
      `Change src/a.txt? ${answers} [w]ider [n]o [e]xplain: w`,
      `Allow edit(src/**): ${goesBack} `,
      `Change src/a.txt? ${answers} [w]ider [n]o [e]xplain: w`,
      `Allow edit(src/**): ${goesBack} s`,
      "  edit src/a.txt  N s  +1 -1",
      "  edit src/b.txt  N s  +1 -1",
      "    - 1 one",
      "    + 1 eins",
      "  write  N s  error",
      "    Not written: a.txt exists (1 line, changed N s ago) and this session has not looked at it. Read it, or send the same write again to replace it. Nothing was changed.",
      "write wants to overwrite a.txt (+1 -1, 4 bytes)",
      "  - 1 old",
      "  + 1 new",
      "  why: level ask",
      "  session, always: write(a.txt)",
      stored,
      `Overwrite a.txt? ${answers} [n]o [e]xplain: a`,
      "  write a.txt  N s  +1 -1",
      "write wants to create c/new.txt (new, 4 bytes)",
      "  + 1 1",
      "  + 2 2",
      "  why: level ask",
      "  session, always: write(c/new.txt)",
      "  wider: write(c/**)",
      stored,
      `Create c/new.txt? ${answers} [w]ider [n]o [e]xplain: n`,
      "  write c/new.txt  N s  refused",
      "  edit src/a.txt  N s  error",
      "    Could not find the exact text in src/a.txt. The old text must match exactly including all whitespace and newlines.",
      "    No place like it stands out: read the file again, it may have changed.",
      "bash wants to run",
      "  npm run lint",
      "  why: it is not known to only read",
      "  session, always: bash(npm run lint)",
      "  wider: bash(npm run *)",
      stored,
      `Run it? ${answers} [w]ider [n]o [e]xplain: e`,
      "Reason: not now",
      "  bash npm run lint  N s  refused",
      "Done.",
      "> ",
    ],
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
        "!!echo unseen",
        "!exit 3",
        "/reload",
        "/usr/bin is full",
        "",
        "/init short",
      ])
    ).map((line) => line.replaceAll(/\d+(?:\.\d)? s\b/g, "N s")),
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
      "hi",
      "> !!echo unseen",
      "unseen",
      "> !exit 3",
      "Command exited with code 3",
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
  const last = JSON.stringify(program.server.requests.at(-1)?.body)
  assert.ok(last.includes("$ echo hi") && !last.includes("unseen"), "the model does not see what !! ran")
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
      "/usr/bin is full",
      "Write AGENTS.md in the root of this repository, for coding a",
    ],
  )
})

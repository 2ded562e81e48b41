import assert from "node:assert/strict"
import { mkdirSync, rmSync } from "node:fs"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, ...args: readonly string[]): Promise<readonly [number, string, string]> {
  const { status, out, err } = await program.gong(args)
  return [status, program.plain(out), program.plain(err)]
}

const skill = "---\nname: s\ndescription: d\n---\nb\n"

test("gong trust shows active content, stores the decision, and shows later changes", async (t) => {
  const program = openProgram(t)
  program.write({ ".gong/skills/s/SKILL.md": skill })
  assert.deepEqual(await printed(program, "trust"), [0, "$REPO has no active content.\n", ""])
  assert.deepEqual(await printed(program, "trust", "forget"), [0, "No decision about $REPO is stored.\n", ""])
  assert.deepEqual(await printed(program, "trust", "yes"), [0, "$REPO has no active content.\n", ""])
  assert.deepEqual(await printed(program, "trust", "list"), [0, "yes  $REPO  0 files\n", ""])
  program.write({ ".gong/skills/s/SKILL.md": skill.replace("b\n", "c\nd\n"), ".gong/settings.json": "{}" })
  assert.deepEqual(await printed(program, "trust"), [
    0,
    "$REPO was trusted, but .gong/settings.json changed since then: its active content is not loaded.\n  .gong/settings.json (new)\n    @@ -0,0 +1,1 @@\n    +{}\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n",
    "",
  ])
  const { out } = await program.gong(["trust", "--json"])
  assert.deepEqual(JSON.parse(program.plain(out).replaceAll(/[0-9a-f]{64}/g, "HASH")), {
    root: "$REPO",
    state: "changed",
    summary: "1 settings file",
    files: [{ path: ".gong/settings.json", now: "HASH", trusted: null, diff: ["@@ -0,0 +1,1 @@", "+{}"] }],
  })
  assert.deepEqual(await printed(program, "trust", "yes"), [
    0,
    "$REPO is trusted: 1 settings file is loaded.\n  .gong/settings.json\ngong trust no revokes it; gong trust forget asks again.\n",
    "",
  ])
  rmSync(`${program.repo}/.gong/skills`, { recursive: true })
  assert.deepEqual(await printed(program, "trust"), [
    0,
    "$REPO is trusted: 1 settings file is loaded.\n  .gong/settings.json\ngong trust no revokes it; gong trust forget asks again.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "no"), [
    0,
    "$REPO is not trusted: its active content is not loaded.\n  .gong/settings.json (same)\n    @@ -0,0 +1,1 @@\n    +{}\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "list"), [0, "no   $REPO\n", ""])
  assert.deepEqual(await printed(program, "trust", "list", "--json"), [
    0,
    '{"folders":[{"root":"$REPO","trusted":false,"files":1,"there":true}]}\n',
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "forget"), [0, "The decision about $REPO is removed.\n", ""])
  assert.deepEqual(await printed(program, "trust", "forget"), [0, "No decision about $REPO is stored.\n", ""])
  assert.deepEqual(await printed(program, "trust", "forget", "/gone/away"), [
    0,
    "No decision about /gone/away is stored.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "--json"), [
    0,
    '{"root":"$REPO","state":"undecided","summary":"1 settings file","files":[{"path":".gong/settings.json","now":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","trusted":null,"diff":["@@ -0,0 +1,1 @@","+{}"]}]}\n',
    "",
  ])
})

test("gong trust list sorts folders by path and marks deleted ones", async (t) => {
  const program = openProgram(t)
  for (const name of ["b", "a", "c"]) {
    mkdirSync(`${program.root}/${name}/.git`, { recursive: true })
    program.write({
      [`${program.root}/${name}/.gong/settings.json`]: "{}",
      [`${program.root}/${name}/.gong/SYSTEM.md`]: "x",
    })
    await program.gong(["trust", name === "b" ? "no" : "yes"], { cwd: `${program.root}/${name}` })
  }
  rmSync(`${program.root}/a`, { recursive: true })
  assert.deepEqual(await printed(program, "trust", "list"), [
    0,
    "yes  $ROOT/a  2 files (deleted)\nno   $ROOT/b\nyes  $ROOT/c  2 files\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "list", "--json"), [
    0,
    '{"folders":[{"root":"$ROOT/a","trusted":true,"files":2,"there":false},{"root":"$ROOT/b","trusted":false,"files":2,"there":true},{"root":"$ROOT/c","trusted":true,"files":2,"there":true}]}\n',
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "forget", "../c"), [
    0,
    "The decision about $ROOT/c is removed.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "forget", "../a"), [
    0,
    "The decision about $ROOT/a is removed.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "list"), [0, "no   $ROOT/b\n", ""])
})

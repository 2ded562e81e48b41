import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, args: readonly string[], options = {}): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [status, program.plain(out), program.plain(err)]
}

test("gong permissions lists and removes stored allow rules of this repository", async (t) => {
  const program = openProgram(t)
  const { repo } = program
  assert.deepEqual(await printed(program, ["permissions"]), [0, "No allow rules are stored for $REPO.\n", ""])
  assert.deepEqual(await printed(program, ["permissions", "--all"]), [0, "No allow rules are stored.\n", ""])
  program.write({
    [`${program.gongHome}/permissions.json`]: JSON.stringify({
      [repo]: ["bash(make)", "bash(ls)"],
      "/other": ["bash(x)"],
    }),
  })
  assert.deepEqual(await printed(program, ["permissions"]), [0, "$REPO\n  bash(make)\n  bash(ls)\n", ""])
  assert.deepEqual(await printed(program, ["permissions", "--all"]), [
    0,
    "$REPO\n  bash(make)\n  bash(ls)\n/other\n  bash(x)\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["permissions", "--json"]), [
    0,
    '{"permissions":{"$REPO":["bash(make)","bash(ls)"]}}\n',
    "",
  ])
  assert.deepEqual(await printed(program, ["permissions", "--all", "--json"]), [
    0,
    '{"permissions":{"$REPO":["bash(make)","bash(ls)"],"/other":["bash(x)"]}}\n',
    "",
  ])
  assert.deepEqual(await printed(program, ["permissions", "rm", "bash(nope)"]), [
    2,
    "",
    'gong: no rule "bash(nope)" is stored for $REPO. Stored: bash(make), bash(ls)\n',
  ])
  assert.deepEqual(await printed(program, ["permissions", "rm", "bash(make)"]), [
    0,
    "bash(make) is removed: $REPO asks again.\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["permissions", "rm", "bash(ls)"]), [
    0,
    "bash(ls) is removed: $REPO asks again.\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["permissions", "rm", "bash(ls)"]), [
    2,
    "",
    'gong: no rule "bash(ls)" is stored for $REPO. None is stored.\n',
  ])
  assert.deepEqual(await printed(program, ["permissions"]), [0, "No allow rules are stored for $REPO.\n", ""])
})

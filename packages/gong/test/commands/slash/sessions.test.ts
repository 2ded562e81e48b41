import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { ModelServerOptions } from "@gong/testing/model-server"
import { openWithModel, type Program } from "../program.ts"

/** What a conversation shows: the greeting is left out. */
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

test("sessions are begun, resumed, forked, exported and shared, and branches are left by commands of the conversation", async (t) => {
  const program = await open(t)
  const { repo } = program
  assert.deepEqual(
    await talk(program, [
      "/resume",
      "first",
      "/new",
      "second",
      "/resume",
      "1",
      "/resume nope",
      "/new named",
      "/name",
      "/resume",
      "",
    ]),
    [
      "> /resume",
      "There is no other session in this workspace.",
      "> first",
      "Fine.",
      "> /new",
      "New session · custom/mock from GONG_API_KEY · ask · sandbox: off",
      "> second",
      "Fine.",
      "> /resume",
      "Which session?",
      "  1  TIME  first",
      "1-1, Enter for none > 1",
      "custom/mock from GONG_API_KEY · ask · sandbox: off · session s1",
      "> /resume nope",
      'gong: there is no session "nope". gong sessions lists them.',
      "> /new named",
      "New session · custom/mock from GONG_API_KEY · ask · sandbox: off",
      "> /name",
      "The session is called named.",
      "> /resume",
      "Which session?",
      "  1  TIME  second",
      "  2  TIME  first",
      "1-2, Enter for none > ",
      "This session goes on.",
      "> ",
    ],
  )
  assert.deepEqual(
    await talk(program, ["one", "two", "/tree", "1", "three", "/tree", "", "/tree nope", "/fork", "/session"]),
    [
      "> one",
      "Fine.",
      "> two",
      "Fine.",
      "> /tree",
      "Behind which message (* is this branch)?",
      "  1  * (the beginning)",
      "  2  * one",
      "  3  * two",
      "1-3, Enter for none > 1",
      "You go on from there. The branch that you left stays; files are as they are.",
      "> three",
      "Fine.",
      "> /tree",
      "Behind which message (* is this branch)?",
      "  1  * (the beginning)",
      "  2      one",
      "  3      two",
      "  4  *   three",
      "1-4, Enter for none > ",
      "You are where you were.",
      "> /tree nope",
      "gong: This session has no step nope.",
      "> /fork",
      "custom/mock from GONG_API_KEY · ask · sandbox: off · session s5",
      "> /session",
      "id          S5",
      "name        (none)",
      "file        $GONG/sessions/S5",
      "workspace   $REPO",
      "cwd         $REPO",
      "model       custom/mock",
      "thinking    off",
      "permission  ask",
      "steps       9",
      "runs        1",
      "cost        cost unknown",
      "> ",
    ],
  )
  const shared = await talk(program, [
    "hello",
    "/export out.md",
    "/export out.md",
    "/export nowhere/x.jsonl",
    "/share",
    "n",
    "/share",
    "y",
  ])
  assert.deepEqual(shared, [
    "> hello",
    "Fine.",
    "> /export out.md",
    "The session is in $REPO/out.md.",
    "> /export out.md",
    "gong: $REPO/out.md is there already. Give another name: /export FILE",
    "> /export nowhere/x.jsonl",
    "gong: -o $REPO/nowhere/x.jsonl: cannot write there (ENOENT).",
    "> /share",
    "It holds the whole conversation: texts of files, commands and what they printed. Write it to a file? [y]es [n]o: n",
    "Nothing was written.",
    "> /share",
    "It holds the whole conversation: texts of files, commands and what they printed. Write it to a file? [y]es [n]o: y",
    "The session is in $REPO/gong-s6.md.",
    "Gong uploads nothing: look through it, then give it to whom you like.",
    "> ",
  ])
  assert.match(program.read(`${repo}/out.md`), /hello[\s\S]*Fine\./)
})

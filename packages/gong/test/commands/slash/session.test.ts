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

test("the session is named, measured, asked elsewhere and left by commands of the conversation", async (t) => {
  const program = await open(t)
  assert.deepEqual(
    await talk(program, [
      "/name",
      "/name a b",
      "/cost",
      "/copy",
      "/diff",
      "/redo",
      "/undo x",
      "/plan x",
      "/plan off",
      "/plan",
      "/plan off",
      "/fork nope",
      "/modle",
      "/quit",
      "never",
    ]),
    [
      "> /name",
      "The session has no name.",
      "> /name a b",
      "The session is called a b.",
      "> /cost",
      "Nothing was asked in this session yet.",
      "> /copy",
      "There is no answer yet.",
      "> /diff",
      "The session changed nothing that is not undone.",
      "> /redo",
      "There is no undo to take back.",
      "> /undo x",
      "/undo takes back changes of files, /undo compaction the last compaction.",
      "> /plan x",
      "/plan begins it, /plan off ends it.",
      "> /plan off",
      "It is not on.",
      "> /plan",
      "plan: nothing is changed.",
      "> /plan off",
      "ask: what changes something is asked for.",
      "> /fork nope",
      "gong: this session has no step nope.",
      "> /modle",
      "There is no /modle. Did you mean /model? With a blank in front it is sent as a message.",
      "> /quit",
      "",
    ],
  )
  assert.deepEqual(await talk(program, ["hello", "/cost", "/undo", "/undo compaction", "/compact"]), [
    "> hello",
    "Fine.",
    "> /cost",
    "custom/mock  1 request  120 in  0 cached  40 out  cost unknown",
    "> /undo",
    "Session s2 changed no files that are not undone.",
    "> /undo compaction",
    "Session s2 has no compaction to undo.",
    "> /compact",
    "  There is nothing to compact yet.",
    "> ",
  ])
  const session = await talk(program, ["hello", "/session", "/context"], "-c")
  assert.deepEqual(
    session.filter((line) => !/^(system prompt|tools|together|file|About) /.test(line)),
    [
      "> hello",
      "Fine.",
      "> /session",
      "id          S2",
      "name        (none)",
      "workspace   $REPO",
      "cwd         $REPO",
      "model       custom/mock",
      "thinking    off",
      "permission  ask",
      "steps       12",
      "runs        2",
      "cost        cost unknown",
      "> /context",
      "4 messages           8",
      "window         128,000",
      "> ",
    ],
  )
})

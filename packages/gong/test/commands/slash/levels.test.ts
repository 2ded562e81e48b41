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

test("levels, tools, models, settings and trust are shown and set by commands of the conversation", async (t) => {
  const program = await open(t)
  program.write({
    [`${program.gongHome}/models.json`]: JSON.stringify({
      providers: {
        lab: {
          baseUrl: "http://127.0.0.1:1/v1",
          keys: [],
          models: { one: { contextWindow: 64_000, maxOutput: 4000 }, two: { contextWindow: 64_000, maxOutput: 4000 } },
        },
      },
    }),
    ".gong/prompts/p.md": "P\n",
  })
  assert.deepEqual(
    await talk(
      program,
      [
        "/permissions",
        "4",
        "/permissions ASK",
        "/permissions nope",
        "/permissions",
        "",
        "/tools",
        "/tools read，ls",
        "/tools hammer",
        "/tools none",
        "/tools",
      ],
      "--trust",
      "no",
    ),
    [
      "> /permissions",
      "What may run without asking?",
      "  1  plan: nothing is changed",
      "  2  ask: what changes something is asked for (now)",
      "  3  auto: edits in the workspace run; what leaves it is asked for",
      "  4  full: nothing is asked for",
      "1-4, Enter for none > 4",
      "full: nothing is asked for.",
      "> /permissions ASK",
      "ask: what changes something is asked for.",
      "> /permissions nope",
      "There is no level nope, only plan, ask, auto, full.",
      "> /permissions",
      "What may run without asking?",
      "  1  plan: nothing is changed",
      "  2  ask: what changes something is asked for (now)",
      "  3  auto: edits in the workspace run; what leaves it is asked for",
      "  4  full: nothing is asked for",
      "1-4, Enter for none > ",
      "ask: what changes something is asked for.",
      "> /tools",
      "read, write, edit, bash, grep, find, ls",
      "> /tools read，ls",
      "From now on: read, ls",
      "> /tools hammer",
      'gong: there is no tool "hammer". Known: read, write, edit, bash, grep, find, ls, fetch, todo, ask, task, default, minimal or readonly.',
      "> /tools none",
      'gong: there is no tool "none". Known: read, write, edit, bash, grep, find, ls, fetch, todo, ask, task, default, minimal or readonly.',
      "> /tools",
      "read, ls",
      "> ",
    ],
  )
  assert.deepEqual(
    await talk(
      program,
      ["/model lab/one", "/model lab/", "2", "/model lab/", "", "/model nope/x", "/model LAB/ONE"],
      "--trust",
      "no",
    ),
    [
      "> /model lab/one",
      "custom/one is asked from now on; thinking: off.",
      "> /model lab/",
      'gong: "lab/" is no model. Write PROVIDER/ID, as anthropic/claude-sonnet-4-5.',
      "> 2",
      "Fine.",
      "> /model lab/",
      'gong: "lab/" is no model. Write PROVIDER/ID, as anthropic/claude-sonnet-4-5.',
      "> ",
      "> /model nope/x",
      "custom/nope/x is asked from now on; thinking: off.",
      "> /model LAB/ONE",
      "custom/LAB/ONE is asked from now on; thinking: off.",
      "> ",
    ],
  )
  const settings = await talk(
    program,
    [
      "/settings nope",
      "/settings retry.cuont",
      "/settings retry.count",
      "/settings retry.count 9",
      "/settings retry.count x",
      "/settings retry.count",
    ],
    "--trust",
    "no",
  )
  assert.deepEqual(settings, [
    "> /settings nope",
    "There is no setting nope.",
    "> /settings retry.cuont",
    "There is no setting retry.cuont. Did you mean retry.count?",
    "> /settings retry.count",
    "retry.count = 3",
    "how often a request that failed on the way is sent again, 0 to 10",
    "> /settings retry.count 9",
    "custom/mock from GONG_API_KEY · ask · sandbox: off · session s3",
    "retry.count is 9 in $GONG/settings.json.",
    "> /settings retry.count x",
    'gong: "retry.count" must be a whole number from 0 to 10, not "x".',
    "> /settings retry.count",
    "retry.count = 9 ($GONG/settings.json)",
    "how often a request that failed on the way is sent again, 0 to 10",
    "> ",
  ])
  const picked = await talk(program, ["/settings", "5", "auto", "/settings", "5", "", "/settings", ""], "--trust", "no")
  assert.deepEqual(
    picked.filter((line) => !/^ *\d+ /.test(line)),
    [
      "> /settings",
      "Which one is to change?",
      "1-48, Enter for none > 5",
      "permission, what may run without asking; now -. New value: auto",
      "custom/mock from GONG_API_KEY · auto · sandbox: off · session s4",
      "permission is auto in $GONG/settings.json.",
      "> /settings",
      "Which one is to change?",
      "1-48, Enter for none > 5",
      "permission, what may run without asking; now auto. New value: ",
      "Nothing has changed.",
      "> /settings",
      "Which one is to change?",
      "1-48, Enter for none > ",
      "> ",
    ],
  )
  assert.deepEqual(
    await talk(program, [
      "n",
      "/trust",
      "",
      "/trust show",
      "/trust yes",
      "/trust",
      "2",
      "/trust forget",
      "/trust",
      "1",
    ]),
    [
      "> /trust",
      "$REPO is not trusted: nothing that it brings acts.",
      "  .gong/prompts/p.md (same)",
      "    @@ -0,0 +1,1 @@",
      "    +P",
      "  1  trust it, as it is now",
      "  2  do not trust it, and do not ask again",
      "1-2, Enter for none > ",
      "Nothing has changed.",
      "> /trust show",
      "$REPO is not trusted: nothing that it brings acts.",
      "  .gong/prompts/p.md (same)",
      "    @@ -0,0 +1,1 @@",
      "    +P",
      "> /trust yes",
      "custom/mock from GONG_API_KEY · auto · sandbox: off · session s5",
      "This folder is trusted, as it is now.",
      "> /trust",
      "$REPO is trusted: 1 command template acts.",
      "  .gong/prompts/p.md",
      "  1  trust it, as it is now",
      "  2  do not trust it, and do not ask again",
      "1-2, Enter for none > 2",
      "custom/mock from GONG_API_KEY · auto · sandbox: off · session s5",
      "This folder is not trusted; nothing of it acts in a session that begins.",
      "> /trust forget",
      "custom/mock from GONG_API_KEY · auto · sandbox: off · session s5",
      "gong: this folder brings 1 command template that was not loaded (not trusted). Trust once: --trust yes; for good: gong trust",
      "Nothing is decided about this folder; the next conversation asks.",
      "> /trust",
      "$REPO brings 1 command template, which does not act: nobody has said whether it is trusted.",
      "  .gong/prompts/p.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P",
      "  1  trust it, as it is now",
      "  2  do not trust it, and do not ask again",
      "1-2, Enter for none > 1",
      "custom/mock from GONG_API_KEY · auto · sandbox: off · session s5",
      "This folder is trusted, as it is now.",
      "> ",
    ],
  )
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"

const nothing = { GONG_API_KEY: undefined, GONG_BASE_URL: undefined, GONG_MODEL: undefined, GONG_API: undefined }

async function open(t: Parameters<typeof openWithModel>[0]) {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  const models = {
    providers: Object.fromEntries(
      ["llamacpp", "lmstudio", "ollama", "vllm"].map((id) => [id, { baseUrl: "http://127.0.0.1:1/v1" }]),
    ),
  }
  program.write({ [`${program.gongHome}/models.json`]: JSON.stringify(models) })
  return program
}

async function talk(
  program: Program,
  typed: readonly string[],
  ...args: readonly string[]
): Promise<readonly unknown[]> {
  const { status, all } = await program.gong(args, { typed, env: nothing })
  return [status, ...program.plain(all).split("\n").slice(1)]
}

test("a conversation without a model offers five choices, and stores the chosen endpoint", async (t) => {
  const program = await open(t)
  const menu = [
    "No model yet. Pick one:",
    "  1  I have an API key            paste it; the provider is recognised (sk-ant-, sk-or-, gsk_, xai-, ...)",
    "  2  Log in                       not in this version yet",
    "  3  A model on this machine      Ollama is not running on 127.0.0.1:PORT  (ollama serve)",
    "  4  Any compatible endpoint      base URL, key, model",
    "  5  Watch the demo",
  ]
  const { all, status } = await program.gong([], {
    typed: ["2", "x", "3", "4", "", "4", "nope", "1", "", ""],
    env: nothing,
  })
  assert.deepEqual(
    [status, ...program.plain(all).split("\n")],
    [
      2,
      ...menu,
      "1-5, Enter exits > 2",
      "Logging in is not in this version yet; an API key works.",
      ...menu,
      "1-5, Enter exits > x",
      "Type a number from 1 to 5, or Enter.",
      "1-5, Enter exits > 3",
      "No model was found on 127.0.0.1:PORT. Start one: ollama serve, then: ollama pull qwen3-coder",
      ...menu,
      "1-5, Enter exits > 4",
      "Base URL, for example http://127.0.0.1:PORT/v1: ",
      ...menu,
      "1-5, Enter exits > 4",
      "Base URL, for example http://127.0.0.1:PORT/v1: nope",
      "gong: nope is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.",
      ...menu,
      "1-5, Enter exits > 1",
      "Key (not shown): ",
      ...menu,
      "1-5, Enter exits > ",
      "",
    ],
  )
  const url = `${program.server.url}/v1`
  const done = await talk(program, ["4", url, "sk-canary-0123456789abcdef", "mock", "hello"])
  assert.deepEqual(done, [
    0,
    ...menu.slice(1),
    "1-5, Enter exits > 4",
    "Base URL, for example http://127.0.0.1:PORT/v1: http://127.0.0.1:PORT/v1",
    "Key (not shown; Enter for none): ",
    "Model: mock",
    "The key for 127.0.0.1:PORT works. It is stored in $GONG/auth.json and sent to http://127.0.0.1:PORT only.",
    "Stored in $GONG/settings.json.",
    "Gong 1.2.3 · $REPO · custom/mock from auth.json · ask · sandbox: off",
    "Reading in $REPO needs no permission; changes need permission. Ctrl+C stops, /undo undoes file changes, /help lists all commands, Ctrl+D exits.",
    "> hello",
    "Fine.",
    "> ",
  ])
  assert.deepEqual(JSON.parse(program.plain(program.read(`${program.gongHome}/settings.json`))), {
    baseUrl: "http://127.0.0.1:PORT/v1",
    model: "mock",
  })
  assert.deepEqual(await talk(program, ["again"]), [0, "> again", "Fine.", "> "])
})

test("a message on the command line is sent before the first line is read", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  const { status, all } = await program.gong(["what", "is", "this?"], { typed: ["/quit"] })
  assert.deepEqual(
    [status, ...program.plain(all).split("\n")],
    [
      0,
      "Gong 1.2.3 · $REPO · custom/mock from GONG_API_KEY · ask · sandbox: off",
      "Reading in $REPO needs no permission; changes need permission. Ctrl+C stops, /undo undoes file changes, /help lists all commands, Ctrl+D exits.",
      "Fine.",
      "> /quit",
      "",
    ],
  )
  const again = await program.gong(["--permission", "auto"], { typed: [] })
  assert.deepEqual(
    program.plain(again.all).split("\n"),
    ["Gong 1.2.3 · $REPO · custom/mock from GONG_API_KEY · auto · sandbox: off", "> "],
    "the help is shown once",
  )
  for (const [level, may] of [
    ["auto", "Edits inside $REPO run without asking; everything else needs permission."],
    ["full", "Everything runs without asking."],
    ["plan", "Nothing in $REPO is changed."],
  ] as const) {
    const fresh = await openWithModel(t)
    const { all: shown } = await fresh.gong(["--permission", level], { typed: [] })
    assert.equal(
      fresh.plain(shown).split("\n").at(1),
      `${may} Ctrl+C stops, /undo undoes file changes, /help lists all commands, Ctrl+D exits.`,
    )
  }
  const refused = await program.gong(["--tools", "hammer"], { typed: [] })
  assert.deepEqual(
    [refused.status, refused.err],
    [
      2,
      'gong: there is no tool "hammer". Available: read, write, edit, bash, grep, find, ls, fetch, todo, ask, task, default, minimal or readonly.\n',
    ],
  )
})

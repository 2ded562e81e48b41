import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"

const all = `export default function (gong) {
  gong.tool({
    name: "weather", description: "The weather", parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
    execute: ({ place }) => "sunny in " + place,
  })
  gong.command({ name: "greet", about: "says hello", value: "WHOM", run: (rest) => "Hello " + rest })
  gong.hook({ tools: ["bash"], beforeToolCall: () => ({ answer: "block", reason: "no bash today" }) })
  gong.command({ name: "Help", about: "is taken", run: () => "never" })
  gong.command({ name: "wonder", about: "asks the model", run: (rest) => ({ prompt: "What is " + rest + "?" }) })
  gong.command({ name: "fails", about: "throws", run: () => { throw new Error("no luck") } })
  gong.command({ name: "asks", about: "asks", run: async (rest, { confirm, line, choose }) => [String(await confirm("Really?")), String(await line("Name: ")), String(await choose("Which?", ["a", "b"]))] })
}
`
const broken = "export default () => { throw new Error('cannot begin') }\n"

const lines = (program: Program, text: string) =>
  program
    .plain(text)
    .replaceAll(/\d+(\.\d+)? s\b/g, "N s")
    .split("\n")

async function notified(program: Program, args: readonly string[]): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args)
  return [status, out, ...lines(program, err)]
}

test("an extension registers a tool, a command and a gate; one that throws is skipped and reported", async (t) => {
  const program = await openWithModel(t, {
    turns: [
      {
        calls: [
          { name: "weather", args: { place: "Rome" } },
          { name: "bash", args: { command: "ls" } },
        ],
      },
      { text: "Sunny." },
    ],
    otherwise: { text: "Fine." },
  })
  program.write({
    [`${program.gongHome}/extensions/all.mjs`]: all,
    [`${program.gongHome}/extensions/broken.mjs`]: broken,
  })
  const doctor = await program.gong(["doctor"])
  assert.deepEqual(
    lines(program, doctor.out).filter((line) => /extension|broken|all\.mjs/.test(line)),
    [
      "extensions all from $GONG/extensions/all.mjs: weather, /greet, /Help, /wonder, /fails, /asks, beforeToolCall",
      "           broken from $GONG/extensions/broken.mjs: not loaded",
      "error: $GONG/extensions/broken.mjs:1: cannot begin. The extension broken is off. Mend it; /reload loads it again.",
      "    at default ($GONG/extensions/broken.mjs:1:30)",
      "collision: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
    ],
  )
  const ran = await program.gong(["-p", "weather?", "--yolo"], { errTerminal: true })
  assert.deepEqual(
    [ran.status, ran.out, lines(program, ran.err)],
    [
      0,
      "Sunny.\n",
      [
        "gong: $GONG/extensions/broken.mjs:1: cannot begin. The extension broken is off. Mend it; /reload loads it again.",
        "    at default ($GONG/extensions/broken.mjs:1:30)",
        "gong: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
        "custom/mock from GONG_API_KEY · full · sandbox: off",
        "weather Rome  N s",
        "bash  N s  refused",
        "gong: bash was refused: no bash today. Nothing was run.",
        "N s · 2 tool calls · cost unknown · gong -c to continue",
        "",
      ],
    ],
  )
  const results = program.server.requests
    .flatMap(({ body }) => (body as { messages: readonly { role: string; content: string }[] }).messages)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content)
  assert.deepEqual(results, ["sunny in Rome", "Refused: no bash today. Nothing was run."])
  assert.deepEqual(await notified(program, ["-p", "/greet all", "-q"]), [
    0,
    "Hello all\n",
    "gong: $GONG/extensions/broken.mjs:1: cannot begin. The extension broken is off. Mend it; /reload loads it again.",
    "    at default ($GONG/extensions/broken.mjs:1:30)",
    "gong: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
    "",
  ])
  assert.deepEqual(await notified(program, ["-p", "/wonder", "-q"]), [
    0,
    "Fine.\n",
    "gong: $GONG/extensions/broken.mjs:1: cannot begin. The extension broken is off. Mend it; /reload loads it again.",
    "    at default ($GONG/extensions/broken.mjs:1:30)",
    "gong: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
    "",
  ])
  assert.deepEqual(await notified(program, ["-p", "/fails", "-q"]), [
    1,
    "",
    "gong: $GONG/extensions/broken.mjs:1: cannot begin. The extension broken is off. Mend it; /reload loads it again.",
    "    at default ($GONG/extensions/broken.mjs:1:30)",
    "gong: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
    "gong: /fails: no luck ($GONG/extensions/all.mjs:10)",
    "",
  ])
  assert.deepEqual(await notified(program, ["-p", "/asks", "-q"]), [
    0,
    "false\nnull\nnull\n",
    "gong: $GONG/extensions/broken.mjs:1: cannot begin. The extension broken is off. Mend it; /reload loads it again.",
    "    at default ($GONG/extensions/broken.mjs:1:30)",
    "gong: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
    "",
  ])
  const talk = await program.gong([], {
    typed: ["/greet you", "/wonder love", "/fails", "/asks", "y", "me", "2", "hi"],
  })
  assert.deepEqual(lines(program, talk.all).slice(2), [
    "    at default ($GONG/extensions/broken.mjs:1:30)",
    "gong: $GONG/extensions/all.mjs: the command /Help is left out: Gong has one of this name. Rename it.",
    "> /greet you",
    "Hello you",
    "> /wonder love",
    "Fine.",
    "> /fails",
    "gong: /fails: no luck ($GONG/extensions/all.mjs:10)",
    "> /asks",
    "Really? [y]es [n]o: y",
    "Name: me",
    "Which?",
    "  1  a",
    "  2  b",
    "1-2, Enter for none > 2",
    "true",
    "me",
    "1",
    "> hi",
    "Fine.",
    "> ",
  ])
})

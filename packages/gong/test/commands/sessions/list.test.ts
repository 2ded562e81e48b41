import assert from "node:assert/strict"
import { test } from "node:test"
import { idsOf, place, printed } from "./three-sessions.ts"

test("gong sessions lists, sums and searches sessions of this and other workspaces", async (t) => {
  const program = await place(t)
  const { length } = await idsOf(program, "--all")
  assert.equal(length, 3)
  assert.deepEqual(await printed(program), [
    0,
    "s2  TIME  lab/big      2 turns  $0.0004  write it",
    "s1  TIME  custom/mock   1 turn       $?  Why is the discount wrong?",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "--all"), [
    0,
    "s3  TIME  lab/big       1 turn  $0.0002  $ROOT/other  a third one",
    "s2  TIME  lab/big      2 turns  $0.0004  $REPO   write it",
    "s1  TIME  custom/mock   1 turn       $?  $REPO   Why is the discount wrong?",
    "",
    "",
  ])
  assert.deepEqual(
    (await printed(program, "stats")).filter((line) => !/^(size|steps)/.test(String(line))),
    [
      0,
      "sessions              3",
      "workspaces            2",
      "your messages         3",
      "turns                 4",
      "tool calls            1",
      "cost           $0.0006+",
      "",
      "By last model: sessions, cost",
      "lab/big      2  $0.0006",
      "custom/mock  1       $?",
      "",
      "",
    ],
  )
  assert.deepEqual(await printed(program, "search", "discount"), [
    0,
    "s2  write it",
    "  E1  TIME  assistant  Written; discount fixed.",
    "s1  Why is the discount wrong?",
    "  E2  TIME  assistant  The discount is subtracted twice.",
    "  E3  TIME  user       Why is the discount wrong?",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "search", "discount", "--all"), [
    0,
    "s3  a third one",
    "  E4  TIME  assistant  Elsewhere: discount.",
    "s2  write it",
    "  E1  TIME  assistant  Written; discount fixed.",
    "s1  Why is the discount wrong?",
    "  E2  TIME  assistant  The discount is subtracted twice.",
    "  E3  TIME  user       Why is the discount wrong?",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "search", "Elsewhere"), [
    0,
    "Nothing found in $REPO (1 found elsewhere: gong sessions search --all Elsewhere).",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "search", "Elsewhere", "--json"), [
    0,
    '{"hits":[],"total":0,"more":false,"unread":0}',
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "search", "nothingofthis"), [
    0,
    "Nothing found in $REPO. --substring also looks inside words.",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "search", "nothingofthis", "--all"), [
    0,
    "Nothing found. --substring also looks inside words.",
    "",
    "",
  ])
  assert.deepEqual(await printed(program, "search", "..."), [
    2,
    "",
    'gong: "..." contains no letter and no digit. --substring finds any characters.\n',
  ])
  const hits = JSON.parse(
    program.plain((await program.gong(["sessions", "search", "subtracted", "--json"])).out),
  ) as Record<string, unknown>
  assert.deepEqual(hits, {
    hits: [
      {
        session: "S1",
        workspace: "$REPO",
        title: "Why is the discount wrong?",
        metadata: null,
        snippet: { text: "The discount is subtracted twice.", marks: [[16, 26]] },
        path: "$GONG/sessions/S1",
        inSession: 1,
        entry: "E2",
        type: "message",
        time: "TIME",
        role: "assistant",
      },
    ],
    total: 1,
    more: false,
    unread: 0,
  })
  assert.deepEqual(
    (await printed(program, "search", "subtr", "--substring")).map((line) =>
      String(line).replace(/\(.* MB\)/, "(N MB)"),
    ),
    [
      "0",
      "s1  E2  TIME  assistant  The discount is subtracted twice.",
      "Read 2 of 2 sessions (N MB) without the index.",
      "",
      "",
    ],
  )
  assert.deepEqual(
    (await printed(program, "search", "Elsewhere", "--substring", "--all")).map((line) =>
      String(line).replace(/\(.* MB\)/, "(N MB)"),
    ),
    ["0", "s3  E4  TIME  assistant  Elsewhere: discount.", "Read 3 of 3 sessions (N MB) without the index.", "", ""],
  )
  assert.deepEqual(
    (await printed(program, "search", "..x..", "--substring")).map((line) =>
      String(line).replace(/\(.* MB\)/, "(N MB)"),
    ),
    ["0", "Nothing found.", "Read 2 of 2 sessions (N MB) without the index.", "", ""],
  )
  assert.deepEqual(
    (await printed(program, "rebuild")).map((line) => String(line).replaceAll(/[\d.]+ (MB|s|ms)/g, "N $1")),
    ["0", "Read N sessions (N MB) in N s.", "", ""],
  )
  assert.deepEqual(await printed(program, "list", "--substring"), [
    2,
    "",
    'gong: --substring works only with "gong sessions search".\n',
  ])
  assert.deepEqual(await printed(program, "show", "x", "--after", "1"), [
    2,
    "",
    'gong: --after works only with "gong sessions show ID --output events".\n',
  ])
})

test("at a terminal the list has the colours of the theme for its background; JSON and a pipe have none", async (t) => {
  const program = await place(t)
  program.write({
    [`${program.gongHome}/settings.json`]: '{"theme": "own"}',
    [`${program.gongHome}/themes/own.json`]: JSON.stringify({
      colors: { match: "#010203" },
      light: { match: "#040506" },
    }),
  })
  const printed = async (args: readonly string[], env: Readonly<Record<string, string>>, terminal = true) => {
    const { out } = await program.gong(["sessions", ...args], {
      terminal,
      env: { TERM: "xterm-256color", COLORTERM: "truecolor", ...env },
    })
    return [out.includes("38;2;1;2;3"), out.includes("38;2;4;5;6")]
  }
  const search = ["search", "discount"]
  assert.deepEqual(await printed(search, {}), [true, false])
  assert.deepEqual(await printed(search, { COLORFGBG: "15;0" }), [true, false])
  assert.deepEqual(await printed(search, { COLORFGBG: "0;15" }), [false, true])
  assert.deepEqual(await printed(search, {}, false), [false, false])
  assert.deepEqual(await printed([...search, "--json"], {}), [false, false])
})

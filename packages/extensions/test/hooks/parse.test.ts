import { inEnglish } from "@gong/testing/in-english"
import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import { hookEventKinds } from "../../src/hooks/kinds.ts"
import { nameOf, parseHooks } from "../../src/hooks/parse.ts"

const check = { type: "command", command: "check" }

/** The parsed `hooks` of a file; locations are paths inside it. */
function read(hooks: unknown) {
  return parseHooks({ path: "/w/hooks.json", hooks, locationOf: async (path) => path.join(".") })
}

/** The only problem of one hook. */
async function problemOf(hook: unknown) {
  const { commands, problems } = await read({ Stop: [{ hooks: [hook] }] })
  assert.deepEqual(commands, [])
  assert.equal(problems.length, 1)
  assert.equal(problems[0]?.at, "Stop.0.hooks.0")
  return englishOf(problems[0]?.text ?? "")
}

test("each event accepts commands, with or without a matcher and a timeout", async () => {
  for (const kind of hookEventKinds) {
    const { commands, problems } = await read({ [kind]: [{ hooks: [check] }] })
    assert.deepEqual(inEnglish(problems), [])
    const wanted = { kind, matcher: "*", command: "check", timeMs: 60_000, from: "/w/hooks.json" }
    assert.deepEqual(
      commands.map(({ isMeant: _, ...rest }) => rest),
      [wanted],
    )
  }
  const { commands } = await read({
    PreToolUse: [
      { matcher: "Bash", hooks: [check, { ...check, timeout: 0.5 }] },
      { matcher: "", hooks: [{ ...check, timeout: 600 }] },
    ],
  })
  assert.deepEqual(
    commands.map(({ matcher, timeMs }) => [matcher, timeMs]),
    [
      ["Bash", 60_000],
      ["Bash", 500],
      ["", 600_000],
    ],
  )
})

test("invalid entries are skipped and reported with their location; the rest works", async () => {
  assert.match(await problemOf("check"), /^a hook is /)
  assert.match(await problemOf({ command: "check" }), /works in this version, not nothing\.$/)
  assert.match(await problemOf({ ...check, type: "http" }), /works in this version, not "http"\.$/)
  for (const command of [undefined, 7, "", "  "]) assert.match(await problemOf({ ...check, command }), /"command" must/)
  assert.match(await problemOf({ ...check, if: "Bash(git *)" }), /^"if" does not work/)
  for (const timeout of ["5", 0, -1, 600.1, null]) assert.match(await problemOf({ ...check, timeout }), /up to 600\.$/)

  const { commands, problems } = await read({
    Stop: [{ hooks: ["check", check] }, { matcher: "(", hooks: [check] }, { matcher: 7, hooks: [check] }, check, null],
    Never: [],
    SessionEnd: {},
    SessionStart: [{ hooks: [check] }],
  })
  assert.deepEqual(
    commands.map(({ kind }) => kind),
    ["Stop", "SessionStart"],
  )
  assert.deepEqual(
    problems.map(({ at }) => at),
    ["Stop.0.hooks.0", "Stop.1.matcher", "Stop.2.matcher", "Stop.3", "Stop.4", "Never", "SessionEnd"],
  )
  for (const [at, printed] of [
    /^a hook is/,
    /regular expression: "\("/,
    /must be text/,
    /each entry of "Stop"/,
    /each entry of "Stop"/,
    /no hook event "Never".* PreToolUse, /,
    /"SessionEnd" must be a list/,
  ].entries())
    assert.match(englishOf(problems[at]?.text ?? ""), printed)
  for (const odd of [null, [], "x"]) {
    const all = await read(odd)
    assert.deepEqual([all.commands, all.problems.map(({ at }) => at)], [[], [""]])
    assert.match(englishOf(all.problems[0]?.text ?? ""), /^"hooks" must be an object/)
  }
})

test("a hundred hooks per file are read, across several groups; each further one is reported", async () => {
  const many = (count: number) => ({ hooks: Array.from({ length: count }, () => check) })
  assert.deepEqual((await read({ Stop: [many(60), many(40)] })).problems, [])
  const { commands, problems } = await read({ Stop: [many(60), many(42)] })
  assert.equal(commands.length, 100)
  assert.deepEqual(inEnglish(problems), [
    { at: "Stop.1.hooks.40", text: "more than 100 hooks." },
    { at: "Stop.1.hooks.41", text: "more than 100 hooks." },
  ])
})

test("a hook's display name is its event, its matcher and the first 57 characters of its command", () => {
  const named = (command: string, matcher: string) =>
    nameOf({ kind: "Stop", matcher, isMeant: () => true, command, timeMs: 1, from: "/w/hooks.json" })
  assert.equal(named("check", "*"), "Stop (check)")
  assert.equal(named("check", ""), "Stop (check)")
  assert.equal(named("check", "Bash"), "Stop Bash (check)")
  assert.equal(named("x".repeat(60), "*"), `Stop (${"x".repeat(60)})`)
  assert.equal(named("x".repeat(61), "*"), `Stop (${"x".repeat(57)}...)`)
})

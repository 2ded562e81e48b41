import assert from "node:assert/strict"
import { test } from "node:test"
import type { EntryBody } from "@gong/spec"
import { input, reply, result, user } from "../world.ts"
import { foundBy, testHome } from "./home.ts"

function toolText(text: string): EntryBody & { type: "message" } {
  const body = result("c1")
  assert.ok(body.message.role === "tool")
  return { ...body, message: { ...body.message, content: [{ type: "text", text }] } }
}

/** Matches and non-matches of each query in a text. */
const cases: readonly (readonly [text: string, finds: readonly string[], not: readonly string[]])[] = [
  ["修复会话搜索的错误", ["会话", "话搜", "修复会话搜索的错误", "错误 修复", '"搜索的"'], ["话会", '"搜索修复"']],
  ["テストが失敗した、ファイル", ["テスト", "失敗", "ファイ"], ["ルイ"]],
  ["세션을 검색한다", ["세션", "검색", "색한"], ["션세"]],
  ["calls parseArgsOf(x)", ["parseArgsOf", "parseargsof", "args", "parse of", "parseAr", "calls"], ["rseArgs", "pa"]],
  [
    "HTTPServer and sha256 and utf8Decoder",
    ["httpserver", "server", "sha256", "256", "sha", "decoder", "utf8"],
    ["56"],
  ],
  ["max_line_length = 80", ["max_line_length", "line", "max_line", "leng", "80"], ["ine"]],
  ["Café naïve", ["cafe", "naive", "CAFÉ"], ["caf\u00e9teria"]],
  ["commit 3fa4b2c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3", ["3fa4b2c", "3fa4b2c9d8e7f6a5"], ["b2c9"]],
  ["the quick brown fox", ["quick fox", '"quick brown"', "qui", "THE", "fox the"], ['"quick fox"', "quick cat", "ui"]],
]

test("[TAPE-SEARCH.5] words, parts of identifiers, beginnings, and any two Chinese, Japanese or Korean characters", (t) => {
  const home = testHome(t)
  const tape = home.make("s1")
  const index = home.index()
  for (const [text, finds, not] of cases) {
    const [entry] = tape.append([toolText(text)], { sync: false })
    index.catchUp()
    for (const question of finds) {
      assert.deepEqual(foundBy(index, question), [`s1/${entry?.id}`], `${question} finds ${text}`)
    }
    for (const question of not) {
      assert.ok(!foundBy(index, question).includes(`s1/${entry?.id}`), `${question} does not find ${text}`)
    }
  }
})

test("[TAPE-SEARCH.1] [TAPE-SEARCH.2] a hit is the whole entry from the file, with where it is and the place marked", (t) => {
  const home = testHome(t)
  const tape = home.make("s1", "/w/shop")
  const [asked] = tape.append([input("Fix the discount")], { sync: true })
  tape.append([user("Fix the discount", asked?.id)], { sync: true })
  const [printed] = tape.append([reply("The discount is\n\nsubtracted twice", ["c1"])], { sync: true })
  tape.append([{ type: "session_info", name: "shop work" }], { sync: false })
  const index = home.index()
  index.catchUp()
  const found = index.search("discount subtr")
  assert.equal(found?.total, 1)
  const [hit] = found?.hits ?? []
  assert.deepEqual(hit?.entry, printed)
  assert.deepEqual(
    [hit?.session, hit?.workspace, hit?.title, hit?.path],
    ["s1", "/w/shop", "shop work", `${home.sessions}/s1`],
  )
  const { text = "", marks = [] } = hit?.snippet ?? {}
  assert.equal(text, "The discount is subtracted twice read c1")
  assert.deepEqual(
    marks.map(([from, to]) => text.slice(from, to)),
    ["discount", "subtr"],
  )
  assert.deepEqual(foundBy(index, "fix"), [`s1/${asked?.id}`], "an accepted message is found once")
  assert.deepEqual(index.search("nowhere"), { hits: [], total: 0, more: false, stale: [] })
})

test("[TAPE-SEARCH.3] nothing that a person types is a syntax error", (t) => {
  const home = testHome(t)
  const tape = home.make("s1")
  const [entry] = tape.append([user('say "hello" AND (world) OR body:x NEAR/3 a* ^b -c')], { sync: false })
  const index = home.index()
  index.catchUp()
  const odd = [
    '"',
    '""',
    "*",
    "AND",
    "hello AND world",
    "NEAR(hello world)",
    "body:x",
    "-c",
    "^b",
    "a*",
    "(",
    "{body}:",
    "';--",
  ]
  const long = ["x ".repeat(5000), "\0", "hello\0world", "😀", "“hello”", '"hello', "hello\ud800", "+", "\\"]
  for (const question of [...odd, ...long]) assert.doesNotThrow(() => index.search(question), question)
  for (const question of ["hello AND world", '"hello', "“hello”", "body:x", "-c ^b"]) {
    assert.deepEqual(foundBy(index, question), [`s1/${entry?.id}`], question)
  }
  for (const question of ["", "  ", '"', "*", "😀", "(-)"]) assert.equal(index.search(question), null, question)
})

test("[TAPE-SEARCH.4] metadata of an extension is found with its message, unchanged", (t) => {
  const home = testHome(t)
  const tape = home.make("s1")
  const details = { ticket: 7, tags: ["修复", "a\nb"], deep: { empty: null } }
  const content = [{ type: "text" as const, text: "noted" }]
  const [entry] = tape.append([{ type: "custom_message", customType: "note", content, display: true, details }], {
    sync: false,
  })
  const index = home.index()
  index.catchUp()
  const [hit] = index.search("noted")?.hits ?? []
  assert.deepEqual([hit?.metadata, hit?.entry], [details, entry])
})

test("all that can be found: answers, thoughts, arguments of calls, results, failures, changed files, names, summaries", (t) => {
  const home = testHome(t)
  const tape = home.make("s1")
  const say = reply("answerword", [], 0)
  assert.ok(say.message.role === "assistant")
  const call = {
    type: "tool_call" as const,
    id: "c1",
    name: "bash",
    arguments: { command: "ls\nargumentword", deep: [{ a: "deepword" }] },
  }
  const content = [...say.message.content, { type: "thinking" as const, text: "thoughtword" }, call]
  const failure = { kind: "network" as const, message: "failureword", retryable: true }
  tape.append(
    [
      { ...say, message: { ...say.message, content } },
      toolText("resultword"),
      { type: "run_end", status: "failed", turns: 1, failure },
      { type: "change", callId: "c1", path: "src/pathword.ts", before: null, after: "0" },
      { type: "session_info", name: "nameword" },
      { type: "compaction", summary: "summaryword", firstKeptEntryId: "x", tokensBefore: 1 },
      { type: "label", targetId: "x", label: "labelword" },
    ],
    { sync: false },
  )
  const index = home.index()
  index.catchUp()
  for (const word of ["answer", "thought", "argument", "deep", "result", "failure", "path", "name", "summary", "label"])
    assert.equal(foundBy(index, `${word}word`).length, 1, word)
  assert.equal(foundBy(index, "c1").length, 0, "ids are no words")
})

test("the best come first, at most three of one session, at most as many as asked for; one workspace or all", (t) => {
  const home = testHome(t)
  const [a, b] = [home.make("a", "/w/a"), home.make("b", "/w/b")]
  for (let n = 0; n < 10; n++) a.append([toolText(`needle ${"hay ".repeat(50)}`)], { sync: false })
  const [best] = b.append([toolText("needle needle")], { sync: false })
  const index = home.index()
  index.catchUp()
  const found = index.search("needle")
  assert.deepEqual([found?.total, found?.more, found?.hits.length], [11, false, 4])
  assert.deepEqual(
    found?.hits.map(({ session, inSession }) => [session, inSession]),
    [
      ["b", 1],
      ["a", 10],
      ["a", 10],
      ["a", 10],
    ],
  )
  assert.equal(found?.hits[0]?.entry.id, best?.id)
  assert.deepEqual(index.search("needle", { limit: 2 })?.hits.length, 2)
  assert.deepEqual(index.search("needle", { workspace: "/w/a" })?.total, 10)
  assert.deepEqual(index.search("needle", { workspace: "/w/c" })?.hits, [])
})

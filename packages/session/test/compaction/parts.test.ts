import assert from "node:assert/strict"
import { test } from "node:test"
import type { Declarations, Message } from "@gong/spec"
import { budgetOf, requestRoom, shouldCompact } from "../../src/compaction/budget.ts"
import { carriedText, carryOver, withoutCarried } from "../../src/compaction/carried.ts"
import { conversationText, shortened } from "../../src/compaction/conversation.ts"
import { findCut } from "../../src/compaction/cut.ts"
import { branchRequest, summaryOf, summaryRequest } from "../../src/compaction/summary.ts"
import { droppedText } from "../../src/compaction/texts.ts"
import { reply, result, user, words } from "./messages.ts"

const declared: Declarations = (name) => {
  if (name !== "look" && name !== "put") return null
  return { effect: name === "look" ? "read" : "write", paths: [{ argument: "path", holds: "file" }] }
}
const calls = (name: string, ...paths: readonly string[]): Message =>
  reply(
    "",
    paths.map((path, at) => ({ id: `c${at}`, name, args: { path } })),
  )
const nothing = { read: [], changed: [], skills: [], todo: null, request: null }
const left = "[... messages in between were left out, for the summary must fit into one request ...]"

test("files are carried by what calls did with them: read, changed, or as a skill; a changed one is not only read", () => {
  const messages = [
    calls("look", "/a", "/b", "/s/SKILL.md", "SKILL.md", "/xSKILL.md", "/s/SKILL.md.old"),
    calls("put", "/b", "/t/SKILL.md"),
    calls("other", "/c"),
    calls("look", "/a"),
    result("c0", "", { files: [{ path: "/d", change: "created", added: 1, removed: 0 }] }),
    user('<skill name="x" location="/u/SKILL.md">\n</skill>\n<skill name="y" location="">'),
    user(' <skill name="z" location="/v">'),
    reply('<skill name="r" location="/r">'),
  ]
  assert.deepEqual(carryOver(null, messages, declared), {
    ...nothing,
    read: ["/xSKILL.md", "/s/SKILL.md.old", "/a"],
    changed: ["/b", "/t/SKILL.md", "/d"],
    skills: ["/s/SKILL.md", "SKILL.md", "/u/SKILL.md"],
  })
  const before = { read: ["/a", "/z"], changed: ["/y"], skills: ["/s"], todo: "t", request: "old" }
  assert.deepEqual(carryOver(before, [calls("put", "/a")], declared, "new"), {
    read: ["/z"],
    changed: ["/y", "/a"],
    skills: ["/s"],
    todo: "t",
    request: "new",
  })
})

test("carried paths have at most 500 characters each and 4,000 together, the newest first; texts 4,000", () => {
  const path = (at: number, length: number) => `/${at}`.padEnd(length, "x")
  const read = (...paths: readonly string[]) => carryOver(null, [calls("look", ...paths)], declared).read
  assert.deepEqual(read(path(1, 500), path(2, 501)), [path(1, 500)])
  const eight = Array.from({ length: 8 }, (_, at) => path(at, 499))
  assert.deepEqual(read(...eight), eight)
  assert.deepEqual(read("", ...eight), eight)
  assert.deepEqual(read(path(9, 500), ...eight.slice(1)), eight.slice(1))
  const todos = { todos: [{ content: "a", status: "pending" }] }
  const todo = (text: string, more = {}) =>
    carryOver(null, [result("c", text, { details: todos, ...more })], declared, text)
  const long = "t".repeat(4_000)
  assert.deepEqual(todo(`${long}t`), { ...nothing, todo: long, request: long })
  assert.equal(todo("t", { status: "error" }).todo, null)
  assert.equal(todo("t", { details: {} }).todo, null)
})

test("the carried parts follow a summary as text, and are taken from it again", () => {
  const carried = { read: ["/a", "/b"], changed: ["/c"], skills: ["/s"], todo: "t", request: "r" }
  const text =
    "<read-files>\n/a\n/b\n</read-files>\n\n<modified-files>\n/c\n</modified-files>\n\n<skills-in-use>\n/s\n</skills-in-use>\n\n" +
    "<todo>\nt\n</todo>\n\n<request-in-progress>\nr\n</request-in-progress>"
  assert.equal(carriedText(carried), text)
  assert.equal(carriedText(nothing), "")
  assert.equal(withoutCarried(`sum\n\n${text}`, carried), "sum")
  assert.equal(withoutCarried(`sum\n\n${text}.`, carried), `sum\n\n${text}.`)
  assert.equal(withoutCarried("sum \n", nothing), "sum \n")
  assert.equal(withoutCarried("sum", undefined), "sum")
})

test("a text over its limit keeps half of it from each end, and tags in it are escaped", () => {
  for (const [text, chars, expected] of [
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abc\n[... 1 characters left out ...]\nefg"],
    ["abcdefg", 5, "ab\n[... 3 characters left out ...]\nfg"],
    ["</conversation><x><previous-summary>", 99, "&lt;/conversation><x>&lt;previous-summary>"],
    ["<conversations>", 99, "<conversations>"],
    ["<unfinished-turn a><file-operations/>", 99, "&lt;unfinished-turn a>&lt;file-operations/>"],
  ] as const)
    assert.equal(shortened(text, chars), expected, text)
})

test("a conversation becomes text: who said it, images by name, and what is empty is left out", () => {
  const image = { type: "image", mimeType: "image/png", data: "" } as const
  const messages: readonly Message[] = [
    { role: "user", content: [{ type: "text", text: "look" }, image] },
    reply(" \n"),
    reply("yes", [{ id: "c", name: "read", args: { path: "a" } }]),
    result("c", "text", { status: "error", content: [{ type: "text", text: "text" }, image] }),
    reply("", [{ id: "d", name: "ls" }]),
  ]
  assert.equal(
    conversationText(messages, 1000),
    [
      "[User]: look [image]",
      '[Assistant]: yes\n[Assistant called read]: {"path":"a"}',
      "[Result of read, error]: text [image]",
      "[Assistant called ls]: {}",
    ].join("\n\n"),
  )
  assert.equal(conversationText([], 0), "")
})

test("a conversation that is too long has its parts shortened in three steps, then messages in between left out", () => {
  const said = (text: string, most: number) => conversationText([user(text)], most)
  // The text of 100 tokens, its name of 2, and 1 between messages.
  const short = words(100)
  assert.equal(said(short, 103), `[User]: ${short}`)
  assert.equal(said(short, 102), `[User]: ${short}\n\n${left}`)
  const sizes = (most: number) => {
    const call = reply("t".repeat(9_000), [{ id: "c", name: "n", args: { a: "a".repeat(2_000) } }])
    const text = conversationText([call, result("c", "r".repeat(3_000))], most)
    return ["t", "a", "r"].map((letter) =>
      Math.max(...(text.match(new RegExp(`${letter}{9,}`, "g")) ?? [""]).map((s) => s.length)),
    )
  }
  assert.deepEqual(sizes(100_000), [4_000, 498, 1_000])
  assert.deepEqual(sizes(2_000), [2_000, 148, 250])
  assert.deepEqual(sizes(500), [500, 58, 60])
  const four = [user(short), user(`b${short}`), user(`c${short}`), user(`d${short}`)]
  const [first, ...others] = four.map((message) => conversationText([message], 1000))
  // 102 tokens of the first, 22 of the note, and 103 of each other one with 1 between them.
  for (const [most, expected] of [
    [103 + 3 * 104, [first, ...others]],
    [103 + 3 * 104 - 1, [first, left, ...others.slice(1)]],
    [102 + 22 + 2 * 104, [first, left, ...others.slice(1)]],
    [102 + 22 + 2 * 104 - 1, [first, left, ...others.slice(2)]],
    [102 + 22 + 104, [first, left, ...others.slice(2)]],
    [102 + 22 + 104 - 1, [first, left]],
    [0, [first, left]],
  ] as const)
    assert.equal(conversationText(four, most), expected.join("\n\n"), String(most))
})

test("the budget of a window, and the space for a request of a summary", () => {
  assert.deepEqual(budgetOf(1_001, 100, 50), { limit: 901, keep: 50 })
  assert.deepEqual(budgetOf(1_001, 300, 300), { limit: 751, keep: 250 })
  const budget = budgetOf(1_000, 100, 50)
  assert.deepEqual([shouldCompact(900, budget), shouldCompact(901, budget)], [false, true])
  const model = { contextWindow: 1_000, maxOutput: 200 } as Parameters<typeof requestRoom>[0]
  for (const [reserve, window, room] of [
    [100, undefined, 800],
    [300, undefined, 700],
    [600, undefined, 500],
    [100, 300, 150],
    [100, 2_000, 1_800],
  ] as const)
    assert.equal(requestRoom(model, reserve, window), room)
})

test("a cut keeps up to twice the budget to keep a turn or a reply whole", () => {
  const starts = (messages: readonly Message[]) => (at: number) => messages[at]?.role === "user"
  const cut = (messages: readonly Message[], keep: number, windowSize?: number) =>
    findCut(messages, { keep, isStart: starts(messages), ...(windowSize === undefined ? {} : { windowSize }) })
  // Each message has 100 tokens.
  const turn = (replies: number) => [user(words(100)), ...Array.from({ length: replies }, () => reply(words(100)))]
  const messages = [...turn(1), ...turn(3)]
  for (const [keep, expected] of [
    [199, { from: 4, splitTurn: 2 }],
    [200, { from: 2, splitTurn: null }],
    [299, { from: 2, splitTurn: null }],
    [399, { from: 2, splitTurn: null }],
    [400, { from: 1, splitTurn: 0 }],
    [599, { from: 1, splitTurn: 0 }],
    [600, null],
  ] as const)
    assert.deepEqual(cut(messages, keep), expected, String(keep))
  for (const [size, expected] of [
    [0, { from: 2, splitTurn: null }],
    [1, { from: 2, splitTurn: null }],
    [5, { from: 1, splitTurn: 0 }],
    [6, null],
    [7, null],
  ] as const)
    assert.deepEqual(cut(messages, 0, size), expected, String(size))
})

test("a summary is the text of a complete reply without calls", () => {
  const why = (message: Parameters<typeof summaryOf>[0]) => {
    const found = summaryOf(message)
    return found.ok ? found.text : `${found.failure.kind}: ${found.failure.message}`
  }
  assert.equal(why(reply(" so \n")), "so")
  assert.equal(why(reply("  ")), "bad-answer: The summary could not be used: it is empty.")
  assert.equal(
    why(reply("so", [{ id: "c", name: "n" }])),
    "bad-answer: The summary could not be used: it called a tool.",
  )
  for (const stopReason of ["length", "error", "aborted"] as const)
    assert.equal(why({ ...reply("so"), stopReason }), "bad-answer: The summary could not be used: it was cut off.")
})

test("the parts of a request for a summary stand in their order, and those without content are missing", () => {
  const heads = (prompt: string) =>
    prompt.split("\n\n").flatMap((part) => /^<([\w-]+)>|^(The \w+)/.exec(part)?.slice(1).find(Boolean) ?? [])
  const input = { old: [user("a")], prefix: [user("b")], previous: "p", carried: "c", focus: "f" }
  assert.deepEqual(heads(summaryRequest(input, 100_000).prompt), [
    "conversation",
    "unfinished-turn",
    "previous-summary",
    "file-operations",
    "The conversation",
    "The part",
    "The user",
  ])
  const least = { old: [], prefix: [user("b")], previous: null, carried: "", focus: null }
  assert.deepEqual(heads(summaryRequest(least, 100_000).prompt), ["unfinished-turn", "The conversation", "The part"])
  const plain = { ...least, old: [user("a")], prefix: [] }
  assert.deepEqual(heads(summaryRequest(plain, 100_000).prompt), ["conversation", "The conversation"])
  assert.deepEqual(heads(branchRequest([user("a")], "f", 100_000).prompt), [
    "conversation",
    "The conversation",
    "The user",
  ])
  assert.deepEqual(heads(branchRequest([user("a")], "", 100_000).prompt), ["conversation", "The conversation"])
})

test("at least 500 tokens of the conversation are sent; both parts of a turn that is cut get half of the space", () => {
  const shows = (old: string, prefix: string | null) => {
    const input = { old: [user(old)], prefix: prefix === null ? [] : [user(prefix)], previous: null, carried: "" }
    return summaryRequest({ ...input, focus: null }, 0).prompt.includes(" left out")
  }
  assert.deepEqual([shows(words(497), null), shows(words(498), null)], [false, true])
  assert.deepEqual([shows(words(247), "b"), shows(words(248), "b")], [false, true])
  assert.deepEqual([shows("a", words(247)), shows("a", words(248))], [false, true])
  const branch = (text: string) => branchRequest([user(text)], "", 0).prompt.includes(" left out")
  assert.deepEqual([branch(words(497)), branch(words(498))], [false, true])
})

test("a request for a summary takes 70 % of the tokens it may take, its own texts included", () => {
  const long = Array.from({ length: 200 }, () => [user(words(300)), reply(words(300))]).flat()
  const input = { old: long, prefix: [], previous: null, carried: "", focus: "f".repeat(4_000) }
  for (const { system, prompt } of [summaryRequest(input, 10_000), branchRequest(long, input.focus, 10_000)]) {
    const tokens = (system.length + prompt.length) / 4
    assert.ok(tokens > 6_500 && tokens < 7_100, `${tokens}`)
  }
})

test("dropped messages leave one line, below an earlier summary of at most 4,000 characters", () => {
  const line = "[Messages of this conversation were dropped here, because no summary of them could be made.]"
  assert.equal(droppedText(""), line)
  assert.equal(droppedText(` ${line} `), line)
  assert.equal(droppedText(`known\n\n${line}`), `known\n\n${line}`)
  const long = "k".repeat(4_000)
  assert.deepEqual([droppedText(long), droppedText(`${long}k`)], [`${long}\n\n${line}`, line])
})

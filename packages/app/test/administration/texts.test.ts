import assert from "node:assert/strict"
import { test } from "node:test"
import { english } from "@gong/texts/translator"
import { trustQuestion, trustSummary } from "../../src/administration/trust/texts.ts"
import type { FolderTrust } from "../../src/administration/trust/folder-trust.ts"
import { compactionUndoneText, redoneText, undoneText } from "../../src/administration/undo-texts.ts"

const id = "0190a000-0000-7000-8000-00000000abcd"

test("the result of an undo names each file with what happened to it", () => {
  const nothing = { restored: [], merged: [], kept: [], lost: [], cut: null, failed: 0 }
  const text = (more: object) => undoneText(english, id, { ...nothing, ...more } as Parameters<typeof undoneText>[2])
  assert.match(text({}), /^Session \w+ has no file changes to undo\.\n$/)
  assert.equal(
    text({
      restored: ["a"],
      merged: ["b"],
      kept: [{ path: "c", reason: "it changed" }],
      lost: ["d"],
      cut: "after 0.3 s",
    }),
    [
      "restored  a",
      "restored  b, with later changes by others",
      "skipped   c: it changed",
      "not restorable: d (changed by a command; no earlier copy)",
      "not detected: changes by commands in other files (after 0.3 s)",
      "",
    ].join("\n"),
  )
  for (const more of [{ restored: ["a"] }, { merged: ["a"] }, { kept: [{ path: "a", reason: "r" }] }, { lost: ["a"] }])
    assert.doesNotMatch(text(more), /no file changes/, Object.keys(more).join())
  assert.equal(redoneText(english, { restored: [], kept: [] }), "There is no undo to redo.\n")
  assert.equal(
    redoneText(english, { restored: ["a"], kept: [{ path: "b", reason: "r" }] }),
    "repeated  a\nskipped   b: r\n",
  )
  assert.equal(redoneText(english, { restored: [], kept: [{ path: "b", reason: "r" }] }), "skipped   b: r\n")
})

test("the undo of a compaction counts the messages that are no longer part of the conversation", () => {
  const text = (left: number) =>
    compactionUndoneText(english, id, { undone: { tokensBefore: 123 }, left, leaf: "LEAF" } as never).split("\n")
  assert.match(compactionUndoneText(english, id, null), /^Session \w+ has no compaction to undo\.\n$/)
  const first = "The conversation is restored: 123 tokens, as before the compaction."
  assert.deepEqual(text(0), [first, ""])
  assert.match(text(1)[1] ?? "", /^1 later message is no longer part of it; gong sessions fork \w+ LEAF continues with/)
  assert.match(text(2)[1] ?? "", /^2 later messages are no longer part of it; gong sessions fork \w+ LEAF continues/)
})

const folder = (more: object, content: object = {}): FolderTrust =>
  ({
    state: "undecided",
    changed: [],
    decided: undefined,
    content: { root: "/w", summary: "1 hook", count: 1, tooLarge: false, files: new Map(), ...content },
    ...more,
  }) as unknown as FolderTrust

test("the state of a folder in one line, for one item and for several", () => {
  const summary = (more: object, content: object = {}) => trustSummary(english, folder(more, content))
  const two = { count: 2, summary: "2 hooks" }
  for (const [more, content, text] of [
    [{}, { tooLarge: true }, "/w has too much active content to check; none of it is loaded."],
    [{ state: "nothing" }, {}, "/w has no active content."],
    [{}, {}, "/w contains 1 hook, which is not loaded: there is no trust decision yet."],
    [{}, two, "/w contains 2 hooks, which are not loaded: there is no trust decision yet."],
    [{ state: "trusted" }, {}, "/w is trusted: 1 hook is loaded."],
    [{ state: "trusted" }, two, "/w is trusted: 2 hooks are loaded."],
    [
      { state: "changed", changed: ["a", "b"] },
      {},
      "/w was trusted, but a and 1 more changed since then: its active content is not loaded.",
    ],
    [{ state: "refused" }, {}, "/w is not trusted: its active content is not loaded."],
    [{ state: "refused", decided: { trusted: false } }, {}, "/w is not trusted: its active content is not loaded."],
    [
      { state: "refused", decided: { trusted: true }, changed: ["a"] },
      {},
      "/w was trusted, but you refused later changes (a): its active content is not loaded.",
    ],
  ] as const)
    assert.equal(summary(more, content), text)
})

test("the question about a folder names up to eight files, or the changed ones with their lines", () => {
  const files = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`f${at}`, ""]))
  const first = (count: number) => trustQuestion(english, folder({}, { files: files(count) }), [])
  assert.equal(first(2), "This folder contains 1 hook: f0, f1.")
  assert.equal(first(8), "This folder contains 1 hook: f0, f1, f2, f3, f4, f5, f6, f7.")
  assert.equal(first(10), "This folder contains 1 hook: f0, f1, f2, f3, f4, f5, f6, f7, 2 more.")
  const changed = (names: readonly string[], ...counts: readonly (number | null)[]) =>
    trustQuestion(
      english,
      folder({ state: "changed", changed: names }),
      counts.map((count) => ({ path: "", status: "changed", lines: [], changed: count })),
    )
  assert.equal(changed(["a"], 1), "a changed since you trusted it (1 line).")
  assert.equal(changed(["a"], 3), "a changed since you trusted it (3 lines).")
  assert.equal(changed(["a"], null), "a changed since you trusted it.")
  assert.equal(changed(["a", "b"], 1, 2), "a and 1 more changed since you trusted them (3 lines).")
  assert.equal(changed(["a", "b"], 1, null), "a and 1 more changed since you trusted them.")
})

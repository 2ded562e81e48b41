import assert from "node:assert/strict"
import { test } from "node:test"
import { english } from "@gong/texts/translator"
import type { SessionOutcome } from "../../src/sessions/outcome.ts"
import { sessionsJson, sessionsSummary } from "../../src/sessions/summary.ts"

const outcome = (more: Partial<SessionOutcome> = {}): SessionOutcome => ({
  state: "import",
  id: "id",
  file: "/home/ann/.x/file.jsonl",
  cwd: "/home/ann/repo",
  title: "A title",
  created: "2026-11-01T10:00:00.000Z",
  untaken: {},
  reason: null,
  messages: 2,
  calls: 1,
  images: 0,
  branches: 0,
  ...more,
})

const linesOf = (done: readonly SessionOutcome[], dry = false): readonly string[] =>
  sessionsSummary(english, done, { dry, userHome: "/home/ann" }).split("\n")

test("imported, present and skipped conversations are listed with the kinds of content that were left out", () => {
  const done = [
    outcome({ untaken: { thinking: 2, snapshot: 3 } }),
    outcome({ images: 1, branches: 2, untaken: { thinking: 1 }, title: null, cwd: null, created: null }),
    outcome({ state: "present", created: "1970-01-01T00:00:00.000Z", untaken: { other: 9 } }),
    outcome({ state: "skipped", reason: "empty" }),
    outcome({ state: "skipped", reason: "sub-agent" }),
    outcome({ state: "skipped", reason: "invalid" }),
    outcome({ state: "skipped", reason: "unreadable", file: "/elsewhere/file" }),
  ]
  assert.deepEqual(linesOf(done), [
    "imported (2)",
    "  2026-11-01  ~/repo  A title  2 msg 1 calls",
    "  -           -       -        2 msg 1 calls 1 img 2 br",
    "",
    "already present (1)",
    "  -  ~/repo  A title  2 msg 1 calls",
    "",
    "not imported (4)",
    "  ~/.x/file.jsonl  no messages",
    "  ~/.x/file.jsonl  of a sub-agent",
    "  ~/.x/file.jsonl  no conversation",
    "  /elsewhere/file  unreadable or too large",
    "",
    "not taken of them",
    "  3  thinking",
    "  3  snapshot",
    "",
    "gong sessions --all lists them; gong --session ID continues one.",
    "",
  ])
})

test("kinds of content that were left out are listed by their number, largest first", () => {
  const lines = linesOf([outcome({ untaken: { few: 1, many: 12, some: 3 } })])
  assert.deepEqual(lines.slice(3, 7), ["not taken of them", "  12  many", "   3  some", "   1  few"])
})

test("a dry run says what would be imported; without an import nothing was written", () => {
  assert.deepEqual(linesOf([outcome()], true), [
    "would be imported (1)",
    "  2026-11-01  ~/repo  A title  2 msg 1 calls",
    "",
    "Nothing was written (--dry-run).",
    "",
  ])
  assert.deepEqual(linesOf([outcome({ state: "present" })]).slice(-2), ["Nothing was written.", ""])
  assert.deepEqual(linesOf([]), ["Nothing was written.", ""])
})

test("each part lists 50 conversations; the rest is counted", () => {
  const many = (count: number) => linesOf(Array.from({ length: count }, () => outcome()))
  assert.deepEqual([many(50).length, many(50)[51]], [54, ""])
  assert.deepEqual([many(52).length, many(52)[0], many(52)[51]], [55, "imported (52)", "  2 more"])
})

test("of a long folder the end is shown in 30 columns, of a long file in 64, of a title the beginning in 34", () => {
  const of = (length: number) => `/${"x".repeat(length - 2)}y`
  const row = (more: Partial<SessionOutcome>) => (linesOf([outcome(more)])[1] ?? "").split(/ {2,}/)
  assert.equal(row({ cwd: of(30) })[2], of(30))
  assert.equal(row({ cwd: of(31) })[2], `...${"x".repeat(26)}y`)
  const skipped = (file: string) => row({ state: "skipped", reason: "empty", file })[1]
  assert.equal(skipped(of(64)), of(64))
  assert.equal(skipped(of(65)), `...${"x".repeat(60)}y`)
  assert.equal(row({ title: "t".repeat(34) })[3], "t".repeat(34))
  assert.ok((row({ title: "t".repeat(35) })[3] ?? "").startsWith("t".repeat(31)))
  assert.ok((row({ title: "t".repeat(35) })[3] ?? "").length <= 34)
})

test("programs get the outcomes by state, without the state", () => {
  const { state: _, ...plain } = outcome()
  const done = [outcome(), outcome({ state: "present" }), outcome({ state: "skipped", reason: "empty" })]
  assert.deepEqual(JSON.parse(sessionsJson(done, "codex", true)), {
    from: "codex",
    dryRun: true,
    taken: [plain],
    there: [plain],
    left: [{ ...plain, reason: "empty" }],
  })
  assert.ok(sessionsJson(done, "codex", true).endsWith("}\n"))
})

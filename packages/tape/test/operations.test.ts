import assert from "node:assert/strict"
import { test } from "node:test"
import { type Entry, FailureError } from "@gong/spec"
import { createRng } from "@gong/testing/sim/rng"
import {
  entriesOfPhases,
  compactTape,
  context,
  foldBranch,
  labelEntry,
  nameTape,
  sessionName,
  type Segment,
  type Tape,
  treeOf,
  undoCompaction,
} from "../src/index.ts"
import { assertTree, disks, newTape, reopen, reply, testIds, testPorts, user } from "./world.ts"

const isBad = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === "bad-request"

const texts = (entries: readonly Entry[]): readonly string[] =>
  entries.map((entry) => (entry.type === "message" ? JSON.stringify(entry.message.content) : entry.type))

const printed = (text: string): string => JSON.stringify([{ type: "text", text }])

for (const { name, use } of disks) {
  test(`[TAPE-HANDOFF.1] [TAPE-HANDOFF.2] ${name}: a handoff makes the folder 002_name with an anchor, and what follows goes there`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      const [anchor] = tape.handoff("review", { summary: "all tests pass" })
      const [next] = tape.append([user("after")], { sync: true })
      assert.deepEqual(
        [anchor?.type === "anchor" && [anchor.name, anchor.seq, anchor.summary], next?.parentId],
        [["review", 2, "all tests pass"], anchor?.id],
      )
      const anchors = `${sessions}/s1/anchors`
      assert.deepEqual([...disk.list(anchors)].sort(), ["001_session-start", "002_review"])
      tape.close()
      const again = reopen(ports, `${sessions}/s1`)
      assert.equal(again.store.heads().length, 3)
      assert.deepEqual(again.entry(anchor?.id ?? ""), anchor)
      const { file } = (again.store as unknown as { location(index: number): { file: string } }).location(2)
      assert.equal(file, `${anchors}/002_review/entries.jsonl`)
      again.close()
    })
  })

  test(`[TAPE-S.02] ${name}: earlier phases stay as they are, without an archive step`, () => {
    return use((disk, sessions) => {
      const ports = testPorts(disk)
      const tape = newTape(ports, sessions)
      tape.append([user("one")], { sync: true })
      const first = `${sessions}/s1/anchors/001_session-start/entries.jsonl`
      const before = disk.stat(first)
      for (let n = 0; n < 3; n++) tape.handoff("next", { entries: [user(`in ${n}`)] })
      assert.deepEqual(disk.stat(first), before)
      tape.close()
      assert.equal(reopen({ ...ports, ids: testIds("b") }, `${sessions}/s1`).branch.length, 8)
    })
  })
}

test("[TAPE-HANDOFF.3] [TAPE-HANDOFF.5] phases are numbered without gaps, also after reopening; two may have one name", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  tape.handoff("compaction", { summary: "first" })
  tape.close()
  const again = reopen({ ...ports, ids: testIds("b") })
  again.handoff("compaction", { summary: "second" })
  again.handoff("x")
  const expected = [
    [1, "session-start"],
    [2, "compaction"],
    [3, "compaction"],
    [4, "x"],
  ]
  assert.deepEqual(
    again.phases().map(({ seq, name }) => [seq, name]),
    expected,
  )
  const summaries = again.entriesOfBranch().map((entry) => entry.type === "anchor" && entry.summary)
  assert.deepEqual(summaries, [undefined, "first", "second", undefined])
})

test("[COMPACT-3.3] [TAPE-HANDOFF.4] [SESSION-19] a compaction ends in a new phase `compaction` with its summary, which is present after reopening", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  const [, kept] = tape.append([user("old"), user("kept")], { sync: true })
  const [, entry] = compactTape(tape, { summary: "we did old", firstKeptEntryId: kept?.id ?? "", tokensBefore: 900 })
  tape.append([user("new")], { sync: true })
  tape.close()
  const again = reopen({ ...ports, ids: testIds("b") })
  assert.deepEqual(
    again.phases().map(({ name }) => name),
    ["session-start", "compaction"],
  )
  assert.deepEqual(entriesOfPhases(again, 2, 2)[0], entry)
  const { messages } = again.follow(context).value
  assert.equal(messages.length, 3)
  assert.match(JSON.stringify(messages[0]), /we did old/)
  assert.match(JSON.stringify(messages[1]), /kept/)
  assert.match(JSON.stringify(messages[2]), /new/)
})

/** Three phases with one, none and two messages. */
function threePhases(): Tape {
  const tape = newTape(testPorts())
  tape.append([user("a")], { sync: true })
  tape.handoff("empty")
  tape.handoff("third", { entries: [user("b")] })
  tape.append([user("c")], { sync: true })
  return tape
}

test("[TAPE-BETWEEN.1] [TAPE-BETWEEN.2] [TAPE-BETWEEN.3] the entries of a range of phases, of one, of an empty one", () => {
  const tape = threePhases()
  assert.deepEqual(texts(entriesOfPhases(tape, 1, 3)), ["a", "b", "c"].map(printed))
  assert.deepEqual(texts(entriesOfPhases(tape, 1, 2)), ["a"].map(printed))
  assert.deepEqual(texts(entriesOfPhases(tape, 3, 3)), ["b", "c"].map(printed))
  assert.deepEqual(entriesOfPhases(tape, 2, 2), [])
  assert.deepEqual(entriesOfPhases(tape, 3, 1), [])
})

test("[TAPE-BETWEEN.4] a missing phase is an error that lists the existing ones", () => {
  const tape = threePhases()
  assert.throws(() => entriesOfPhases(tape, 1, 4), isBad)
  assert.throws(() => entriesOfPhases(tape, 0, 1), /no phase 0, only 1 to 3/)
})

test("[TAPE-APPEND.4] entries meant for a phase that is not the newest are refused, and nothing is written", () => {
  const tape = threePhases()
  const before = tape.all.length
  assert.throws(() => tape.append([user("x")], { sync: true, anchor: "nowhere" }), isBad)
  assert.throws(() => tape.append([user("x")], { sync: true, anchor: "empty" }), /newest phase, "third"/)
  assert.equal(tape.all.length, before)
  tape.append([user("d")], { sync: true, anchor: "third" })
  assert.equal(tape.all.length, before + 1)
})

test("[TAPE-APPEND.6] two appends at once: both are kept, their lines are whole and in one chain", async () => {
  const ports = testPorts()
  const tape = newTape(ports)
  const add = async (text: string): Promise<void> => {
    for (let n = 0; n < 20; n++) {
      tape.append([user(`${text}${n}`)], { sync: false })
      await Promise.resolve()
    }
  }
  await Promise.all([add("a"), add("b")])
  tape.close()
  const again = reopen({ ...ports, ids: testIds("b") })
  assert.deepEqual([again.store.damage, again.branch.length], [[], 41])
})

/** a - b - c, and from a: d - e, active. */
function forked(): { readonly tape: Tape; readonly ids: Readonly<Record<string, string>> } {
  const tape = newTape(testPorts())
  const ids: Record<string, string> = {}
  const add = (name: string): void => {
    ids[name] = tape.append([user(name)], { sync: true })[0]?.id ?? ""
  }
  for (const name of ["a", "b", "c"]) add(name)
  tape.navigate(ids["a"] ?? "", "tried b and c")
  for (const name of ["d", "e"]) add(name)
  return { tape, ids }
}

const shape = (segment: Segment | null): unknown =>
  segment && [segment.steps.map(({ active }) => (active ? "+" : "-")).join(""), ...segment.next.map(shape)]

test("[SESSION-20] after every operation it is one tree: entries, branches, phases, compactions, labels, names, openings", () => {
  const operations: readonly ((tape: Tape, id: string) => unknown)[] = [
    (tape) => tape.append([user("a"), reply("b")], { sync: false }),
    (tape, id) => tape.navigate(id, ""),
    (tape, id) => tape.navigate(id, "was left"),
    (tape) => tape.handoff("review", { summary: "s" }),
    (tape) => compactTape(tape, { summary: "s", firstKeptEntryId: tape.branch.head(0).id, tokensBefore: 1 }),
    (tape, id) => labelEntry(tape, id, "here"),
    (tape) => nameTape(tape, "mine"),
  ]
  for (let seed = 0; seed < 50; seed++) {
    const rng = createRng(seed)
    const ports = testPorts()
    let tape = newTape(ports)
    for (let step = 0; step < 30; step++) {
      const heads = tape.store.heads()
      const act = operations[rng.int(operations.length + 1)]
      if (act) act(tape, heads[rng.int(heads.length)]?.id ?? "")
      else {
        tape.close()
        tape = reopen({ ...ports, ids: testIds(`b${step.toString(36).padStart(2, "0")}`) })
      }
      assertTree(tape)
    }
  }
})

test("[SESSION-13] a checkout of another branch leaves a summary of the abandoned one", () => {
  const { tape, ids } = forked()
  const summary = tape.entriesOfBranch().find((entry) => entry.type === "branch_summary")
  assert.deepEqual([summary?.fromId, summary?.summary], [ids["c"], "tried b and c"])
  assert.match(JSON.stringify(tape.follow(context).value.messages[1]), /tried b and c/)
  tape.navigate(ids["c"] ?? "", "tried d and e")
  assert.match(JSON.stringify(tape.follow(context).value.messages.at(-1)), /tried d and e/)
})

test("[SESSION-17] the tree is the caller's own copy: changing it does not change the tape", () => {
  const { tape, ids } = forked()
  labelEntry(tape, ids["b"] ?? "", "the good one")
  labelEntry(tape, ids["d"] ?? "", "x")
  labelEntry(tape, ids["d"] ?? "", null)
  const tree = treeOf(tape)
  assert.deepEqual(shape(tree), ["++", ["--"], ["++++++"]])
  const labels = (segment: Segment): readonly (string | null)[] => [
    ...segment.steps.map(({ label }) => label),
    ...segment.next.flatMap(labels),
  ]
  assert.deepEqual(tree && labels(tree).filter(Boolean), ["the good one"])
  const mine = tree as unknown as { steps: { id: string; parentId: string }[]; next: unknown[] }
  mine.next.length = 0
  for (const step of mine.steps) step.id = step.parentId = "broken"
  mine.steps.reverse()
  assert.deepEqual(shape(treeOf(tape)), ["++", ["--"], ["++++++"]])
  assert.equal(tape.entriesOfBranch().length, 8)
})

test("a tree of 20,000 entries, and one that forks at every entry, overflow no stack", () => {
  const tape = newTape(testPorts())
  tape.append(
    Array.from({ length: 20_000 }, () => user("x")),
    { sync: false },
  )
  assert.equal(treeOf(tape)?.steps.length, 20_001)
  const other = newTape(testPorts())
  for (let n = 0; n < 3000; n++) {
    const [one] = other.append([user("x"), user("left")], { sync: false })
    other.navigate(one?.id ?? "", "")
  }
  assert.equal(treeOf(other)?.next.length, 2)
})

test("the context of a branch that is not the active one", () => {
  const { tape, ids } = forked()
  const other = tape.branchTo(ids["c"] ?? "")
  assert.ok(other)
  assert.deepEqual(
    foldBranch(context, other).messages.map((message) => JSON.stringify(message.content)),
    ["a", "b", "c"].map(printed),
  )
  assert.equal(tape.branchTo("000000000000"), null)
  assert.equal(tape.leaf, ids["e"], "looking does not go there")
})

test("a session has its last name, also if it was set on an abandoned branch", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  const name = tape.follow(sessionName)
  assert.equal(name.value, null)
  const [root] = tape.append([reply("hi")], { sync: true })
  nameTape(tape, "one")
  nameTape(tape, "two")
  tape.navigate(root?.id ?? "", "")
  assert.equal(name.value, "two")
  tape.close()
  assert.equal(reopen({ ...ports, ids: testIds("b") }).follow(sessionName).value, "two")
})

test("a mark on a missing entry is refused", () => {
  assert.throws(() => labelEntry(newTape(testPorts()), "000000000000", "x"), isBad)
})

test("a label, a name and the undo of a compaction are entries", () => {
  const tape = newTape(testPorts())
  const [asked] = tape.append([user("a"), reply("b")], { sync: false })
  assert.equal(undoCompaction(tape), null)
  const label = labelEntry(tape, asked?.id ?? "", "here")
  assert.deepEqual([label.type, tape.entry(label.id)], ["label", label])
  const name = nameTape(tape, "mine")
  assert.deepEqual([name.type, tape.leaf, tape.entry(name.id)], ["session_info", name.id, name])
  const before = tape.leaf
  const [anchor, compaction] = compactTape(tape, { summary: "s", firstKeptEntryId: "", tokensBefore: 9 })
  assert.equal(anchor?.parentId, before)
  assert.equal(undoCompaction(tape)?.left, 0)
  tape.navigate(compaction?.id ?? "", "")
  tape.append([user("c"), { type: "custom", customType: "x", data: 1 }, reply("d")], { sync: false })
  const { leaf } = tape
  const back = undoCompaction(tape)
  assert.deepEqual([back?.undone, back?.left, back?.leaf], [compaction, 2, leaf])
  assert.deepEqual([back?.entry.type, back?.entry.parentId, tape.leaf], ["branch_summary", anchor?.id, back?.entry.id])
  assert.equal(undoCompaction(tape), null)
})

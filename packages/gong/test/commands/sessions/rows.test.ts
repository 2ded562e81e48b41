import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { failure, phrase } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { storageOf } from "@gong/app/compose/tapes/storage"
import { newTape } from "@gong/app/compose/tapes/tape"
import { openProgram, type Program } from "../program.ts"
import { cliIn } from "../test-cli.ts"

interface Place {
  readonly program: Program
  readonly tape: Tape
  /** Stores entries on the active branch. */
  add(...bodies: readonly object[]): readonly string[]
  /** Closes the session, and gives the lines that a command prints about it. */
  printed(verb: string): Promise<readonly string[]>
}

/** A stored session with these entries. */
async function place(t: TestContext): Promise<Place> {
  const program = openProgram(t)
  const { repo, gongHome: home } = program
  const workspace = { host: "local", cwd: repo, folder: repo, git: true, repository: repo, roots: [repo], notes: [] }
  const { cli } = cliIn({ ...program, temp: program.root }, [], { env: program.env })
  const made = await newTape(storageOf(cli, { home, workspace }), true, "shown-0001")
  assert.ok(made.ok)
  const { tape } = made.value
  return {
    program,
    tape,
    add: (...bodies) => tape.append(bodies as Parameters<Tape["append"]>[0], { sync: false }).map(({ id }) => id),
    async printed(verb) {
      await tape.settled()
      tape.close()
      const { status, out, err } = await program.gong(["sessions", verb, "shown-0001"])
      assert.deepEqual([status, err], [0, ""])
      return out.trimEnd().split("\n")
    },
  }
}

const text = (written: string) => [{ type: "text", text: written }]
const user = (written: string) => ({ type: "message", message: { role: "user", content: text(written) } })
const reply = (content: readonly object[]) => ({
  type: "message",
  message: {
    role: "assistant",
    content,
    model: { provider: "p", id: "m", api: "openai-completions" },
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    cost: null,
    stopReason: "stop",
  },
})
const end = (status: string, more: object = {}) => ({ type: "run_end", status, turns: 1, ...more })
const call = (id: string, name: string, args: object) => ({ type: "tool_call", id, name, arguments: args })
const result = (id: string, name: string, written: string, more: object = {}) => ({
  type: "message",
  message: {
    role: "tool",
    toolCallId: id,
    toolName: name,
    status: "ok",
    content: text(written),
    details: null,
    ...more,
  },
})

test("gong sessions show has a row for each kind of step", async (t) => {
  const { add, printed } = await place(t)
  const [first = ""] = add(
    user("one\ntwo"),
    reply(text("Yes.")),
    reply(text("")),
    end("done"),
    end("interrupted"),
    end("failed", { failure: failure("storage", phrase`the disk is full`) }),
    { type: "model_change", provider: "p", modelId: "other" },
    { type: "custom_message", customType: "weather", content: text("Rain."), display: true },
    { type: "custom_message", customType: "weather", content: text("Hidden."), display: false },
  )
  add({ type: "compaction", summary: "So far.", firstKeptEntryId: first, tokensBefore: 1234 })
  add(
    { type: "branch_summary", fromId: first, summary: "Elsewhere." },
    { type: "branch_summary", fromId: first, summary: "" },
  )
  const [, , , , ...rows] = await printed("show")
  assert.deepEqual(
    rows.filter((line) => line !== ""),
    [
      "> one",
      "> two",
      "Yes.",
      "[interrupted]",
      "[failed: the disk is full]",
      "[model: p/other]",
      "[weather] Rain.",
      "[compacted: 1234 tokens became this summary]",
      "So far.",
      "[summary of another branch]",
      "Elsewhere.",
    ],
  )
})

test("gong sessions show has the title, time, status and output of a call; one without a start shows its arguments", async (t) => {
  const { add, printed } = await place(t)
  add(
    user("go"),
    reply([call("a", "read", { path: "x.ts" }), call("b", "bash", { command: "true" }), call("c", "ls", {})]),
    { type: "tool_start", callId: "a", name: "read", title: "x.ts" },
    result("a", "read", "1  code", { durationMs: 1500 }),
    result("b", "bash", "refused", { status: "refused" }),
  )
  const rows = (await printed("show")).slice(6).filter((line) => line !== "")
  assert.deepEqual(rows.slice(0, 1), ["  read x.ts  1.5 s  ok"])
  assert.ok(rows.includes('  bash {"command":"true"}  refused'), rows.join("\n"))
  assert.equal(rows.at(-1), "  ls {}  not finished")
})

test("gong sessions tree has a line for each segment, with its last step, its label and its first text", async (t) => {
  const { tape, add, printed } = await place(t)
  const [first = ""] = add(user("x".repeat(80)))
  const [left = ""] = add(reply(text("  Left.  ")))
  tape.navigate(first, "")
  const [right = ""] = add(reply(text("")), reply(text("Right.")), {
    type: "label",
    targetId: left,
    label: "mine",
  }).slice(1)
  const lines = (await printed("tree")).map((line) => line.replace(/ +$/, ""))
  const tree = lines.slice(-3)
  assert.equal(tree.length, 3)
  const [root = "", one = "", other = ""] = tree
  assert.match(root, new RegExp(`^\\* ${first}  \\d steps  x+`))
  assert.equal(root.length, `* ${first}  `.length + 60)
  assert.equal(one, `    ${left}  1 step  [mine]  Left.`)
  assert.match(other, /^\* {3}\S+ {2}\d steps {2}Right\.$/)
  assert.ok(right !== "")
})

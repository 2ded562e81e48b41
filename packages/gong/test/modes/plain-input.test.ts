import assert from "node:assert/strict"
import { test } from "node:test"
import { closedDialog, type DialogRequest, type JobInfo, phrase } from "@gong/spec"
import { ok } from "@gong/config/usage"
import { translator } from "@gong/texts/translator"
import { lineDialogs } from "../../src/modes/plain/line-dialogs.ts"
import { confirmExitWithJobs } from "../../src/modes/exit-with-jobs.ts"
import type { OutputStreams } from "../../src/modes/output-streams.ts"
import { showDialog } from "../../src/modes/plain/dialogs.ts"
import { plainPerson } from "../../src/modes/plain/person.ts"
import type { LineReader } from "../../src/terminal/lines.ts"

const noJobs = { output: () => null, stop: async () => false, background: () => [] }

/** Lines typed in order, then Ctrl+D; collects prompts and output. */
async function typing(...typed: readonly string[]) {
  const left = [...typed]
  const prompts: string[] = []
  const requeued: string[] = []
  let output = ""
  const lines: LineReader = {
    question: async (prompt) => (prompts.push(prompt), left.shift() ?? null),
    onInterrupt: () => undefined,
    onQueued: () => undefined,
    onEscape: () => undefined,
    requeue: (line) => void requeued.push(line),
    reopen: () => undefined,
    close: () => undefined,
  }
  const write = (text: string): void => void (output += text)
  const streams: OutputStreams = {
    t: await translator("en"),
    out: write,
    err: write,
    outIsTerminal: true,
    errIsTerminal: true,
    outputClosed: false,
  }
  return { lines, streams, prompts, requeued, output: () => output }
}

const { signal } = new AbortController()

test("an exit with running jobs ends them, keeps them or stays; an unknown answer is asked again", async () => {
  const exit = async (typed: readonly string[], { names = ["npm run dev"], canKeep = true } = {}) => {
    const { lines, streams, prompts, output } = await typing(...typed)
    const running = names.map((title, at) => ({ number: at + 1, title }) as JobInfo)
    const ended: unknown[] = []
    const jobs = { ...noJobs, running: () => running, end: async (options?: unknown) => (ended.push(options), running) }
    const print = (line: string) => streams.err(`${line}\n`)
    const options = { t: streams.t, dialogs: lineDialogs(lines, streams), canKeep, print }
    return { exits: await confirmExitWithJobs(jobs, options), prompts, ended, output: output() }
  }
  assert.deepEqual(await exit([], { names: [] }), { exits: true, prompts: [], ended: [], output: "" })
  // The end of the input, Enter and e leave the jobs to the end of the session.
  for (const typed of [[], [""], ["e"], [" E "], ["what", ""]])
    assert.deepEqual([(await exit(typed)).exits, (await exit(typed)).ended], [true, []], typed.join())
  assert.equal((await exit(["s"])).exits, false)
  const kept = await exit(["k"])
  assert.deepEqual([kept.exits, kept.ended], [true, [{ keep: true }]])
  assert.equal(kept.output, "gong: job 1 (npm run dev) keeps running; its output is discarded\n")
  const confined = await exit(["k", "s"], { canKeep: false })
  assert.deepEqual([confined.exits, confined.ended, confined.prompts.length], [false, [], 2])
  assert.equal(confined.prompts[0], "1 job is running: npm run dev. [e]nd it  [s]tay: ")
  assert.equal(
    (await exit([], { names: ["a", "b"] })).prompts[0],
    "2 jobs are running: a, b. [e]nd them  [k]eep them running  [s]tay: ",
  )
})

test("a dialog takes a number, with full-width digits too, a text where it accepts one, or nothing", async () => {
  const answer = async (request: Partial<DialogRequest>, ...typed: readonly string[]) => {
    const { lines, streams, prompts, output } = await typing(...typed)
    const choices = [{ label: "A", description: "the first" }, { label: "B" }]
    const whole = { id: "u1", toolCallId: "c1", question: "Which?", choices, freeText: false, ...request }
    const given = await showDialog(lines, streams, whole, signal)
    return { given, prompts, output: output() }
  }
  const two = await answer({}, "2")
  assert.deepEqual(two, {
    given: { choice: "B" },
    prompts: ["1-2, Enter for no answer > "],
    output: "Which?\n  1  A: the first\n  2  B\n",
  })
  assert.deepEqual((await answer({}, "２")).given, { choice: "B" })
  for (const typed of [[], [""], ["  "]]) assert.deepEqual((await answer({}, ...typed)).given, {})
  for (const wrong of ["0", "3", "0001", "-1", "b"]) {
    const { given, output } = await answer({}, wrong, "1")
    assert.deepEqual(given, { choice: "A" }, wrong)
    assert.match(output, /\nType a number from 1 to 2, or Enter\.\n$/)
  }
  assert.deepEqual((await answer({ freeText: true }, "b, please")).given, { text: "b, please" })
  const number = await answer({ freeText: true }, "3", "1")
  assert.deepEqual(number.given, { choice: "A" })
  assert.match(number.output, /\nType a number from 1 to 2 or a text, or Enter\.\n$/)
  assert.equal(number.prompts[0], "1-2, or type an answer, Enter for no answer > ")
  assert.deepEqual((await answer({ choices: [], freeText: true }, " gong ")).given, { text: "gong" })
  assert.deepEqual((await answer({ choices: [], freeText: true }, " ")).given, {})
})

test("a question of Gong's own is in the user's language, its answer is not", async () => {
  const { lines, streams, output } = await typing("1")
  const question = phrase`The MCP server ${"db"} requires a login. Log in now?`
  const dialog = closedDialog(question, [{ label: "yes", phrase: phrase`yes` }, { label: "later" }])
  const chinese = { ...streams, t: await translator("zh-CN") }
  assert.deepEqual(await showDialog(lines, chinese, { id: "u1", ...dialog }, signal), { choice: "yes" })
  assert.equal(output(), "MCP 服务器 db 需要登录。现在登录吗？\n  1  是\n  2  later\n")
})

test("a list of a slash command shows fifteen rows, more with +, and takes any of their numbers; a command leaves it", async () => {
  const choose = async (rows: readonly string[], ...typed: readonly string[]) => {
    const { lines, streams, prompts, output, requeued } = await typing(...typed)
    const picked = await plainPerson(lines, streams, async () => ok("")).choose("Which?", rows)
    return { picked, prompts, output: output(), requeued }
  }
  const few = await choose(["a", "b"], "１")
  assert.deepEqual(few, {
    picked: 0,
    prompts: ["1-2, Enter for none > "],
    output: "Which?\n  1  a\n  2  b\n",
    requeued: [],
  })
  for (const typed of [[], [""]]) assert.equal((await choose(["a"], ...typed)).picked, null)
  const many = Array.from({ length: 62 }, (_, at) => `row ${at + 1}`)
  const wrong = await choose(many, "63", "x", "0", "60")
  assert.equal(wrong.picked, 59)
  assert.match(
    wrong.output,
    /\n {2} 9 {2}row 9\n[^]*\n {2}15 {2}row 15\n(?:Type a number from 1 to 62, or Enter\.\n){3}$/,
  )
  const paged = await choose(many, "+", "+", "＋", "+", "+", "62")
  assert.equal(paged.picked, 61)
  assert.deepEqual(paged.prompts, [
    "1-62, + for 47 more, Enter for none > ",
    "1-62, + for 32 more, Enter for none > ",
    "1-62, + for 17 more, Enter for none > ",
    "1-62, + for 2 more, Enter for none > ",
    "1-62, Enter for none > ",
    "1-62, Enter for none > ",
  ])
  assert.equal(paged.output.match(/row/g)?.length, 62)
  const left = await choose(many, "/model x")
  assert.deepEqual([left.picked, left.requeued], [null, ["/model x"]])
})

test("a slash command asks for a yes and for a line", async () => {
  const person = async (...typed: readonly string[]) => {
    const { lines, streams, prompts } = await typing(...typed)
    return { user: plainPerson(lines, streams, async () => ok("")), prompts }
  }
  for (const [typed, expected] of [
    ["y", true],
    ["YES", true],
    ["n", false],
    ["", false],
    ["yep", false],
  ] as const)
    assert.equal(await (await person(typed)).user.confirm("Sure?"), expected, typed)
  const { user, prompts } = await person()
  assert.equal(await user.confirm("Sure?"), false)
  assert.deepEqual(prompts, ["Sure? [y]es [n]o: "])
  assert.equal(await (await person(" a ")).user.line("Name: "), "a")
  assert.equal(await (await person("  ")).user.line("Name: "), null)
  assert.equal(await (await person()).user.line("Name: "), null)
})

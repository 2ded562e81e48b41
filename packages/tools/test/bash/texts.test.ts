import assert from "node:assert/strict"
import { test } from "node:test"
import type { Collected } from "../../src/bash/output/output.ts"
import { bashResult } from "../../src/bash/result.ts"
import {
  type ExitReason,
  jobEnded,
  noSuchJob,
  notStartedText,
  resultText,
  stillRunning,
  toBackground,
  tooManyJobs,
} from "../../src/bash/texts.ts"
import { createBashTool } from "../../src/index.ts"
import { truncateTail } from "../../src/truncate.ts"

const exit = (code: number): ExitReason => ({ how: "exit", code })

function collected(text: string, more: Partial<Collected> = {}, limits: Parameters<typeof truncateTail>[1] = {}) {
  const none = { linesBefore: 0, middle: 0, leftOut: 0, open: false, tails: { stdout: "", stderr: "" } }
  return { truncation: truncateTail(text, limits), ...none, ...more } as Collected
}

test("the text of a command is its output, the notes, and how it ended", () => {
  const rows: readonly (readonly [text: string, end: ExitReason | null, notes: readonly string[], string])[] = [
    ["out\n", exit(0), [], "out\n"],
    ["out\n", exit(0), ["[n]"], "out\n[n]"],
    ["", exit(0), [], "(no output)"],
    ["", exit(0), ["[n]", "[m]"], "(no output)\n[n]\n[m]"],
    ["", null, [], "(no new output)"],
    ["", null, ["[n]"], "(no new output)\n[n]"],
    ["out", null, ["[n]"], "out\n[n]"],
    ["out\n\n", exit(3), [], "out\n\n\nCommand exited with code 3"],
    ["", exit(3), [], "Command exited with code 3"],
    ["", exit(3), ["[n]"], "[n]\n\nCommand exited with code 3"],
    ["out", { how: "signal", signal: "SIGTERM" }, [], "out\n\nCommand was ended by signal SIGTERM"],
    ["out", { how: "timeout", seconds: 5 }, [], "out\n\nCommand timed out after 5 seconds"],
    ["out", { how: "abort" }, [], "out\n\nCommand aborted"],
    ["out\n", { how: "stop" }, [], "out\n"],
    ["\n", exit(0), [], "\n"],
  ]
  for (const [text, end, notes, shown] of rows) assert.equal(resultText(collected(text), end, notes), shown)
})

test("truncated output says which lines are shown, what is omitted, and where all of it is", () => {
  const five = "1\n2\n3\n4\n5\n"
  const two = { maxLines: 2 }
  const size = "Original size 10 bytes, limit 2 lines."
  for (const [more, notice] of [
    [{}, `[Showing lines 4-5 of 5.]\n[3 lines omitted. ${size}]`],
    [{ path: "/f" }, `[Showing lines 4-5 of 5. Full output: /f]\n[3 lines omitted. ${size}]`],
    [{ linesBefore: 10 }, `[Showing lines 14-15 of 15.]\n[3 lines omitted. ${size}]`],
    [{ middle: 1 }, `[Showing the beginning and the end of 5 lines.]\n[${size}]`],
    [
      { leftOut: 7 },
      `[Showing lines 4-5 of 5.]\n[3 lines omitted. ${size} The file leaves out 7 bytes in its middle.]`,
    ],
    [
      { leftOut: 7, open: true },
      `[Showing lines 4-5 of 5.]\n[3 lines omitted. ${size} The file has the last 7 bytes only when the job has ended.]`,
    ],
    [
      { unsaved: "ENOSPC" },
      `[Showing lines 4-5 of 5.]\n[3 lines omitted. ${size} The full output could not be kept (ENOSPC).]`,
    ],
  ] as const)
    assert.equal(resultText(collected(five, more, two), exit(0), []), `4\n5\n${notice}`)
  assert.equal(resultText(collected(five, {}, { maxLines: 5 }), exit(0), []), five)
  const long = collected(`a\n${"x".repeat(30)}`, {}, { maxBytes: 10 })
  assert.equal(
    resultText(long, exit(0), []),
    `${"x".repeat(10)}\n[Showing lines 2-2 of 2.]\n[1 lines omitted, the beginning of line 2 omitted. Original size 32 bytes, limit 10B (10 bytes).]`,
  )
})

test("jobs are named with their number, and how to read and end them", () => {
  assert.equal(
    toBackground(120, 3),
    '[Still running after 120 s; it goes on as job 3. Last output above. bash {"job":3} reads more (waits up to 60 s), {"job":3,"stop":true} ends it.]',
  )
  const many = (running: readonly { number: number; title: string }[]) => tooManyJobs(running)
  assert.match(many([{ number: 4, title: "a" }]), /: 1 jobs are running already\. .*\{"job":4,"stop":true\}/)
  assert.match(many([]), /: 0 jobs are running already\. .*\{"job":1,"stop":true\}/)
  assert.deepEqual(
    [stillRunning(2, 1_499), stillRunning(2, 1_500)],
    ["[Job 2 is still running after 1 s.]", "[Job 2 is still running after 2 s.]"],
  )
  assert.deepEqual(
    [exit(0), exit(1), { how: "stop" } as const, { how: "signal", signal: "SIGKILL" } as const].map((end) =>
      jobEnded(1, end),
    ),
    ["[Job 1 has ended with exit code 0.]", "[Job 1 has ended.]", "[Job 1 was ended.]", "[Job 1 has ended.]"],
  )
  assert.match(noSuchJob(1, []), /^There is no job 1, or its end was told already\. No job is there now\.$/)
  assert.match(noSuchJob(1, [{ number: 2, title: "a" }]), /already\. There are: 2 \(a\)\.$/)
})

test("a command that could not be started has the system's code and advice", () => {
  assert.match(notStartedText("E2BIG", "bash"), /^E2BIG: the command is too long for this system\. Write it to a file/)
  assert.equal(
    notStartedText("ENOENT", "zsh"),
    "ENOENT: the command could not be started with zsh. Ask the user to check the shell.",
  )
})

test("details and status of a result are those of its end and output", () => {
  const result = (end: ExitReason | null, more: Partial<Collected> = {}, limits = {}) =>
    bashResult({
      command: { text: "x", startedAt: 7 },
      exit: end,
      collected: collected("1\n2\n3\n", more, limits),
      durationMs: 9,
      notes: [],
    })
  for (const [end, status, isError, details] of [
    [exit(0), "ok", false, { exit_code: 0 }],
    [exit(2), "error", true, { exit_code: 2 }],
    [{ how: "signal", signal: "SIGKILL" }, "error", true, { exit_code: null, signal: "SIGKILL" }],
    [{ how: "timeout", seconds: 1 }, "timeout", true, { exit_code: null }],
    [{ how: "abort" }, "aborted", true, { exit_code: null }],
    [{ how: "stop" }, "ok", false, { exit_code: null }],
    [null, "background", false, { exit_code: null }],
  ] as const) {
    const found = result(end)
    assert.deepEqual([found.status, found.isError], [status, isError])
    assert.deepEqual(found.details, { command: "x", started_at: 7, duration_ms: 9, truncated: false, ...details })
  }
  const tails = (stdout: string, stderr: string) => result(exit(0), { tails: { stdout, stderr } }).details
  assert.deepEqual([tails("a", "")?.stdout, tails("", "b")?.stderr], [undefined, undefined])
  assert.deepEqual([tails("a", "b")?.stdout, tails("a", "b")?.stderr], ["a", "b"])
  assert.equal(result(exit(0), { path: "/f" }).details?.fullOutputPath, undefined)
  const cut = result(exit(0), { path: "/f" }, { maxLines: 1 }).details
  assert.deepEqual([cut?.truncated, cut?.fullOutputPath, cut?.truncation?.outputLines], [true, "/f", 1])
  assert.equal("content" in (cut?.truncation ?? {}), false)
  assert.equal("fullOutputPath" in (result(exit(0), {}, { maxLines: 1 }).details ?? {}), false)
})

test("the description names the limit of a command, the title of a call its job", () => {
  const tool = (options: Parameters<typeof createBashTool>[1]) => createBashTool("/work", options)
  const limit = (options: Parameters<typeof createBashTool>[1]) =>
    / (?:Goes on in the background, as a job,|Killed) after \d+ s unless timeout is given\./.exec(
      tool(options).description,
    )?.[0] ?? null
  assert.equal(limit({}), " Goes on in the background, as a job, after 120 s unless timeout is given.")
  assert.equal(limit({ defaultTimeout: 30, background: false }), " Killed after 30 s unless timeout is given.")
  assert.equal(limit({ defaultTimeout: 0 }), null)
})

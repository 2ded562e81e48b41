import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, type ExecOptions, type ExecResult } from "@gong/spec"
import { createMemoryHost } from "../../../src/host/memory.ts"
import { probeSandbox } from "../../../src/host/sandbox/index.ts"
import { callFilter } from "../../../src/host/sandbox/system-calls/filter.ts"

type Answer = ExecResult & { readonly out?: string }

/** The result of a probe whose sandboxes end like this, in turn, and the arguments of each. */
async function probed(answers: readonly (Answer | Error)[], files: Readonly<Record<string, string>> = {}) {
  const calls: (readonly string[])[] = []
  const exec = async (command: string | readonly string[], { onData }: ExecOptions) => {
    calls.push(command as readonly string[])
    const answer = answers[calls.length - 1] ?? answers.at(-1)
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("none")
    onData(Buffer.from(answer.out ?? ""), "stdout")
    return { code: answer.code, signal: answer.signal }
  }
  const found = await probeSandbox(createMemoryHost({ files, exec }), "/usr/bin/bwrap", 1000)
  return { found: found.works ? found.features : englishOf(found.reason), calls }
}

const ended = (code: number | null, out = ""): Answer => ({ code, signal: null, out })
const filter = callFilter(process.arch) !== null

test("a sandbox that prints its version works, with modes since 0.5", async () => {
  for (const [version, modes] of [
    ["0.5.0", true],
    ["0.4.9", false],
    ["0.11.0", true],
    ["1.0.0", true],
    ["x", false],
  ] as const) {
    const { found, calls } = await probed([ended(0, `warning\nbubblewrap ${version}\n`)])
    assert.deepEqual([found, calls.length], [{ filter, modes }, 1])
    assert.deepEqual(calls[0]?.slice(-3), ["--", "/usr/bin/bwrap", "--version"])
    assert.equal(calls[0]?.includes("--seccomp"), filter)
  }
  assert.deepEqual((await probed([ended(0, "not bubblewrap 0.9.0")])).found, { filter, modes: false })
})

test("a kernel that refuses the filter gets a sandbox without it", { skip: filter ? false : "no filter" }, async () => {
  const { found, calls } = await probed([ended(1, "seccomp"), ended(0, "bubblewrap 0.9.0")])
  assert.deepEqual(found, { filter: false, modes: true })
  assert.deepEqual(
    calls.map((words) => words.includes("--seccomp")),
    [true, false],
  )
  assert.equal((await probed([ended(1, "first"), ended(1, "second")])).found, "first")
})

test("the reason of a failure is that of the kernel, or the last line", async () => {
  for (const [answer, reason] of [
    [ended(1, "a\nb\n"), "b"],
    [ended(1, "x".repeat(201)), "x".repeat(200)],
    [ended(null), "/usr/bin/bwrap did not come back"],
    [new Error("ENOENT"), "/usr/bin/bwrap cannot be run (ENOENT)"],
  ] as const)
    assert.equal((await probed([answer])).found, reason)
  const setting = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
  for (const line of [
    "bwrap: No permissions to creating new namespace",
    "bwrap: Creating new namespace failed",
    "bwrap: setting up uid map: x",
    "bwrap: loopback: Failed RTM_NEWADDR",
    "Operation not permitted",
  ]) {
    assert.equal((await probed([ended(1, line)])).found, "user namespaces are blocked here", line)
    for (const [value, why] of [
      ["1\n", "user namespaces are blocked by AppArmor"],
      ["0\n", "user namespaces are blocked here"],
    ] as const)
      assert.equal((await probed([ended(1, line)], { [setting]: value })).found, why)
  }
})

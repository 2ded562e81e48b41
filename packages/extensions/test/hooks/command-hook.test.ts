import assert from "node:assert/strict"
import { test } from "node:test"
import { builtInDeclarations } from "@gong/tools"
import type { ExecOptions, ExecResult } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { createMemoryHost } from "@gong/tools/host/memory"
import { commandHook, type HookPlace } from "../../src/hooks/command-hook.ts"
import type { HookEventKind } from "../../src/hooks/kinds.ts"
import { type Matcher, matcherOf } from "../../src/hooks/matcher.ts"

interface Ran {
  readonly command: string
  readonly options: ExecOptions
  readonly input: Readonly<Record<string, unknown>>
}

type Answer = (options: ExecOptions) => Promise<ExecResult> | ExecResult

/** One configured command on a host that only records executions. */
function hooked(
  kind: HookEventKind,
  answer: Answer = () => exit(0),
  more: { matcher?: string; isMeant?: Matcher } & Partial<HookPlace> = {},
) {
  const ran: Ran[] = []
  const clock = manualClock()
  const exec = async (command: string | readonly string[], options: ExecOptions) => {
    ran.push({
      command: String(command),
      options,
      input: JSON.parse(typeof options.input === "string" ? options.input : "null") as Ran["input"],
    })
    return answer(options)
  }
  const host = createMemoryHost({ now: clock.now, exec })
  const { matcher = "*", isMeant = (names) => matcher === "*" || names.includes(matcher), ...place } = more
  let jobs = 0
  const hook = commandHook(
    { kind, matcher, isMeant, command: "check", timeMs: 60_000, from: "settings.json" },
    {
      session: "s1",
      transcript: "/tape",
      cwd: "/work",
      project: "/work",
      env: { PATH: "/bin" },
      level: () => "auto",
      resumed: false,
      declared: builtInDeclarations,
      child: false,
      clock,
      host: async () => host,
      job: () => `hook-${(jobs += 1)}`,
      absolute: (path) => `/work/${path}`,
      runnable: async ({ command }) => ({ ok: true, command, tell: null }),
      ...place,
    },
  )
  return { hook, ran, clock }
}

function exit(code: number, out = "", err = ""): ExecResult & { out: string; err: string } {
  return { code, signal: null, out, err }
}

const says =
  (code: number, out: string | object, err = ""): Answer =>
  (options) => {
    lend(options, typeof out === "string" ? out : JSON.stringify(out), "stdout")
    lend(options, err, "stderr")
    return exit(code)
  }

/** Like a real host, it invalidates passed bytes. */
function lend({ onData }: ExecOptions, text: string, stream: "stdout" | "stderr"): void {
  const bytes = new Uint8Array(Buffer.from(text))
  onData(bytes, stream)
  bytes.buffer.transfer(0)
}

const context = { signal: new AbortController().signal }
const call = { id: "c1", tool: "bash", arguments: { command: "ls" } }
const result = { content: [{ type: "text", text: "out" }], details: null, isError: false } as const

test("a hook command's input, folder, environment and unique job name; it runs without a sandbox", async () => {
  const { hook, ran } = hooked("PreToolUse")
  await hook.beforeToolCall?.(call, context)
  await hook.beforeToolCall?.(call, context)
  const [first, second] = ran
  assert.deepEqual(first?.input, {
    session_id: "s1",
    transcript_path: "/tape",
    cwd: "/work",
    permission_mode: "acceptEdits",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "c1",
  })
  const { cwd, env, unsandboxed, job } = first?.options ?? {}
  const folder = { CLAUDE_PROJECT_DIR: "/work", GONG_PROJECT_DIR: "/work" }
  assert.deepEqual([cwd, env, unsandboxed, job], ["/work", { PATH: "/bin", ...folder }, true, "hook-1"])
  assert.equal(second?.options.job, "hook-2")
})

test("matchers: names of the format and of Gong, alternatives, patterns; whole names only", async () => {
  const asked = async (matcher: string, tool: string) => {
    const isMeant = await matcherOf(matcher)
    assert.ok(typeof isMeant === "function", matcher)
    const { hook, ran } = hooked("PreToolUse", undefined, { matcher, isMeant })
    await hook.beforeToolCall?.({ ...call, tool }, context)
    return ran.length === 1
  }
  for (const matcher of ["", "*", "Bash", "bash", "Edit|Bash", "B.*"]) assert.ok(await asked(matcher, "bash"), matcher)
  for (const matcher of ["Bas", "ash", "Edit|Write", "BASH"]) assert.ok(!(await asked(matcher, "bash")), matcher)
  assert.ok(await asked("MultiEdit", "edit"))
})

test("a gate returns the command's decision", async () => {
  const decided = async (out: object) => hooked("PreToolUse", says(0, out)).hook.beforeToolCall?.(call, context)
  const own = (more: object) => decided({ hookSpecificOutput: more })
  assert.deepEqual(await own({ permissionDecision: "deny", permissionDecisionReason: "no" }), {
    answer: "block",
    reason: "no",
  })
  assert.deepEqual(await own({ permissionDecision: "ask" }), { answer: "ask", reason: "a hook wants you to decide" })
  assert.deepEqual(await own({ updatedInput: { command: "ls -l", timeout: 1500 }, additionalContext: "note" }), {
    answer: "ok",
    arguments: { command: "ls -l", timeout: 2 },
    note: "note",
  })
  assert.deepEqual(await decided({ continue: false, stopReason: "enough", systemMessage: "see" }), {
    answer: "block",
    reason: "enough",
    stop: "enough",
    tell: "see",
  })
})

test("PostToolUse: text is appended to the result, the duration is in the details; failed calls are left unchanged", async () => {
  const { hook, ran } = hooked("PostToolUse", says(2, "", "lint: 2 problems"))
  const after = await hook.onToolResult?.(call, result, context)
  assert.deepEqual(after?.content, [...result.content, { type: "text", text: "lint: 2 problems" }])
  assert.deepEqual(after?.details?.["hooks"], [{ started_at: after && manualClock().now(), duration_ms: 0 }])
  const { tool_response: response } = ran[0]?.input ?? {}
  assert.deepEqual(response, { success: true, stdout: "out", stderr: "", details: null })
  assert.equal(await hook.onToolResult?.(call, { ...result, isError: true }, context), undefined)
  assert.equal(ran.length, 1)
})

test("the output of another tool than bash is its content, and an image is named", async () => {
  const { hook, ran } = hooked("PostToolUse")
  const image = { type: "image", mimeType: "image/png", data: "" } as const
  const printed = { content: [...result.content, image], details: { size: 7 }, isError: false }
  const read = { id: "c2", tool: "read", arguments: { path: "a" } }
  await hook.onToolResult?.(read, printed, context)
  const { tool_response: response } = ran[0]?.input ?? {}
  assert.deepEqual(response, { success: true, content: "out\n[image]", details: { size: 7 } })
})

test("SessionStart runs once, before the first prompt, if its matcher matches this start", async () => {
  const { hook, ran } = hooked("SessionStart", says(0, "hello"), { matcher: "resume", resumed: true })
  const first = await hook.onBeforeAgent?.("p", "s", context)
  assert.deepEqual(first?.messages, [{ role: "user", content: [{ type: "text", text: "hello" }] }])
  assert.equal(await hook.onBeforeAgent?.("p", "s", context), undefined)
  assert.deepEqual(
    ran.map(({ input }) => input["source"]),
    ["resume"],
  )
  const other = hooked("SessionStart", undefined, { matcher: "resume" })
  await other.hook.onBeforeAgent?.("p", "s", context)
  assert.equal(other.ran.length, 0)
})

test("a refused prompt stops the run; Stop can continue it; SubagentStop is the end of a subtask session", async () => {
  const refused = hooked("UserPromptSubmit", says(0, { decision: "block", reason: "no" }))
  assert.deepEqual(await refused.hook.onBeforeAgent?.("p", "s", context), { stop: "no" })
  assert.equal(refused.ran[0]?.input["prompt"], "p")
  for (const [kind, child] of [
    ["Stop", false],
    ["SubagentStop", true],
  ] as const) {
    const { hook, ran } = hooked(kind, says(2, "", "tests"), { child })
    assert.deepEqual(await hook.beforeStop?.({ again: true }, context), { answer: "block", reason: "tests" })
    assert.equal(ran[0]?.input["stop_hook_active"], true)
    assert.equal(hooked(kind, undefined, { child: !child }).hook.beforeStop, undefined)
    assert.deepEqual(await hooked(kind, undefined, { child }).hook.beforeStop?.({ again: false }, context), {
      answer: "ok",
    })
  }
})

test("PreCompact is called for compactions only, and may refuse", async () => {
  const { hook, ran } = hooked("PreCompact", says(2, "", "not now"), { matcher: "manual" })
  const meta = { reason: "manual", focus: "tests" }
  assert.deepEqual(await hook.beforeSessionOp?.("compact", meta, context), { answer: "block", reason: "not now" })
  assert.deepEqual([ran[0]?.input["trigger"], ran[0]?.input["custom_instructions"]], ["manual", "tests"])
  assert.deepEqual(await hook.beforeSessionOp?.("compact", { reason: "limit" }, context), { answer: "ok" })
  assert.deepEqual(await hook.beforeSessionOp?.("fork", {}, context), { answer: "ok" })
  assert.equal(ran.length, 1)
})

test("PreSwitch is called before a switch to another session, and may refuse", async () => {
  const { hook, ran } = hooked("PreSwitch", says(2, "", "not now"), { matcher: "resume" })
  const meta = { kind: "stored", session: "s2" }
  assert.deepEqual(await hook.beforeSessionOp?.("switch", meta, context), { answer: "block", reason: "not now" })
  assert.deepEqual([ran[0]?.input["target"], ran[0]?.input["target_session"]], ["resume", "s2"])
  assert.deepEqual(await hook.beforeSessionOp?.("switch", { kind: "new" }, context), { answer: "ok" })
  assert.deepEqual(await hook.beforeSessionOp?.("compact", meta, context), { answer: "ok" })
  assert.equal(ran.length, 1)
})

test("missing values of a compaction or another session are empty, or left out", async () => {
  const compact = hooked("PreCompact")
  await compact.hook.beforeSessionOp?.("compact", { reason: "limit" }, context)
  assert.deepEqual([compact.ran[0]?.input["trigger"], compact.ran[0]?.input["custom_instructions"]], ["auto", ""])
  const other = hooked("PreSwitch")
  await other.hook.beforeSessionOp?.("switch", { kind: "new", session: 7 }, context)
  assert.deepEqual(
    [other.ran[0]?.input["target"], Object.hasOwn(other.ran[0]?.input ?? {}, "target_session")],
    ["new", false],
  )
})

test("SessionEnd and Notification watch", async () => {
  const end = hooked("SessionEnd")
  await end.hook.watch?.({ event: "session.start", session_id: "s1" }, context)
  await end.hook.watch?.({ event: "session.shutdown", session_id: "s1" }, context)
  assert.deepEqual(
    end.ran.map(({ input }) => input["reason"]),
    ["other"],
  )
  const bell = hooked("Notification", undefined, { matcher: "permission_prompt" })
  const asked = { event: "permission.ask", session_id: "s1", id: "c1", tool: "bash", title: "git push" } as const
  await bell.hook.watch?.(asked, context)
  assert.deepEqual(bell.ran[0]?.input["message"], "Gong needs your permission: git push")
})

test("a command that cannot be started, is killed, or exceeds the output limit, is a failure of the hook", async () => {
  const fails = async (answer: Answer, why: RegExp) => {
    const { hook } = hooked("PreToolUse", answer)
    await assert.rejects(async () => hook.beforeToolCall?.(call, context), why)
  }
  await fails(() => Promise.reject(new Error("spawn bash ENOENT")), /ENOENT/)
  await fails(() => ({ code: null, signal: "SIGSEGV" }), /ended by SIGSEGV/)
  await fails(says(0, "x".repeat(300_000)), /300000 bytes of output; at most 262144 are read/)
})

test("a hook runs only for its matches, and only if its script may run; time spans of earlier hooks stay", async () => {
  const other = hooked("PreToolUse", undefined, { matcher: "Edit" })
  assert.deepEqual(await other.hook.beforeToolCall?.(call, context), { answer: "ok" })
  const changed = hooked("PreToolUse", undefined, {
    runnable: async () => ({ ok: false, problem: "its script has changed" }),
  })
  await assert.rejects(async () => changed.hook.beforeToolCall?.(call, context), /^Error: its script has changed$/)
  const post = hooked("PostToolUse")
  const after = await post.hook.onToolResult?.(call, { ...result, details: { hooks: [1] } }, context)
  assert.deepEqual(after?.details?.["hooks"], [1, { started_at: post.clock.now(), duration_ms: 0 }])
  const [end, none, bell] = [
    hooked("SessionEnd"),
    hooked("SessionEnd", undefined, { matcher: "clear" }),
    hooked("Notification"),
  ]
  const ask = { event: "permission.ask", session_id: "s1", id: "c1", tool: "bash", title: "git push" } as const
  await end.hook.watch?.(ask, context)
  await none.hook.watch?.({ event: "session.shutdown", session_id: "s1" }, context)
  await bell.hook.watch?.({ event: "session.shutdown", session_id: "s1" }, context)
  await hooked("Notification", undefined, { matcher: "x", isMeant: () => assert.fail("not asked") }).hook.watch?.(
    { event: "session.start", session_id: "s1" },
    context,
  )
  assert.deepEqual([...end.ran, ...none.ran, ...bell.ran, ...other.ran, ...changed.ran], [])
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import type {
  Decision,
  Hook,
  HookCall,
  HookEvent,
  PermissionOutcome,
  PermissionRequest,
  Policy,
  PolicyCall,
  Tool,
} from "@gong/spec"
import type { LoopPorts } from "@gong/loop"
import { texts, tool, type World, world } from "../harness.ts"

const bash = tool("bash", (args) => `ran ${String(args["path"])}`)
const notRun = "Not run: the run was stopped before this call began."

/** A policy that answers like `decide`, with the calls it judged and remembered. */
function policyOf(decide: (path: unknown) => Decision): Policy & { readonly log: string[] } {
  const log: string[] = []
  const pathOf = (call: PolicyCall) => String(call.arguments["path"])
  return {
    log,
    decide: async (call) => (log.push(`decide ${pathOf(call)}`), decide(call.arguments["path"])),
    remember: async (call, choice) => void log.push(`remember ${pathOf(call)} ${choice}`),
  }
}

const gate = (answer: Awaited<ReturnType<NonNullable<Hook["beforeToolCall"]>>>): readonly Hook[] => [
  { name: "g", beforeToolCall: async (_: HookCall) => answer },
]

function one(change: Parameters<typeof world>[2]): World {
  return world([{ calls: [{ id: "1", name: "bash", args: { path: "a" } }] }, {}], [bash], change)
}

/** Answers every question in this way, and keeps the questions. */
function answering(outcome: PermissionOutcome) {
  const requests: PermissionRequest[] = []
  const confirm: NonNullable<LoopPorts["confirm"]> = (request) => {
    requests.push(request)
    return { answer: Promise.resolve(outcome) }
  }
  return { requests, confirm }
}

const ask: Decision = { verdict: "ask", reason: "rule" }
const yes: PermissionOutcome = { choice: "once", by: "user" }

test("policy judges a call once, and again only if a gate changed it", async () => {
  for (const [hooksGiven, log] of [
    [[], ["decide a"]],
    [gate({ answer: "ok" }), ["decide a"]],
    [gate({ answer: "ok", arguments: { path: "b" } }), ["decide a", "decide b"]],
  ] as const) {
    const policy = policyOf(() => ({ verdict: "allow" }))
    await one({ policy, hooksGiven }).go()
    assert.deepEqual(policy.log, log)
  }
})

test("while the tape cannot be written, policy is not asked about a change, and none begins", async () => {
  const policy = policyOf(() => ({ verdict: "allow" }))
  const w = one({ policy, refuseChanges: () => "the disk is full." })
  await w.go()
  assert.deepEqual([policy.log, w.results()[0]?.status], [[], "refused"])
  assert.deepEqual(
    w.entries.filter(({ type }) => type === "tool_start"),
    [],
  )
})

test("alternative argument spellings are mapped before the check; arguments that are no object are rejected", async () => {
  const policy = policyOf(() => ({ verdict: "allow" }))
  const mapping = { ...bash, mapArguments: (args: Readonly<Record<string, unknown>>) => ({ path: args["file"] }) }
  const calls = [
    { id: "1", name: "bash", args: { file: "a" } },
    { id: "2", name: "bash", broken: "[1]" },
  ]
  const w = world([{ calls }, {}], [mapping], { policy })
  await w.go()
  assert.deepEqual(policy.log, ["decide a"])
  assert.equal(texts(w.results())[0], "ran a")
  assert.match(texts(w.results())[1] ?? "", /not an object/)
})

test("policy can deny the call that a gate changed", async () => {
  const deny = { verdict: "deny", reason: "r", toModel: "Refused: not b." } as const
  const policy = policyOf((path) => (path === "b" ? deny : { verdict: "allow" }))
  const w = one({ policy, hooksGiven: gate({ answer: "ok", arguments: { path: "b" } }) })
  await w.go()
  assert.deepEqual([texts(w.results()), w.results()[0]?.status], [["Refused: not b."], "refused"])
})

test("a question has the reason of policy; a gate's question does not replace it", async () => {
  const head = { id: "p-1", toolCallId: "1", tool: "bash", args: { path: "a" }, title: "bash a" }
  const suggestedRule = "bash(a)"
  const unsandboxed = "it needs the network"
  const events: unknown[] = []
  const watch = async (event: HookEvent) => {
    if (event.event === "permission.ask") events.push([event.id, event.tool, event.title])
  }
  const asks = [...gate({ answer: "ask", reason: "a hook asks" }), { name: "w", watch }]
  for (const [decision, hooksGiven, expected] of [
    [ask, [], { reason: "rule", choices: ["once", "session", "no"] }],
    [ask, asks, { reason: "rule", choices: ["once", "session", "no"] }],
    [{ verdict: "allow" }, asks, { reason: "a hook asks", choices: ["once", "session", "no"] }],
    [
      { ...ask, rules: { suggestedRule, widerRule: "bash", rulesFile: "/f" }, unsandboxed },
      asks,
      {
        reason: "rule",
        choices: ["once", "session", "always", "no"],
        suggestedRule,
        widerRule: "bash",
        rulesFile: "/f",
        unsandboxed,
      },
    ],
  ] as const) {
    const { requests, confirm } = answering(yes)
    const policy = policyOf(() => decision as Decision)
    const w = one({ policy, hooksGiven, confirm })
    await w.go()
    assert.deepEqual(requests, [{ ...head, ...expected }])
    assert.deepEqual(texts(w.results()), ["ran a"])
    assert.deepEqual(policy.log, ["decide a", "remember a once"])
    const reported = w.steps.flatMap((step) => ("notification" in step ? [step.notification] : []))
    assert.deepEqual(reported.slice(0, 2), [
      { code: "permission_request", ...requests[0] },
      { code: "permission_end", id: "p-1", choice: "once", by: "user" },
    ])
  }
  const reported = ["1", "bash", "bash a"]
  assert.deepEqual(events, [reported, reported, reported])
})

test("a question has the preview of its call; a call that would fail is not asked about; others are asked without one", async () => {
  const preview = { kind: "run", command: "a", cwd: "/w" } as const
  const outcomes: readonly (readonly [Tool["preview"], unknown, string])[] = [
    [async () => ({ ok: true, preview }), [preview], "ran a"],
    [async () => ({ ok: true, preview: null }), [undefined], "ran a"],
    [async () => ({ ok: false, message: "a is not there." }), [], "a is not there."],
    [() => Promise.reject(new Error("broken")), [undefined], "ran a"],
    [
      () => {
        throw new Error("broken")
      },
      [undefined],
      "ran a",
    ],
    // Without an answer the question comes after its time.
    [() => new Promise(() => undefined), [undefined], "ran a"],
  ]
  for (const [show, expected, text] of outcomes) {
    const { requests, confirm } = answering(yes)
    const w = one({ policy: policyOf(() => ask), confirm, tools: () => [{ ...bash, ...(show && { preview: show }) }] })
    const going = w.go()
    await w.clock.advance(2_000)
    await going
    assert.deepEqual(
      requests.map((request) => request.preview),
      expected,
    )
    assert.deepEqual(texts(w.results()), [text])
  }
})

test("a refusal names its source, and is not remembered", async () => {
  const seen: string[] = []
  for (const outcome of [
    { choice: "no", by: "timeout" },
    { choice: "no", by: "mode" },
    { choice: "no", by: "user" },
    { choice: "no", by: "user", message: "use make" },
  ] as const) {
    const policy = policyOf(() => ask)
    const w = one({ policy, confirm: answering(outcome).confirm })
    await w.go()
    assert.deepEqual([policy.log, w.results()[0]?.status], [["decide a"], "refused"])
    seen.push(...texts(w.results()))
  }
  const parts = [
    /the question was not answered in time/,
    /permission level/,
    /the user said no/,
    /The user said: use make$/,
  ]
  for (const [at, part] of parts.entries()) assert.match(seen[at] ?? "", part)
})

test("a call that is permitted after the run was stopped does not run, and is not remembered", async () => {
  const policy = policyOf(() => ask)
  const w: World = one({
    policy,
    confirm: () => {
      w.abort.abort()
      return { answer: Promise.resolve(yes) }
    },
  })
  assert.equal((await w.go()).status, "interrupted")
  assert.deepEqual([texts(w.results()), w.results()[0]?.status], [[notRun], "aborted"])
  assert.deepEqual(policy.log, ["decide a"])
})

test("if a gate stops the run, the next read of the batch is not judged", async () => {
  const policy = policyOf(() => ({ verdict: "allow" }))
  const hook: Hook = { name: "g", beforeToolCall: async () => (w.abort.abort(), { answer: "ok" }) }
  const calls = ["a", "b", "c"].map((path) => ({ id: path, name: "look", args: { path } }))
  const look = tool("look", (args) => String(args["path"]), { readOnly: true })
  const w: World = world([{ calls }, {}], [look], { policy, hooksGiven: [hook] })
  await w.go()
  assert.deepEqual(policy.log, ["decide a"])
  assert.deepEqual(texts(w.results()), ["a", notRun, notRun])
  assert.deepEqual(
    w.results().map(({ status }) => status),
    ["ok", "aborted", "aborted"],
  )
})

test("a refusal that ends a strict run does not hide an abort", async () => {
  const policy = policyOf(() => (w.abort.abort(), { verdict: "deny", reason: "r", toModel: "Refused: no." }))
  const w: World = one({ policy, strict: true })
  assert.equal((await w.go()).status, "interrupted")
  assert.equal(w.results()[0]?.status, "refused")
})

test("calls of a stopped run count as stopped, also if the user sent a message meanwhile", async () => {
  const calls = ["1", "2"].map((id) => ({ id, name: "act" }))
  const act = tool("act", () => {
    w.put("steer", "wait", "after-tool")
    w.abort.abort()
    return "acted"
  })
  const w: World = world([{ calls }, {}], [act])
  await w.go()
  assert.deepEqual(
    w.results().map(({ status }) => status),
    ["ok", "aborted"],
  )
  assert.equal(texts(w.results())[1], notRun)
})

test("a preview receives the files that the session has seen, if that is known", async () => {
  const seen = { files: new Map(), commands: [] }
  for (const [files, expected] of [
    [null, {}],
    [seen, { seen }],
  ] as const) {
    const given: unknown[] = []
    const preview: Tool["preview"] = async (_, context) => {
      given.push(context)
      return { ok: true, preview: null }
    }
    const { confirm } = answering(yes)
    await one({ policy: policyOf(() => ask), confirm, seen: () => files, tools: () => [{ ...bash, preview }] }).go()
    assert.deepEqual(given, [expected])
  }
})

test("arguments are not validated by the schema of a server, which may be slow; the tool has them as they are", async () => {
  const calls = [{ id: "1", name: "bash", args: { path: "a", count: "many" } }]
  for (const [foreignSchema, expected] of [
    [true, ["ok", "ran a"]],
    [false, ["error", null]],
  ] as const) {
    const w = world([{ calls }, {}], [{ ...bash, foreignSchema }])
    await w.go()
    const [result] = w.results()
    assert.equal(result?.status, expected[0])
    if (expected[1] !== null) assert.deepEqual(texts(w.results()), [expected[1]])
    const start = w.entries.find(({ type }) => type === "tool_start")
    assert.equal(start?.type === "tool_start" ? start.title : null, foreignSchema ? "bash a" : null)
  }
})

test("a refusal is a phrase, which can be translated; other results of the loop have only their text", async () => {
  const { confirm } = answering({ choice: "no", by: "user" })
  const refused = one({ policy: policyOf(() => ask), confirm })
  await refused.go()
  const [result] = refused.results()
  assert.equal(result?.status, "refused")
  assert.equal(englishOf(result?.phrase ?? ""), texts(refused.results())[0])
  const broken = world([{ calls: [{ id: "1", name: "bash", broken: "{" }] }, {}], [bash])
  await broken.go()
  assert.equal(broken.results()[0]?.status, "error")
  assert.equal("phrase" in (broken.results()[0] ?? {}), false)
})

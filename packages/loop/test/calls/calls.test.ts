import assert from "node:assert/strict"
import { test } from "node:test"
import type { NewEntry, ToolResult } from "@gong/spec"
import { run } from "@gong/loop"
import { texts, tool, untilAborted, world } from "../harness.ts"

const three = [
  { id: "a", name: "read", args: { path: "A" } },
  { id: "b", name: "read", args: { path: "B" } },
  { id: "c", name: "read", args: { path: "C" } },
]

function gate(): { readonly promise: Promise<void>; open(): void } {
  let open = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open: () => open() }
}

test("[AGENT-4.6] [AGENT-S.23] neighbouring reads run in parallel; results keep call order and ids", async () => {
  const last = gate()
  let running = 0
  let most = 0
  const read = tool(
    "read",
    async (args) => {
      running += 1
      most = Math.max(most, running)
      // The first calls end last: only call order can put them first.
      if (args["path"] !== "C") await last.promise
      if (args["path"] === "C") last.open()
      running -= 1
      return `content ${String(args["path"])}`
    },
    { readOnly: true },
  )
  const w = world([{ calls: three }, { text: "ok" }], [read])
  await w.go()
  assert.equal(most, 3)
  assert.deepEqual(texts(w.results()), ["content A", "content B", "content C"])
  assert.deepEqual(
    w.results().map((result) => result.toolCallId),
    ["a", "b", "c"],
  )
})

test("[AGENT-S.23] gates are called in call order before the batch, and at most four calls run at once", async () => {
  const order: string[] = []
  let running = 0
  let most = 0
  const read = tool(
    "read",
    async (args) => {
      order.push(`run ${String(args["path"])}`)
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return "x"
    },
    { readOnly: true },
  )
  const calls = Array.from({ length: 6 }, (_, i) => ({ id: `c${i}`, name: "read", args: { path: String(i) } }))
  const w = world([{ calls }, { text: "ok" }], [read], {
    hooksGiven: [
      {
        name: "g",
        beforeToolCall: async (call) => (order.push(`gate ${String(call.arguments["path"])}`), { answer: "ok" }),
      },
    ],
  })
  await w.go()
  assert.equal(most, 4)
  assert.deepEqual(order.slice(0, 5), ["gate 0", "gate 1", "gate 2", "gate 3", "run 0"])
  assert.equal(order[8], "gate 4")
})

test("[AGENT-S.17] writing calls run one at a time, also between reads", async () => {
  const log: string[] = []
  const step = (name: string, readOnly: boolean) =>
    tool(
      name,
      async (args) => {
        log.push(`> ${String(args["path"])}`)
        await Promise.resolve()
        log.push(`< ${String(args["path"])}`)
        return "ok"
      },
      { readOnly },
    )
  const calls = [
    { id: "1", name: "read", args: { path: "r1" } },
    { id: "2", name: "edit", args: { path: "e1" } },
    { id: "3", name: "edit", args: { path: "e2" } },
    { id: "4", name: "read", args: { path: "r2" } },
  ]
  const w = world([{ calls }, { text: "ok" }], [step("read", true), step("edit", false)])
  await w.go()
  assert.deepEqual(log, ["> r1", "< r1", "> e1", "< e1", "> e2", "< e2", "> r2", "< r2"])
})

test("[AGENT-S.17] steering takes effect after each writing call, and after a batch of reads", async () => {
  const cases = [
    { steerAt: "e1", ran: ["e1"], all: ["e1", "e2", "r1"] },
    { steerAt: "e2", ran: ["e1", "e2"], all: ["e1", "e2", "r1"] },
    { steerAt: "r1", ran: ["r1", "r2"], all: ["r1", "r2", "e1"] },
  ]
  for (const { steerAt, ran, all } of cases) {
    const log: string[] = []
    const step = (name: string, readOnly: boolean) =>
      tool(
        name,
        async (args) => {
          log.push(String(args["path"]))
          if (args["path"] === steerAt) w.put("steer", "stop", "after-tool")
          await Promise.resolve()
          return "ok"
        },
        { readOnly },
      )
    const calls = all.map((path) => ({ id: path, name: path.startsWith("e") ? "edit" : "read", args: { path } }))
    const w = world([{ calls }, { text: "ok" }], [step("read", true), step("edit", false)])
    await w.go()
    assert.deepEqual(log, ran)
    assert.deepEqual(
      w.results().map(({ status }) => status),
      all.map((path) => (ran.includes(path) ? "ok" : "skipped")),
    )
  }
})

test("[AGENT-S.17] sequential mode runs reads one at a time too", async () => {
  let running = 0
  let most = 0
  const read = tool(
    "read",
    async () => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return "x"
    },
    { readOnly: true },
  )
  await world([{ calls: three }, { text: "ok" }], [read], { toolExecution: "sequential" }).go()
  assert.equal(most, 1)
})

test("a start is on the tape before the effect, and a change before it is made", async () => {
  const atRun: string[][] = []
  const w = world(
    [{ calls: [{ id: "c1", name: "write", args: { path: "f" } }] }, { text: "ok" }],
    [
      tool("write", async (_, context) => {
        atRun.push(w.entries.map((entry) => entry.type))
        await context.record?.({ path: "f", before: null, after: "abc" })
        atRun.push(w.entries.map((entry) => entry.type))
        return "written"
      }),
    ],
  )
  await w.go()
  assert.deepEqual(atRun[0], ["message", "message", "tool_start"])
  assert.deepEqual(atRun[1], ["message", "message", "tool_start", "change"])
})

test("[AGENT-S.22] [AGENT-5.5] a tool that throws gives an error result, and the loop continues", async () => {
  const w = world(
    [{ calls: [{ id: "c1", name: "read" }] }, { text: "I see" }],
    [
      tool("read", () => {
        throw new Error("ENOENT: no such file or directory, open 'gone.txt'")
      }),
    ],
  )
  const ended = await w.go()
  assert.equal(ended.status, "done")
  assert.deepEqual(texts(w.results()), ["ENOENT: no such file or directory, open 'gone.txt'"])
  assert.equal(w.results()[0]?.isError, true)
  assert.deepEqual(w.asked[1]?.at(-1), w.results()[0])
})

test("[AGENT-S.24] an unknown tool gives an error result that names the tools", async () => {
  const w = world([{ calls: [{ id: "c1", name: "delete_all" }] }, { text: "ok" }], [tool("read", () => "x")])
  await w.go()
  assert.match(texts(w.results())[0] ?? "", /no tool "delete_all".*read/)
  assert.ok(!w.entries.some((entry) => entry.type === "tool_start"))
})

test("[AGENT-S.25] invalid arguments give an error result with the location; nothing runs", async () => {
  let ran = false
  const w = world(
    [{ calls: [{ id: "c1", name: "read", args: { path: 5 } }] }, { text: "ok" }],
    [tool("read", () => ((ran = true), "x"))],
  )
  await w.go()
  assert.match(texts(w.results())[0] ?? "", /\/path must be string/)
  assert.equal(ran, false)
})

test("[TOOLDEF-12] text becomes a number where the schema requires one; a number never becomes text", async () => {
  let seen: unknown
  const w = world(
    [{ calls: [{ id: "c1", name: "read", args: { path: "p", count: "10" } }] }, { text: "ok" }],
    [tool("read", (args) => ((seen = args["count"]), "x"))],
  )
  await w.go()
  assert.equal(seen, 10)
  const start = w.entries.find((entry) => entry.type === "tool_start")
  assert.deepEqual(start?.type === "tool_start" && start.arguments, { path: "p", count: 10 })
})

test("[AGENT-5.2] arguments that are not JSON give a result that shows the syntax error", async () => {
  const w = world(
    [{ calls: [{ id: "c1", name: "read", broken: '{"path": "a" "b"}' }] }, { text: "ok" }],
    [tool("read", () => "x")],
  )
  const ended = await w.go()
  assert.equal(ended.status, "done")
  assert.match(texts(w.results())[0] ?? "", /not valid JSON[\s\S]*Near:/)
})

test("arguments that are nested too deep give an error result, and the loop continues", async () => {
  const broken = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`
  const w = world([{ calls: [{ id: "c1", name: "read", broken }] }, { text: "ok" }], [tool("read", () => "x")])
  assert.equal((await w.go()).status, "done")
  assert.deepEqual(
    [texts(w.results()), w.results()[0]?.status],
    [
      [
        "The arguments of read are nested more than 500 levels deep. Nothing was run. Send the call again with arguments of few levels.",
      ],
      "error",
    ],
  )
})

test("[AGENT-S.26] a tool that exceeds its limit gives the time-out result, and the loop continues", async () => {
  const stuck = tool("wait", async () => (await w.clock.advance(605_000), new Promise<string>(() => undefined)))
  const w = world([{ calls: [{ id: "c1", name: "wait" }] }, { text: "ok" }], [stuck])
  assert.equal((await w.go()).status, "done")
  assert.deepEqual(texts(w.results()), ["Tool execution timed out"])
  assert.deepEqual([w.results()[0]?.status, w.results()[0]?.isError], ["timeout", true])

  const late = tool("wait", async () => (await brisk.clock.advance(599_999), "in time"))
  const brisk = world([{ calls: [{ id: "c1", name: "wait" }] }, { text: "ok" }], [late])
  await brisk.go()
  assert.deepEqual(texts(brisk.results()), ["in time"])
})

test("[AGENT-1.4] [AGENT-S.16] [AGENT-S.27] steering now stops the running command and skips the rest; every call has a result", async () => {
  const bash = tool(
    "bash",
    (_, context) => {
      queueMicrotask(() => {
        w.put("steer", "first", "now")
        w.put("steer", "second", "now")
      })
      return untilAborted(context.signal)
    },
    { interruptible: true },
  )
  const calls = ["1", "2", "3"].map((id) => ({ id, name: "bash" }))
  const w = world([{ calls }, { text: "as you wish" }], [bash])
  await w.go()
  assert.deepEqual(texts(w.results()), [
    "Command aborted",
    "Skipped due to queued user message",
    "Skipped due to queued user message",
  ])
  assert.deepEqual(
    w.results().map((result) => [result.status, result.isError]),
    [
      ["aborted", true],
      ["skipped", true],
      ["skipped", true],
    ],
  )
  const asked = w.asked[1] ?? []
  const printed = asked.slice(-2).map((message) => (message.content[0]?.type === "text" ? message.content[0].text : ""))
  assert.deepEqual(printed, ["first", "second"])
})

test("[BDD-AGENT-031] steering after-tool lets the running command end, then skips the rest; a write is never interrupted", async () => {
  for (const when of ["after-tool", "now"] as const) {
    const done = gate()
    const work = tool(
      "work",
      async (_, context) => {
        w.put("steer", "stop", when)
        await done.promise
        return context.signal.aborted ? "was aborted" : "finished"
      },
      // "now" does not interrupt a tool that writes.
      { interruptible: when === "after-tool" },
    )
    const w = world(
      [
        {
          calls: [
            { id: "1", name: "work" },
            { id: "2", name: "work" },
          ],
        },
        { text: "ok" },
      ],
      [work],
    )
    const going = w.go()
    done.open()
    await going
    assert.deepEqual(texts(w.results()), ["finished", "Skipped due to queued user message"], when)
  }
})

test("[AGENT-1.6] an abort stops the running tool, gives every call a result, and ends the run as interrupted", async () => {
  const bash = tool("bash", (_, context) => (queueMicrotask(() => w.abort.abort()), untilAborted(context.signal)))
  const w = world(
    [
      {
        calls: [
          { id: "1", name: "bash" },
          { id: "2", name: "bash" },
        ],
      },
      { text: "never" },
    ],
    [bash],
  )
  const ended = await w.go()
  assert.equal(ended.status, "interrupted")
  assert.deepEqual(
    w.results().map((result) => result.status),
    ["aborted", "aborted"],
  )
  assert.equal(w.asked.length, 1)
  assert.equal(w.entries.filter((entry) => entry.type === "tool_start").length, 1)
})

test("a tool that ignores the abort does not delay the run", async () => {
  const deaf = tool("deaf", async () => {
    w.abort.abort()
    await w.clock.advance(5_000)
    return new Promise<string>(() => undefined)
  })
  const w = world([{ calls: [{ id: "1", name: "deaf" }] }], [deaf])
  assert.equal((await w.go()).status, "interrupted")
  assert.deepEqual(texts(w.results()), ["Operation aborted"])
})

test("an early return of the run stops its tools and waits for their end", async () => {
  let alive = 0
  const slow = tool("slow", async (_, context) => {
    alive += 1
    context.onProgress("started")
    await untilAborted(context.signal).catch(() => undefined)
    alive -= 1
    return "late"
  })
  const w = world([{ calls: [{ id: "1", name: "slow" }] }], [slow])
  const generator = run(w.ports)
  for (;;) {
    const { value, done } = await generator.next()
    if (done) break
    if ("entries" in value) w.entries.push(...value.entries)
    if ("partial" in value && value.partial.type === "progress") break
  }
  assert.equal(alive, 1)
  w.abort.abort()
  await generator.return({ status: "interrupted", turns: 0 })
  assert.equal(alive, 0)
})

test("[HOOK-2.2] [HOOK-2.3] [HOOK-P.2] [HOOK-S.04] a gate that blocks stops the call; later gates are not called", async () => {
  const asked: string[] = []
  const bash = tool("bash", () => (asked.push("ran"), "ran"))
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }], [bash], {
    hooksGiven: [
      { name: "a", beforeToolCall: async () => (asked.push("a"), { answer: "ok" }) },
      { name: "b", beforeToolCall: async () => (asked.push("b"), { answer: "block", reason: "禁止" }) },
      { name: "c", beforeToolCall: async () => (asked.push("c"), { answer: "ok" }) },
    ],
  })
  await w.go()
  assert.deepEqual(asked, ["a", "b"])
  assert.deepEqual(texts(w.results()), ["Refused: 禁止. Nothing was run."])
  assert.deepEqual([w.results()[0]?.status, w.results()[0]?.isError], ["refused", true])
  assert.deepEqual(w.asked[1]?.at(-1), w.results()[0], "the model reads it")
})

test("[HOOK-P.1] [HOOK-S.03] a gate that throws or returns an invalid answer passes and is reported", async () => {
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }], [tool("bash", () => "ran")], {
    hooksGiven: [
      { name: "a", beforeToolCall: async () => Promise.reject(new Error("oops")) },
      { name: "b", beforeToolCall: async () => "yes" as never },
    ],
  })
  await w.go()
  assert.deepEqual(texts(w.results()), ["ran"])
  const notifications = w.steps.flatMap((step) =>
    "notification" in step && "text" in step.notification ? [step.notification.text] : [],
  )
  assert.equal(notifications.length, 2)
  assert.match(notifications[0] ?? "", /oops/)
})

test("[HOOK-S.28] a gate that hangs blocks", async () => {
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }], [tool("bash", () => "ran")], {
    hooksGiven: [],
  })
  const { hookRunner } = await import("@gong/loop")
  const hang = {
    name: "h",
    beforeToolCall: async () => (await w.clock.advance(5_000), new Promise<never>(() => undefined)),
  }
  w.ports = { ...w.ports, hooks: hookRunner([hang], { clock: w.clock, sessionId: "s" }) }
  await w.go()
  assert.equal(w.results()[0]?.status, "refused")
  assert.match(texts(w.results())[0] ?? "", /gave no answer in time/)
})

test("[HOOK-3.1] [HOOK-3.2] [HOOK-3.3] [TOOLRES-006] [HOOK-S.01] pipes change the content in order; details stay", async () => {
  const result: ToolResult = {
    content: [{ type: "text", text: "key=SECRET" }],
    details: { exit_code: 0 },
    isError: false,
  }
  const suffix = (name: string, mark: string) => ({
    name,
    onToolResult: async (_: unknown, value: { content: readonly unknown[] }) => ({
      ...value,
      content: [
        {
          type: "text" as const,
          text: `${(value.content[0] as { text: string }).text.replace("SECRET", "[REDACTED]")}${mark}`,
        },
      ],
    }),
  })
  const w = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }], [tool("bash", async () => result)], {
    hooksGiven: [suffix("a", "[a]") as never, suffix("b", "[b]") as never],
  })
  await w.go()
  assert.deepEqual(texts(w.results()), ["key=[REDACTED][a][b]"])
  assert.deepEqual(w.asked[1]?.at(-1), w.results()[0], "the model reads that")
  assert.deepEqual(w.results()[0]?.details, { exit_code: 0 })
})

test("arguments replaced by a gate are checked again, by the schema and by policy", async () => {
  const judged: unknown[] = []
  const policy = {
    decide: async (call: { arguments: unknown }) => (judged.push(call.arguments), { verdict: "allow" as const }),
    remember: async () => undefined,
  }
  const replace = (args: Record<string, unknown>) => ({
    name: "r",
    beforeToolCall: async () => ({ answer: "ok" as const, arguments: args }),
  })
  const good = world(
    [{ calls: [{ id: "1", name: "bash", args: { path: "a" } }] }, { text: "ok" }],
    [tool("bash", (args) => String(args["path"]))],
    {
      policy,
      hooksGiven: [replace({ path: "b" })],
    },
  )
  await good.go()
  assert.deepEqual(texts(good.results()), ["b"])
  assert.deepEqual(judged, [{ path: "a" }, { path: "b" }])

  const bad = world([{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }], [tool("bash", () => "ran")], {
    hooksGiven: [replace({ path: 7 })],
  })
  await bad.go()
  assert.match(texts(bad.results())[0] ?? "", /must be string/)
})

test("a tool gets the variables of the policy decision, also if a gate requires permission", async () => {
  const policy = {
    decide: async () => ({ verdict: "allow" as const, env: { GIT_DIR: "/w/.git" } }),
    remember: async () => undefined,
  }
  const bash = tool("bash", (_, { env }) => JSON.stringify(env ?? null))
  const turns = [{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }]
  const asks = { name: "g", beforeToolCall: async () => ({ answer: "ask" as const, reason: "sure?" }) }
  const confirm = () => ({ answer: Promise.resolve({ choice: "once", by: "user" }) })
  for (const given of [{ policy }, { policy, hooksGiven: [asks], confirm }]) {
    const w = world(turns, [bash], given as never)
    await w.go()
    assert.deepEqual(texts(w.results()), ['{"GIT_DIR":"/w/.git"}'])
  }
  const plain = world(turns, [bash], {})
  await plain.go()
  assert.deepEqual(texts(plain.results()), ["null"])
})

test("a denied call gets a result; with --strict it ends the run, and the rest is skipped", async () => {
  const policy = {
    decide: async () => ({ verdict: "deny" as const, reason: "r", toModel: 'Refused: "x" needs permission.' }),
    remember: async () => undefined,
  }
  const calls = [
    { id: "1", name: "bash" },
    { id: "2", name: "bash" },
  ]
  const gentle = world([{ calls }, { text: "then not" }], [tool("bash", () => "ran")], { policy })
  assert.equal((await gentle.go()).status, "done")
  const strict = world([{ calls }, { text: "never" }], [tool("bash", () => "ran")], { policy, strict: true })
  const ended = await strict.go()
  assert.deepEqual([ended.status, ended.failure?.kind], ["refused", "denied"])
  assert.deepEqual(
    strict.results().map((result) => result.status),
    ["refused", "skipped"],
  )
})

test("a call that no permission could allow is an error and not a refusal: --strict continues", async () => {
  const policy = {
    decide: async () => ({
      verdict: "deny" as const,
      reason: "r",
      toModel: "ELOOP: a: ...",
      impossible: true as const,
    }),
    remember: async () => undefined,
  }
  const it = world([{ calls: [{ id: "1", name: "read" }] }, { text: "then not" }], [tool("read", () => "ran")], {
    policy,
    strict: true,
  })
  assert.equal((await it.go()).status, "done")
  assert.deepEqual([it.results()[0]?.status, ...texts(it.results())], ["error", "ELOOP: a: ..."])
})

test("permission: yes runs the call, session is remembered, no is reported with its reason", async () => {
  const remembered: string[] = []
  const policy = {
    decide: async () => ({ verdict: "ask" as const, reason: "rule" }),
    remember: async (_: unknown, choice: string) => void remembered.push(choice),
  }
  const answers = [
    { choice: "once" as const },
    { choice: "session" as const },
    { choice: "no" as const, message: "use make" },
  ]
  const calls = ["1", "2", "3"].map((id) => ({ id, name: "bash" }))
  const w = world([{ calls }, { text: "ok" }], [tool("bash", () => "ran")], {
    policy,
    confirm: () => ({ answer: Promise.resolve({ by: "user", ...(answers.shift() ?? { choice: "no" }) }) }),
  })
  await w.go()
  assert.deepEqual(texts(w.results()).slice(0, 2), ["ran", "ran"])
  assert.match(texts(w.results())[2] ?? "", /use make/)
  assert.deepEqual(remembered, ["once", "session"])
  const codes = w.steps.flatMap((step) => ("notification" in step ? [step.notification.code] : []))
  assert.deepEqual(codes.slice(0, 2), ["permission_request", "permission_end"])
})

test("while the tape cannot be written, tools that change things are refused and reads run", async () => {
  const calls = [
    { id: "1", name: "write" },
    { id: "2", name: "read" },
  ]
  const w = world(
    [{ calls }, { text: "ok" }],
    [tool("write", () => "ran"), tool("read", () => "read", { readOnly: true })],
    {
      refuseChanges: () => "the disk is full.",
    },
  )
  await w.go()
  assert.match(texts(w.results())[0] ?? "", /disk is full/)
  assert.equal(texts(w.results())[1], "read")
})

test("known secrets are redacted in content, details and progress", async () => {
  const partials: string[] = []
  const image = { type: "image", mimeType: "image/png", data: "sk-1" } as const
  const w = world(
    [{ calls: [{ id: "1", name: "bash" }] }, { text: "ok" }],
    [
      tool("bash", async (_, context) => {
        context.onProgress("key sk-1")
        return {
          content: [{ type: "text", text: "sk-1" }, image],
          details: { command: "echo sk-1", deep: ["sk-1"] },
          isError: false,
        }
      }),
    ],
    { redact: (text) => text.replaceAll("sk-1", "[key]") },
  )
  await w.go()
  for (const step of w.steps)
    if ("partial" in step && step.partial.type === "progress") partials.push(step.partial.delta)
  assert.deepEqual(partials, ["key [key]"])
  assert.deepEqual(w.results()[0]?.content, [{ type: "text", text: "[key]" }, image])
  assert.deepEqual(w.results()[0]?.details, { command: "echo [key]", deep: ["[key]"] })
})

test("every call has exactly one result in every case", async () => {
  const entries = (w: { entries: readonly NewEntry[] }) =>
    w.entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "tool" ? [entry.message.toolCallId] : [],
    )
  const calls = [
    { id: "1", name: "read" },
    { id: "2", name: "nope" },
    { id: "3", name: "read", broken: "{" },
    { id: "4", name: "read", args: { path: [] as unknown } },
    { id: "5", name: "boom" },
  ]
  const boom = tool("boom", () => Promise.reject(new Error("x")))
  const w = world([{ calls }, { text: "ok" }], [tool("read", () => "x", { readOnly: true }), boom])
  await w.go()
  assert.deepEqual(entries(w), ["1", "2", "3", "4", "5"])
})

test("ids differ in the part that is sent, the one before the bar", async () => {
  const read = tool("read", () => "x", { readOnly: true })
  const call = (id: string) => ({ id, name: "read" })
  const calls = [call("call_0|fc_1"), call("call_0|fc_2"), call("call_1|fc_3")]
  const w = world([{ calls }, { calls: [call("call_1")] }, { text: "ok" }], [read])
  await w.go()
  const ids = w.results().map((result) => result.toolCallId)
  assert.deepEqual(ids, ["call_0|fc_1", "call_0_2|fc_2", "call_1|fc_3", "call_1_2"])
})

test("reused call ids of a server are made unique, across turns and within a reply", async () => {
  const read = tool("read", (args) => `content ${String(args["path"])}`, { readOnly: true })
  const again = (path: string) => ({ id: "call_0", name: "read", args: { path } })
  const w = world([{ calls: [again("A"), again("B")] }, { calls: [again("C")] }, { text: "ok" }], [read])
  await w.go()
  const ids = w.results().map((result) => result.toolCallId)
  assert.deepEqual(ids, ["call_0", "call_0_2", "call_0_3"])
  assert.deepEqual(texts(w.results()), ["content A", "content B", "content C"])
  const replies = w.entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
  )
  const called = replies.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])),
  )
  assert.deepEqual(called, ids)
})

test("a tool that records changes has its start written with the change, before the effect; without a change, with the result", async () => {
  const steps = (w: ReturnType<typeof world>) =>
    w.steps.flatMap((step) => ("entries" in step ? [step.entries.map((entry) => entry.type).join(" ")] : []))
  const atEffect: string[] = []
  const edit = {
    ...tool("edit", async (args, context) => {
      if (args["path"] === "f") await context.record?.({ path: "f", before: null, after: "abc" })
      atEffect.push(w.entries.map((entry) => entry.type).join(" "))
      return "done"
    }),
    recordsChanges: true,
  }
  const w = world(
    [{ calls: [{ id: "1", name: "edit", args: { path: "f" } }] }, { calls: [{ id: "2", name: "edit" }] }, {}],
    [edit],
  )
  await w.go()
  assert.deepEqual(steps(w), [
    "message",
    "message tool_start change",
    "message",
    "message tool_start message",
    "message",
    "run_end",
  ])
  assert.equal(atEffect[0], "message message tool_start change")
})

test("the start of a slow read is written after 20 ms, without waiting for its end", async () => {
  const seen: string[] = []
  const slow = tool(
    "read",
    async () => {
      await w.clock.advance(19)
      seen.push(w.entries.map((entry) => entry.type).join(" "))
      await w.clock.advance(1)
      seen.push(w.entries.map((entry) => entry.type).join(" "))
      return "late"
    },
    { readOnly: true },
  )
  const w = world([{ calls: [{ id: "1", name: "read" }] }, {}], [slow])
  await w.go()
  assert.deepEqual(seen, ["message", "message message tool_start"])
})

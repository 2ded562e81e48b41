import assert from "node:assert/strict"
import { test } from "node:test"
import { type AskUser, type CallContext, createServer, type ServerRecord } from "@gong/mcp"
import { type Dialog, englishOf, isRecord, type Phrase } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { type LoginChallenge, LoginNeeded } from "../../src/oauth/login-needed.ts"
import { answers, inProcess } from "./in-process.ts"

interface Options {
  readonly login?: ((challenge: LoginChallenge) => Promise<void>) | null
  readonly callTime?: number
  /** How often a start requires a login first. */
  readonly refusals?: number
  readonly record?: ServerRecord | null
}

/** A guard over a server in this process, and what it reports. */
function open(answer: Parameters<typeof inProcess>[0] = answers, given: Options = {}) {
  const { login = null, callTime = 600_000, refusals = 0, record = null } = given
  const server = inProcess(answer)
  const saved: ServerRecord[] = []
  const logged: string[] = []
  const changed: (string | null)[] = []
  let starts = 0
  const guard = createServer({
    name: "fixture",
    version: "0",
    clock: manualClock(),
    record: { load: () => saved.at(-1) ?? record, save: (next) => void saved.push(next) },
    async endpoint() {
      starts += 1
      if (starts <= refusals) throw new LoginNeeded({ scope: `s${starts}` })
      return { kind: "stdio", start: server.start }
    },
    roots: () => ["file:///work"],
    login,
    callTime,
    log: (line) => void logged.push(line),
    onChanged: (line: Phrase | null) => void changed.push(line === null ? null : englishOf(line)),
  })
  return { server, guard, saved, logged, changed }
}

/** Answers each dialog with this choice; none: no answer. */
function user(choice?: string) {
  const dialogs: Dialog[] = []
  const ask: AskUser = async (dialog) => {
    dialogs.push(dialog)
    return { by: "user", ...(choice !== undefined && { choice }) }
  }
  return { ask, dialogs }
}

function context(ask?: AskUser, more: Partial<CallContext> = {}): CallContext {
  return { signal: AbortSignal.any([]), session: 0, onProgress: () => undefined, ...(ask && { ask }), ...more }
}

/** The answers of a server with other answers to some methods. */
const withAnswers =
  (own: Readonly<Record<string, unknown>>) =>
  (method: string): unknown =>
    Object.hasOwn(own, method) ? own[method] : answers(method)

const capabilities = (offered: object) => ({
  initialize: { ...(answers("initialize") as object), capabilities: offered },
})

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resolve) => setImmediate(resolve))
}

const toolsOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, description: `Tool ${name}.`, inputSchema: { type: "object" } }))

/** A server whose tools were accepted, and that has other ones at its second start. */
async function changedServer(before: readonly object[], after: readonly object[]) {
  let tools = before
  const opened = open((method) => (method === "tools/list" ? { tools } : answers(method)))
  await opened.guard.start(context())
  await opened.guard.end()
  tools = after
  await opened.guard.start(context())
  return opened
}

test("before its first start a server has no known tools; its state has its revision and title while it runs", async () => {
  const { guard, saved } = open(withAnswers(capabilities({ tools: {}, resources: {} })))
  assert.deepEqual(
    [guard.name, guard.tools(), guard.prompts(), guard.hasResources, guard.changes(), guard.problems()],
    ["fixture", null, [], false, [], []],
  )
  await guard.start(context())
  assert.deepEqual(guard.state(), { kind: "ready", revision: "2025-11-25", title: "fixture 1" })
  assert.deepEqual(guard.tools(), [
    { name: "echo", exposed: "fixture__echo", description: "Echo.", schema: { type: "object" } },
  ])
  assert.equal(guard.hasResources, true)
  assert.deepEqual(saved, [
    { tools: guard.tools(), withdrawn: [], era: { kind: "legacy" }, prompts: [], resources: true },
  ])
  await guard.end()
  await guard.start(context())
  assert.equal(saved.length, 1, "an unchanged record is not saved again")
  await guard.end()
})

test("a server that offers no tools has none, and is not asked for lists that it does not offer", async () => {
  const { guard, server } = open(withAnswers(capabilities({})))
  await guard.start(context())
  assert.deepEqual([guard.tools(), guard.hasResources], [[], false])
  assert.deepEqual(
    server.received.filter((method) => method.endsWith("/list")),
    [],
  )
  await guard.end()
})

test("a remembered server has its tools, prompts and resources before its start", async () => {
  const tools = [{ name: "a", exposed: "fixture__a", description: "", schema: { type: "object" } }]
  const prompts = [{ name: "p", description: "", arguments: [] }]
  const record = { tools, withdrawn: [], era: null, prompts, resources: true }
  const { guard, server } = open(answers, { record })
  assert.deepEqual([guard.tools(), guard.prompts(), guard.hasResources, guard.changes()], [tools, prompts, true, []])
  assert.equal(server.starts, 0)
})

test("problems of the definitions are listed", async () => {
  const { guard } = open(withAnswers({ "tools/list": { tools: [...toolsOf("a"), ...toolsOf("b c")] } }))
  await guard.start(context())
  assert.deepEqual(guard.problems(), ['the name "b c" is not allowed'])
  await guard.end()
})

test("prompts and resources are read with their arguments", async () => {
  const asked: unknown[] = []
  const { guard } = open((method, params) => {
    if (method === "initialize") return capabilities({ prompts: {}, resources: {} }).initialize
    asked.push([method, isRecord(params) ? (params["uri"] ?? [params["name"], params["arguments"]]) : null])
    if (method === "prompts/list") return { prompts: [{ name: "p", description: "d" }] }
    if (method === "prompts/get") return { messages: [] }
    if (method === "resources/list") return { resources: [{ uri: "a:b", name: "n" }] }
    if (method === "resources/read") return { contents: [{ uri: "a:b", text: "t" }] }
    return answers(method)
  })
  assert.deepEqual(await guard.prompt("p", { x: "1" }, context()), { messages: [] })
  assert.deepEqual(guard.prompts(), [{ name: "p", description: "d", arguments: [] }])
  assert.deepEqual(await guard.resources(context()), [{ uri: "a:b", name: "n" }])
  assert.deepEqual(await guard.resource("a:b", context()), { contents: [{ uri: "a:b", text: "t" }] })
  assert.deepEqual(
    asked.filter((one) => Array.isArray(one) && /get|read/.test(String(one[0]))),
    [
      ["prompts/get", ["p", { x: "1" }]],
      ["resources/read", "a:b"],
    ],
  )
  await guard.end()
})

test("a call of an unknown tool is refused", async () => {
  const { guard } = open()
  const { ask, dialogs } = user("yes")
  await assert.rejects(guard.call("none", {}, context(ask)), { message: "fixture has no tool none" })
  assert.equal(dialogs.length, 0)
  await guard.end()
})

test("a call of a changed tool asks for all changes; yes accepts them", async () => {
  const { guard, changed, saved } = await changedServer(toolsOf("a", "b"), [
    ...toolsOf("b"),
    { name: "c", description: "New.", inputSchema: { type: "object" } },
  ])
  assert.deepEqual(
    guard.tools()?.map(({ name }) => name),
    ["b"],
  )
  const { ask, dialogs } = user("yes")
  await guard.call("b", {}, context(ask))
  assert.equal(dialogs.length, 0)
  await guard.call("c", {}, context(ask))
  assert.deepEqual(
    dialogs.map(({ question }) => question),
    [
      'The MCP server fixture has changed its tools since you accepted them:\n+ c\n+   New.\n+   {"type":"object"}\nUse them as they are now?',
    ],
  )
  assert.deepEqual([changed, guard.changes()], [[null], []])
  assert.deepEqual(
    saved.at(-1)?.tools.map(({ name }) => name),
    ["b", "c", "a"],
  )
  assert.deepEqual(saved.at(-1)?.withdrawn, ["a"])
  await guard.end()
})

test("a changed tool stays off without a yes, and without a user", async () => {
  const { guard, changed } = await changedServer(toolsOf("a"), [
    { name: "a", description: "Other.", inputSchema: { type: "object" } },
  ])
  const refused = {
    message:
      "fixture has changed the tool a since the user accepted it, so it is off. The user can accept it: gong mcp trust fixture",
  }
  const { ask, dialogs } = user("no")
  await assert.rejects(guard.call("a", {}, context(ask)), refused)
  await assert.rejects(guard.call("a", {}, context()), refused)
  assert.deepEqual([dialogs.length, changed], [1, []])
  assert.deepEqual(
    guard.changes().map(({ kind }) => kind),
    ["changed"],
  )
  guard.accept()
  assert.deepEqual([guard.changes(), changed], [[], [null]])
  await guard.call("a", {}, context())
  await guard.end()
})

test("a removed tool cannot be called; its acceptance removes it", async () => {
  const { guard } = await changedServer(toolsOf("a", "b"), toolsOf("b"))
  assert.deepEqual(guard.changes(), [])
  await assert.rejects(guard.call("a", {}, context()), { message: "fixture has no tool a" })
  await guard.end()
})

test("a question shows at most 200 lines of changes", async () => {
  const description = Array.from({ length: 250 }, (_, at) => `line ${at}`).join("\n")
  const { guard } = await changedServer(toolsOf("a"), [
    ...toolsOf("a"),
    { name: "c", description, inputSchema: { type: "object" } },
  ])
  const { ask, dialogs } = user()
  await assert.rejects(guard.call("c", {}, context(ask)))
  const lines = (dialogs[0]?.question ?? "").split("\n")
  assert.deepEqual([lines.length, lines[1], lines.at(-2)], [202, "+ c", "+   line 198"])
  await guard.end()
})

test("without a login, or without consent, a server that requires one says how to log in", async () => {
  const needed = { message: "the MCP server fixture requires a login: gong mcp login fixture" }
  const logins: unknown[] = []
  const login = async (challenge: LoginChallenge) => void logins.push(challenge.scope)
  const none = open(answers, { refusals: 9 })
  const { ask, dialogs } = user("yes")
  await assert.rejects(none.guard.start(context(ask)), needed)
  assert.equal(dialogs.length, 0)
  assert.deepEqual(none.guard.state(), { kind: "login" })
  const { guard } = open(answers, { refusals: 9, login })
  await assert.rejects(guard.start(context()), needed)
  const refuses = user("no")
  await assert.rejects(guard.start(context(refuses.ask)), needed)
  assert.deepEqual(
    refuses.dialogs.map(({ question, choices }) => [question, choices.map(({ label }) => label)]),
    [["The MCP server fixture requires a login. Log in now?", ["yes", "no"]]],
  )
  assert.deepEqual(logins, [])
})

test("with consent a call logs in up to three times", async () => {
  for (const [refusals, works] of [
    [3, true],
    [4, false],
  ] as const) {
    const logins: unknown[] = []
    const { guard } = open(answers, { refusals, login: async ({ scope }) => void logins.push(scope) })
    const { ask, dialogs } = user("yes")
    const call = guard.call("echo", {}, context(ask))
    if (works) await call
    else await assert.rejects(call, /requires a login: gong mcp login fixture/)
    assert.deepEqual([logins, dialogs.length], [["s1", "s2", "s3"], 3])
    assert.equal(guard.state().kind, works ? "ready" : "login")
    await guard.end()
  }
})

test("an ordered login needs no consent, up to three times; a program has none", async () => {
  for (const [refusals, works] of [
    [0, true],
    [3, true],
    [4, false],
  ] as const) {
    const logins: unknown[] = []
    const { guard } = open(answers, { refusals, login: async ({ scope }) => void logins.push(scope) })
    const done = guard.login(context())
    if (works) await done
    else await assert.rejects(done, { message: "the server requires a login" })
    assert.deepEqual(logins, ["s1", "s2", "s3"].slice(0, refusals))
    await guard.end()
  }
  const { guard } = open()
  await assert.rejects(guard.login(context()), {
    message: "fixture is a program on this machine, which has no login.",
  })
})

const question = {
  method: "elicitation/create",
  params: { message: "Sure?", requestedSchema: { type: "object", properties: {} } },
}

test("a question of the server reaches the session whose call runs", async () => {
  const held = (method: string) => (method === "tools/call" ? undefined : answers(method))
  const { server, guard } = open(held)
  await guard.start(context())
  const { ask, dialogs } = user("yes")
  const reply = async (id: string, ...contexts: readonly CallContext[]) => {
    const stop = new AbortController()
    const calls = contexts.map((one) => guard.call("echo", {}, { ...one, signal: stop.signal }).catch(() => undefined))
    const before = server.received.length
    await until(() => server.received.length >= before + contexts.length)
    server.send({ id, ...question })
    await until(() => server.replies.some((one) => one["id"] === id))
    stop.abort()
    await Promise.all(calls)
    return server.replies.find((one) => one["id"] === id)?.["result"]
  }
  assert.deepEqual(await reply("1", context(ask)), { action: "accept" })
  assert.equal(dialogs[0]?.question, "The MCP server fixture asks: Sure?")
  assert.deepEqual(await reply("2", context()), { action: "cancel" })
  assert.deepEqual(await reply("3", context(ask), context(ask)), { action: "accept" })
  assert.deepEqual(await reply("4", context(ask), context(ask, { session: 1 })), { action: "cancel" })
  assert.deepEqual(await reply("5"), { action: "cancel" }, "no call runs")
  assert.equal(dialogs.length, 2)
  await guard.end()
})

test("a server gets the roots, and its messages are logged", async () => {
  const { server, guard, logged } = open()
  await guard.start(context())
  server.send({ id: "r", method: "roots/list" })
  server.send({ method: "notifications/message", params: { level: "info", data: "text" } })
  server.send({ method: "notifications/message", params: { level: "error", data: { a: 1 } } })
  await until(() => server.replies.length > 0 && logged.some((line) => line.startsWith("error")))
  assert.deepEqual(server.replies[0]?.["result"], { roots: [{ uri: "file:///work" }] })
  assert.deepEqual(logged.slice(-2), ["info: text", 'error: {"a":1}'])
  await guard.end()
})

test("the progress of a call is a line with its message and count", async () => {
  const lines: string[] = []
  let call: { readonly id: unknown; readonly token: unknown } | null = null
  const { server, guard } = open((method, params, id) => {
    if (method !== "tools/call") return answers(method)
    const meta = isRecord(params) && isRecord(params["_meta"]) ? params["_meta"] : {}
    call = { id, token: meta["progressToken"] }
    return undefined
  })
  const done = guard.call("echo", { a: 1 }, context(undefined, { onProgress: (text) => void lines.push(text) }))
  await until(() => call !== null)
  const { id, token } = call ?? { id: 0, token: 0 }
  for (const progress of [{ progress: 1 }, { progress: 2, total: 4 }, { progress: 3, total: 4, message: "m" }])
    server.send({ method: "notifications/progress", params: { progressToken: token, ...progress } })
  await until(() => lines.length === 3)
  server.send({ id, result: { content: [] } })
  assert.deepEqual(await done, { content: [] })
  assert.deepEqual(lines, ["1\n", "2/4\n", "m 3/4\n"])
  await guard.end()
})

test("a call that is not answered in its time, and errors of the server, are failures with their reason", async () => {
  const silent = open((method) => (method === "tools/call" ? undefined : answers(method)), { callTime: 5 })
  await assert.rejects(silent.guard.call("echo", {}, context()), {
    message: "the server did not answer within 0.005 s",
  })
  await silent.guard.end()
  const fails = open(withAnswers({ "tools/call": new Error("no such thing") }))
  await assert.rejects(fails.guard.call("echo", {}, context()), /no such thing/)
  await fails.guard.end()
  const elicitations = ["https://a.example/1", "https://a.example/2"].map((url) => ({
    mode: "url",
    url,
    message: "m",
    elicitationId: url,
  }))
  const urls = open((method, _, id) => {
    if (method !== "tools/call") return answers(method)
    urls.server.send({ id, error: { code: -32_042, message: "open it", data: { elicitations } } })
    return undefined
  })
  await assert.rejects(urls.guard.call("echo", {}, context()), {
    message: "the server wants the user to open https://a.example/1, https://a.example/2 first",
  })
  await urls.guard.end()
  const dies = open((method) =>
    method === "tools/call" ? void setImmediate(() => dies.server.die()) : answers(method),
  )
  await assert.rejects(dies.guard.call("echo", {}, context()), {
    message: "the server is gone: it ended with signal SIGKILL",
  })
  await dies.guard.end()
})

const taskTool = { tools: [{ ...toolsOf("slow")[0], execution: { taskSupport: "required" } }] }

test("a tool that requires a task is called as one, and its result is asked for", async () => {
  const asked: unknown[] = []
  const { guard } = open((method, params) => {
    if (method.startsWith("tools/call") || method.startsWith("tasks/")) asked.push(method, params)
    if (method === "tools/list") return taskTool
    if (method === "tools/call") return { task: { taskId: "t1" } }
    return method === "tasks/result" ? { content: [{ type: "text", text: "done" }] } : answers(method)
  })
  assert.deepEqual(await guard.call("slow", { a: 1 }, context()), { content: [{ type: "text", text: "done" }] })
  const [call, params, result, task] = asked as [string, Record<string, unknown>, string, Record<string, unknown>]
  assert.deepEqual(
    [call, params["name"], params["arguments"], params["task"], result, task["taskId"], asked.length],
    ["tools/call", "slow", { a: 1 }, { ttl: 600_000 }, "tasks/result", "t1", 4],
  )
  await guard.end()
})

test("a task that is answered at once has its result; one that is aborted is cancelled", async () => {
  const direct = open((method) => {
    if (method === "tools/list") return taskTool
    return method === "tools/call" ? { content: [], task: {} } : answers(method)
  })
  assert.deepEqual(await direct.guard.call("slow", {}, context()), { content: [], task: {} })
  await direct.guard.end()
  const cancelled: unknown[] = []
  const { server, guard } = open((method, params) => {
    if (method === "tools/list") return taskTool
    if (method === "tools/call") return { task: { taskId: "t2" } }
    if (method === "tasks/cancel") cancelled.push(isRecord(params) ? params["taskId"] : null)
    return method.startsWith("tasks/") ? undefined : answers(method)
  })
  const stop = new AbortController()
  const call = guard.call("slow", {}, context(undefined, { signal: stop.signal }))
  call.catch(() => undefined)
  await until(() => server.received.includes("tasks/result"))
  stop.abort()
  await assert.rejects(call)
  await until(() => cancelled.length > 0)
  assert.deepEqual(cancelled, ["t2"])
  await guard.end()
})

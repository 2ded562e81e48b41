import assert from "node:assert/strict"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf, failure, FailureError, phrase } from "@gong/spec"
import { usage } from "@gong/config/usage"
import { answerOf, done, errorText, refusalFor, refuse, type Answer } from "../../src/controller/answer.ts"
import type { ControllerListener } from "../../src/controller/api.ts"
import type { ArgsOf, SessionCommand } from "../../src/controller/commands.ts"
import { conversation, type ConversationOptions } from "../slash/conversation.ts"

/** The data of an answer, or its error as one line. */
function plain(answer: Answer<unknown>): unknown {
  if (answer.ok) return answer.data
  const { code, message, hint } = answer.error
  return `${code}: ${englishOf(message)}${hint === undefined ? "" : ` (${englishOf(hint)})`}`
}

async function open(t: TestContext, options: ConversationOptions = {}) {
  const talk = await conversation(t, options)
  const { controller } = talk
  return {
    ...talk,
    session: () => controller.current.session,
    call: async <C extends SessionCommand>(name: C, args: ArgsOf<C>) => plain(await controller.call(name, args)),
    dispatched: async (name: SessionCommand, args: object) => {
      const answers: Answer<unknown>[] = []
      await controller.dispatch(name, args as never, (answer) => void answers.push(answer))
      await controller.settled()
      assert.equal(answers.length, 1)
      return answers.map(plain)[0]
    },
  }
}

test("failures of the session become errors of a closed set", () => {
  for (const [kind, code] of [
    ["denied", "busy"],
    ["limit", "busy"],
    ["bad-request", "bad_arguments"],
    ["storage", "internal"],
    ["internal", "internal"],
  ] as const)
    assert.equal(plain(refusalFor(new FailureError(failure(kind, "No.")))), `${code}: No.`)
  assert.match(String(plain(refusalFor(new Error("x")))), /^internal: /)
  const hinted = new FailureError({ ...failure("denied", "No."), hint: "try later" })
  assert.equal(plain(refusalFor(hinted)), "busy: No. (try later)")
  assert.deepEqual(done(7), { ok: true, data: 7 })
  assert.deepEqual(refuse("busy", "a"), { ok: false, error: { code: "busy", message: "a" } })
  assert.deepEqual(answerOf({ ok: true, value: 1 }), done(1))
  assert.equal(plain(answerOf(usage("no.", "more."))), "bad_arguments: no. more.")
  assert.equal(plain(answerOf(usage("no."), "not_found")), "not_found: no.")
  assert.equal(englishOf(errorText({ code: "busy", message: "a", hint: phrase`b` })), "a (b)")
  assert.equal(englishOf(errorText({ code: "busy", message: "a" })), "a")
})

test("wrong arguments are answered with the fields, and nothing runs", async (t) => {
  const { dispatched } = await open(t)
  for (const [name, args, text] of [
    ["prompt", {}, /^bad_arguments: prompt: .*text/],
    ["prompt", { text: "" }, /^bad_arguments: prompt: .*text/],
    ["prompt", { text: "x", more: 1 }, /^bad_arguments: prompt: .*more/],
    ["set_permission", { level: "root" }, /^bad_arguments: set_permission: .*level/],
    ["get_messages", { limit: 0 }, /^bad_arguments: get_messages: .*limit/],
    ["get_messages", { limit: 10_001 }, /^bad_arguments: get_messages: .*limit/],
    ["read_job", { job: 0 }, /^bad_arguments: read_job: .*job/],
    ["bash", { command: "x", private: false }, /^bad_arguments: bash: .*private/],
    ["bash", { command: "x", timeout: 0 }, /^bad_arguments: bash: .*timeout/],
    ["label", { entry: "x" }, /^bad_arguments: label: .*label/],
    ["export", { file: "x", format: "html" }, /^bad_arguments: export: .*format/],
    ["search", { query: "" }, /^bad_arguments: search: .*query/],
  ] as const)
    assert.match(String(await dispatched(name, args)), text, name)
})

test("a prompt is answered when its message is stored, and its end goes to the listeners", async (t) => {
  const { call, controller, session } = await open(t, { turns: [{ text: "One." }] })
  const ended: Parameters<NonNullable<ControllerListener["ended"]>>[0][] = []
  const stop = controller.listen({ ended: (result) => void ended.push(result) })
  assert.equal(controller.run, null)
  const started = (await call("prompt", { text: "go" })) as { readonly run: string; readonly disposition: string }
  assert.equal(started.disposition, "started")
  assert.ok(session().history.has(started.run))
  await controller.settled()
  assert.deepEqual([ended.length, ended[0]?.run, ended[0]?.status, ended[0]?.text], [1, started.run, "done", "One."])
  assert.equal(controller.run, null)
  stop()
  await call("prompt", { text: "again" })
  await controller.settled()
  assert.equal(ended.length, 1)
})

test("during a run other work is refused with its name, messages are queued, and abort stops it", async (t) => {
  const slow = { text: "x".repeat(400), delayMs: 20 }
  const { call, controller } = await open(t, { turns: [slow] })
  const { run } = (await call("prompt", { text: "go" })) as { readonly run: string }
  assert.equal(controller.run?.name, run)
  const busy = `busy: The run ${run} is in progress. (use steer or follow_up, or abort it first)`
  for (const [name, args] of [
    ["prompt", { text: "x" }],
    ["set_model", { model: "x" }],
    ["cycle_model", {}],
    ["set_thinking_level", { level: "high" }],
    ["set_tools", { tools: ["read"] }],
    ["bash", { command: "true" }],
    ["compact", {}],
    ["undo", {}],
    ["redo", {}],
    ["navigate", { entry: run }],
    ["new_session", {}],
    ["fork", {}],
    ["reload", {}],
    ["command", { name: "help" }],
  ] as const)
    assert.equal(await call(name, args as never), busy, name)
  const steer = (await call("steer", { text: "now" })) as { readonly id: string }
  const later = (await call("follow_up", { text: "then" })) as { readonly id: string }
  const state = (await call("get_state", {})) as Readonly<Record<string, unknown>>
  assert.equal(state["run"], run)
  assert.equal(await call("remove_queued", {}), "bad_arguments: Say which message: its id, or target.")
  assert.equal(
    await call("remove_queued", { target: "none" }),
    "not_found: No message none waits. (get_state lists those that do)",
  )
  const removed = (await call("remove_queued", { target: later.id })) as {
    readonly removed: readonly { readonly id: string }[]
  }
  assert.equal(removed.removed.length, 1)
  const rest = (await call("clear_queue", {})) as { readonly removed: readonly unknown[] }
  assert.equal(rest.removed.length, 1)
  assert.notEqual(steer.id, later.id)
  assert.deepEqual(await call("abort", {}), { stopped: true })
  await controller.settled()
  assert.deepEqual(await call("abort", {}), { stopped: false })
})

test("messages and entries come in pages; a step that there is not is named", async (t) => {
  const { call, prompt, session } = await open(t)
  await prompt("one")
  await prompt("two")
  type Page = { readonly messages: readonly { readonly entry: string }[]; readonly more: boolean }
  const messages = async (args: ArgsOf<"get_messages">) => (await call("get_messages", args)) as Page
  const all = await messages({})
  assert.deepEqual([all.messages.length, all.more], [4, false])
  const first = await messages({ limit: 3 })
  assert.deepEqual([first.messages, first.more], [all.messages.slice(0, 3), true])
  const next = await messages({ after: first.messages[2]?.entry ?? "" })
  assert.deepEqual([next.messages, next.more], [all.messages.slice(3), false])
  assert.deepEqual(await messages({ after: all.messages[3]?.entry ?? "" }), { messages: [], more: false })
  assert.equal(await call("get_messages", { after: "none" }), "not_found: There is no step none here.")
  const entries = (await call("get_entries", { limit: 10_000 })) as { readonly entries: readonly unknown[] }
  assert.equal(entries.entries.length, session().history.branch.length)
  assert.equal(await call("get_entries", { after: "none" }), "not_found: There is no step none here.")
})

test("a page ends before 500,000 characters, but has at least one row", async (t) => {
  const { call, prompt } = await open(t, { turns: [{ text: "One." }, { text: "Two." }] })
  await prompt("x".repeat(300_000))
  await prompt("y".repeat(300_000))
  const page = async (args: ArgsOf<"get_messages">) => {
    const { messages, more } = (await call("get_messages", args)) as {
      readonly messages: readonly { readonly entry: string }[]
      readonly more: boolean
    }
    return { count: messages.length, more, last: messages.at(-1)?.entry ?? "" }
  }
  const first = await page({})
  assert.deepEqual([first.count, first.more], [2, true])
  const second = await page({ after: first.last })
  assert.deepEqual([second.count, second.more], [2, false])
})

test("the state names the session, its model, tools and settings; they change with their commands", async (t) => {
  const { call, session, cwd } = await open(t, { spec: { name: "mine" } })
  const state = async () => (await call("get_state", {})) as Readonly<Record<string, unknown>>
  const before = await state()
  assert.deepEqual(
    [
      "session",
      "name",
      "cwd",
      "workspace",
      "model",
      "permission",
      "autoCompaction",
      "autoRetry",
      "run",
      "working",
      "messages",
    ].map((key) => before[key]),
    [session().id, "mine", cwd, cwd, "custom/mock", "full", true, true, null, null, 0],
  )
  assert.deepEqual(await call("set_auto_compaction", { enabled: false }), { enabled: false })
  assert.deepEqual(await call("set_auto_retry", { enabled: false }), { enabled: false })
  assert.deepEqual(await call("set_permission", { level: "ask" }), { level: "ask" })
  assert.deepEqual(await call("set_tools", { tools: ["read", "ls"] }), { tools: ["read", "ls"] })
  assert.deepEqual(await call("set_thinking_level", { level: "high" }), {
    model: "custom/mock",
    thinking: "high",
    contextWindow: 128_000,
  })
  const after = await state()
  assert.deepEqual(
    ["autoCompaction", "autoRetry", "permission", "tools", "thinking"].map((key) => after[key]),
    [false, false, "ask", ["read", "ls"], "high"],
  )
  await call("set_auto_compaction", { enabled: true })
  await call("set_auto_retry", { enabled: true })
  const again = await state()
  assert.deepEqual([again["autoCompaction"], again["autoRetry"]], [true, true])
  assert.deepEqual(await call("set_name", { name: "other" }), {})
  assert.equal((await state())["name"], "other")
  assert.match(String(await call("set_model", { model: "a b" })), /^bad_arguments: "a b" is not a model\./)
  assert.deepEqual(await call("set_model", { model: "second" }), {
    model: "custom/second",
    thinking: "high",
    contextWindow: 128_000,
  })
})

test("a command of the user gives its output, exit status and time; a failing one is no error", async (t) => {
  const { call, dispatched, controller } = await open(t)
  const ran = (await dispatched("bash", { command: "echo hi; exit 3" })) as Readonly<Record<string, unknown>>
  assert.deepEqual([ran["exitCode"], ran["status"]], [3, "error"])
  assert.match(String(ran["output"]), /^hi\n/)
  assert.equal(typeof ran["durationMs"], "number")
  assert.ok(Number(ran["durationMs"]) >= 0 && Number(ran["durationMs"]) < 60_000)
  const zero = (await dispatched("bash", { command: "true" })) as Readonly<Record<string, unknown>>
  assert.equal(zero["exitCode"], 0)
  const running = call("bash", { command: "sleep 30" })
  const busy = "busy: A command is running. (wait for its response, or abort it)"
  assert.equal(await call("compact", {}), busy)
  assert.deepEqual(await call("abort", {}), { stopped: true })
  assert.notEqual(((await running) as Readonly<Record<string, unknown>>)["status"], "ok")
  await controller.settled()
})

test("questions, dialogs, jobs and steps that there are not are named", async (t) => {
  const { call } = await open(t)
  for (const [name, args, error] of [
    ["permission_reply", { choice: "once" }, "bad_arguments: Say which question: its id, or target."],
    [
      "permission_reply",
      { choice: "once", target: "q" },
      "not_found: No question q is open. (get_state lists those that are)",
    ],
    ["ui_reply", {}, "bad_arguments: Say which dialog: its id, or target."],
    ["ui_reply", { target: "d", choice: "x" }, "not_found: No dialog d is open. (get_state lists those that are)"],
    ["read_job", { job: 7 }, "not_found: There is no job 7."],
    ["stop_job", { job: 7 }, "not_found: There is no job 7."],
    ["fork", { entry: "none" }, "not_found: This session has no step none."],
    ["navigate", { entry: "none" }, "not_found: This session has no step none."],
    ["label", { entry: "none", label: "x" }, "not_found: This session has no step none."],
    ["command", { name: "none" }, "not_found: There is no /none. (complete lists all commands)"],
    ["command", { name: "hotkeys" }, "bad_arguments: /hotkeys works only in a conversation at a terminal."],
    ["get_recap", { session: "none" }, 'bad_arguments: there is no session "none". gong sessions lists them.'],
    [
      "rename_session",
      { session: "none", name: "x" },
      'bad_arguments: there is no session "none". gong sessions lists them.',
    ],
    ["remove_session", { session: "none" }, 'bad_arguments: there is no session "none". gong sessions lists them.'],
    ["switch_session", { session: "none" }, 'not_found: there is no session "none". gong sessions lists them.'],
    ["search", { query: "!!" }, 'bad_arguments: "!!" contains no letter and no digit.'],
  ] as const)
    assert.equal(await call(name, args as never), error, name)
  assert.deepEqual(await call("get_jobs", {}), { jobs: [] })
  assert.deepEqual(await call("background", {}), { jobs: [] })
})

test("navigate goes to a step, with a summary that is given or written, not both; labels are set and removed", async (t) => {
  const { call, prompt, session, dispatched } = await open(t, {
    turns: [{ text: "One." }, { text: "Two." }, { text: "Written." }],
  })
  await prompt("first")
  const first = session().history.leaf ?? ""
  await prompt("second")
  assert.equal(
    await call("navigate", { entry: first, summary: "s", summarize: true }),
    "bad_arguments: Use either summary or summarize.",
  )
  assert.deepEqual(await call("label", { entry: first, label: "here" }), {})
  assert.match(JSON.stringify(await call("get_tree", {})), /"label":"here"/)
  assert.deepEqual(await call("label", { entry: first, label: null }), {})
  assert.doesNotMatch(JSON.stringify(await call("get_tree", {})), /"label":"here"/)
  const written = (await dispatched("navigate", { entry: first, summarize: true, focus: " names " })) as Readonly<
    Record<string, unknown>
  >
  assert.equal(written["leaf"], session().history.leaf)
  assert.match(String(written["summary"]), /Written\./)
  assert.deepEqual(await call("navigate", { entry: first }), { leaf: session().history.leaf })
})

test("stored sessions are listed, searched, named, and moved to the trash", async (t) => {
  const { call, prompt, session } = await open(t, { turns: [{ text: "A walrus." }] })
  await prompt("find the animal")
  const { id } = session()
  await call("new_session", { name: "next" })
  type Listed = { readonly sessions: readonly Readonly<Record<string, unknown>>[]; readonly total: number }
  const listed = async (args: ArgsOf<"list_sessions">) => (await call("list_sessions", args)) as Listed
  const row = (await listed({})).sessions.find((one) => one["id"] === id)
  assert.deepEqual([row?.["title"], row?.["turns"], row?.["model"]], ["find the animal", 1, "custom/mock"])
  assert.match(String(row?.["modified"]), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.equal((await listed({ limit: 1 })).sessions.length, 1)
  assert.deepEqual((await listed({ all: true })).sessions.length, (await listed({})).sessions.length)
  const found = (await call("search", { query: "walrus" })) as {
    readonly hits: readonly { readonly session: string; readonly text: string }[]
    readonly total: number
  }
  assert.deepEqual([found.hits.length, found.hits[0]?.session, found.total], [1, id, 1])
  assert.match(found.hits[0]?.text ?? "", /walrus/)
  assert.match(JSON.stringify(await call("get_recap", { session: id })), /find the animal/)
  assert.deepEqual(await call("get_recap", {}), { recap: null })
  assert.deepEqual(await call("rename_session", { session: id, name: "animals" }), {})
  assert.equal((await listed({})).sessions.find((one) => one["id"] === id)?.["name"], "animals")
  assert.match(
    String(await call("rename_session", { session: session().id, name: "x" })),
    /^bad_arguments: session \w+ is /,
  )
  assert.deepEqual(await call("remove_session", { session: id }), {})
  assert.equal(
    (await listed({})).sessions.find((one) => one["id"] === id),
    undefined,
  )
})

test("another session is opened in place of the current one, with its model and level of thinking", async (t) => {
  const { call, prompt, controller, session } = await open(t)
  await prompt("go")
  const first = session().id
  await call("set_model", { model: "second" })
  await call("set_thinking_level", { level: "high" })
  const opened: string[] = []
  controller.listen({ opened: (next) => void opened.push(next.session.id) })
  const created = (await call("new_session", {})) as Readonly<Record<string, unknown>>
  assert.deepEqual([created["session"], created["resumed"]], [session().id, false])
  assert.notEqual(session().id, first)
  const model = () => {
    const { provider, thinking } = session().selection
    return [provider.model.id, thinking]
  }
  assert.deepEqual(model(), ["second", "high"])
  assert.deepEqual(await call("switch_session", { session: first }), { session: first, resumed: true })
  assert.equal(await call("switch_session", { session: first }), `bad_arguments: Session ${first} is already open.`)
  const forked = (await call("fork", {})) as Readonly<Record<string, unknown>>
  assert.deepEqual([forked["session"] === first, forked["resumed"]], [false, true])
  await call("set_permission", { level: "ask" })
  await call("set_model", { model: "third" })
  assert.deepEqual(await call("reload", {}), { session: session().id, resumed: true })
  assert.deepEqual([model()[0], session().permission], ["third", "ask"])
  assert.deepEqual(opened.length, 4)
  assert.equal(controller.isStored, true)
})

test("the session is exported in the format of the name, or the given one", async (t) => {
  const { call, prompt, cwd, read } = await open(t)
  await prompt("hello there")
  assert.deepEqual(await call("export", { file: "a.md" }), { file: join(cwd, "a.md"), format: "markdown" })
  assert.match(read("a.md"), /^# /)
  assert.deepEqual(await call("export", { file: join(cwd, "b") }), { file: join(cwd, "b"), format: "pi" })
  assert.match(read("b"), /^\{"type":"session"/)
  await call("export", { file: "c.md", format: "pi" })
  assert.match(read("c.md"), /^\{"type":"session"/)
  assert.match(String(await call("export", { file: "no/d.md" })), /^bad_arguments: -o .*no\/d\.md: cannot write there/)
})

test("slash commands of a client: lines and data, a message starts a run, questions are dialogs", async (t) => {
  const { call, controller, dispatched, session } = await open(t, { spec: { interactive: true } })
  const named = (await dispatched("command", { name: "/name", arguments: " mine " })) as Readonly<
    Record<string, unknown>
  >
  assert.deepEqual(named, { lines: ["The session is called mine."], data: { name: "mine" }, run: null })
  const init = (await dispatched("command", { name: "init" })) as Readonly<Record<string, unknown>>
  assert.deepEqual([init["lines"], init["data"], typeof init["run"]], [[], {}, "string"])
  const asked = call("command", { name: "share" })
  const dialog = async () => {
    for (let turn = 0; turn < 20_000; turn++) {
      const [first] = session().dialogs
      if (first !== undefined) return first
      await new Promise((resolve) => setImmediate(resolve))
    }
    return assert.fail("no dialog was opened")
  }
  const { id } = await dialog()
  assert.equal(
    await call("command", { name: "help" }),
    "busy: A slash command is running. (answer its ui_request, or abort it)",
  )
  assert.match(
    String(await call("ui_reply", { target: id, choice: "maybe" })),
    /^bad_arguments: This is no answer that/,
  )
  assert.deepEqual(await call("ui_reply", { target: id, choice: "no" }), {})
  assert.deepEqual(((await asked) as Readonly<Record<string, unknown>>)["lines"], ["Nothing was written."])
  await controller.settled()
  const stopped = call("command", { name: "permissions" })
  await dialog()
  assert.deepEqual(await call("abort", {}), { stopped: true })
  assert.deepEqual(((await stopped) as Readonly<Record<string, unknown>>)["lines"], [
    "full: everything runs without permission.",
  ])
  const commands = (await call("get_commands", {})) as { readonly commands: readonly { readonly name: string }[] }
  assert.ok(commands.commands.some(({ name }) => name === "prompt"))
  const completed = (await call("complete", { name: "/per" })) as { readonly completions: readonly unknown[] }
  assert.deepEqual(completed.completions, [{ value: "permissions", about: "show or set the permission level" }])
})

test("after the client has disconnected, questions are answered with no", async (t) => {
  const { call, controller, session } = await open(t, {
    spec: { permission: "ask", interactive: true },
    turns: [{ calls: [{ name: "write", args: { path: "a.txt", content: "x" } }] }, { text: "Done." }],
  })
  controller.disconnect()
  await call("prompt", { text: "go" })
  await controller.settled()
  assert.deepEqual(session().questions, [])
  const messages = JSON.stringify(await call("get_messages", {}))
  assert.match(messages, /The client has disconnected\./)
})

test("an image of a client that is none is an error with its number", async (t) => {
  const { call } = await open(t)
  const data = Buffer.from("no image").toString("base64")
  assert.equal(
    await call("prompt", { text: "x", images: [{ mimeType: "image/png", data }] }),
    "bad_arguments: image 1 (image/png) is no image in base64.",
  )
})

test("a template that was written while the session is open is run by its name", async (t) => {
  const { dispatched, write, server } = await open(t)
  write({ "home/prompts/tidy.md": "Tidy $1." })
  const ran = (await dispatched("command", { name: "tidy", arguments: "src" })) as Readonly<Record<string, unknown>>
  assert.equal(typeof ran["run"], "string")
  assert.match(JSON.stringify(server.requests.at(-1)?.body), /Tidy src\./)
})

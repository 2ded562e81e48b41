import assert from "node:assert/strict"
import { mkdirSync, readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openStage, type Stage } from "./harness.ts"
import { leave, openTerminal, say, skip } from "./terminal.ts"
import { tether } from "./tether.ts"

/** The messages of the user in each request. */
function heard(stage: Stage): readonly (readonly string[])[] {
  return stage.server.requests.map(({ body }) => {
    const { messages } = body as { messages: readonly { role: string; content: unknown }[] }
    return messages.filter(({ role }) => role === "user").map(({ content }) => String(content))
  })
}

const answering = { otherwise: { text: "Right." } }

test("[SLASH-14] [SLASH-16] /new opens another session, /resume the first one, in one process", { skip }, async (t) => {
  const stage = await openStage(t, answering)
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "/resume", "There is no other session in this workspace.")
  await say(terminal, "first", "Right.")
  await say(terminal, "/new second thoughts", "New session · custom/mock")
  await say(terminal, "second", "Right.")
  await say(terminal, "/resume", "Which session?", "  first", "1-1, Enter for none > ")
  await say(terminal, "", "The current session stays open.")
  await say(terminal, "/resume", "1-1, Enter for none > ")
  await say(terminal, "1", "session ")
  await say(terminal, "third", "Right.")
  await say(terminal, "/resume second thoughts", "session ")
  await say(terminal, "fourth", "Right.")
  await say(terminal, "/resume nonsense", 'there is no session "nonsense"')
  await leave(terminal)
  assert.deepEqual(heard(stage), [["first"], ["second"], ["first", "third"], ["second", "fourth"]])
  assert.equal(stage.sessions().length, 2)
  for (const id of stage.sessions()) {
    const again = await stage.gong(["--session", id, "-p", "again"])
    assert.equal(again.status, 0, `nobody holds ${id} any more: ${again.err}`)
  }
})

test(
  "[SLASH-10] /fork continues in a copy, complete or up to a step; the original does not change",
  { skip },
  async (t) => {
    const stage = await openStage(t, answering)
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "first", "Right.")
    await terminal.until("> ")
    const [original = ""] = stage.sessions()
    const end = stage.entries().findLast(({ type }) => type === "run_end")?.id ?? ""
    await say(terminal, "second", "Right.")
    await say(terminal, "/fork", "session ")
    await say(terminal, "third", "Right.")
    await say(terminal, `/resume ${original}`, "session ")
    await say(terminal, `/fork ${end}`, "session ")
    await say(terminal, "fourth", "Right.")
    await say(terminal, "/fork 000000000000", "this session has no step 000000000000")
    await leave(terminal)
    assert.deepEqual(heard(stage).slice(2), [
      ["first", "second", "third"],
      ["first", "fourth"],
    ])
    assert.equal(stage.sessions().length, 3)
    assert.equal(stage.entries(original).filter(({ type }) => type === "input").length, 2)
  },
)

test("[SLASH-11] /tree shows the messages of every branch and navigates to one", { skip }, async (t) => {
  const stage = await openStage(t, answering)
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "first", "Right.")
  await say(terminal, "second", "Right.")
  await say(terminal, "/tree", "(the beginning)", "* first", "* second", "1-3, Enter for none > ")
  await say(terminal, "2", "The session continues from there.")
  await say(terminal, "third", "Right.")
  await say(terminal, "/tree", "* (the beginning)", "* first", "    second", "*   third", "1-4, Enter for none > ")
  await say(terminal, "", "Nothing has changed.")
  await say(terminal, "/tree 000000000000", "This session has no step 000000000000.")
  await leave(terminal)
  assert.deepEqual(heard(stage), [["first"], ["first", "second"], ["first", "third"]])
})

test(
  "[SLASH-11] [SESSION-13] /tree summary summarizes the branch that is left, and the next request contains the summary",
  { skip },
  async (t) => {
    const stage = await openStage(t, answering)
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "first", "Right.")
    await say(terminal, "second", "Right.")
    await say(terminal, "/tree summary the errors", "1-3, Enter for none > ")
    await say(
      terminal,
      "2",
      "summing up the branch that is left",
      "The session continues from there.",
      "Summary for the model:",
      "Right.",
    )
    await say(terminal, "third", "Right.")
    await leave(terminal)
    const [, , asked = [], third = []] = heard(stage)
    assert.match(asked[0] ?? "", /\[User\]: second.*pay special attention to this: the errors/s)
    assert.match(
      third[1] ?? "",
      /another branch of this conversation, which was left:\n\n<summary>\nRight\.\n<\/summary>/,
    )
    assert.deepEqual([third[0], third[2]], ["first", "third"])
  },
)

test(
  "[SLASH-17] [SLASH-01] /reload reads AGENTS.md again, /settings stores a value; the session and its choices stay",
  { skip },
  async (t) => {
    const stage = await openStage(t, answering)
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "first", "Right.")
    await say(terminal, "/model other", "The model is now custom/other")
    stage.write({ "AGENTS.md": "Answer in verse." })
    await say(terminal, "/reload", "custom/other from GONG_API_KEY · ask")
    await say(terminal, "second", "Right.")
    stage.write({ [`${stage.gongHome}/settings.json`]: '{\n  // mine\n  "retry.count": "x"\n}\n' })
    await say(terminal, "/reload", "settings.json")
    stage.write({ [`${stage.gongHome}/settings.json`]: "{\n  // mine\n}\n" })
    await say(terminal, "/settings retry.cuont 5", "There is no setting retry.cuont. Did you mean retry.count?")
    await say(terminal, "/settings retry.count many", 'must be a whole number from 0 to 10, not "many"')
    await say(terminal, "/settings retry.count 5", "retry.count is 5 in ")
    await say(terminal, "/settings retry.count", `retry.count = 5 (${stage.gongHome}/settings.json)`)
    await say(terminal, "/settings", "Which setting?", "model = mock (GONG_MODEL)", "Enter for none > ")
    await say(terminal, "+", "Enter for none > ")
    await say(terminal, "+", "Enter for none > ")
    await say(terminal, "+", "retry.count = 5", "Enter for none > ")
    await say(terminal, "", "> ")
    await say(terminal, "third", "Right.")
    await leave(terminal)
    assert.match(readFileSync(join(stage.gongHome, "settings.json"), "utf8"), /\/\/ mine/)
    const systems = stage.server.requests.map(({ body }) =>
      JSON.stringify((body as { messages: unknown[] }).messages[0]),
    )
    assert.deepEqual(
      systems.map((text) => text.includes("Answer in verse.")),
      [false, true, true],
    )
    assert.deepEqual(
      stage.server.requests.map(({ body }) => (body as { model: string }).model),
      ["mock", "other", "other"],
    )
    assert.deepEqual(heard(stage).at(-1), ["first", "second", "third"])
    assert.equal(stage.sessions().length, 1)
  },
)

const good = "sk-ant-good-0123456789abcdef"

async function keyServer(t: TestContext): Promise<string> {
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    request.resume()
    response.writeHead(request.headers["x-api-key"] === good ? 200 : 401, { "content-type": "application/json" })
    response.end('{"data":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("[SLASH-12] [SLASH-13] /login stores a key typed without echo, /logout removes it", { skip }, async (t) => {
  const stage = await openStage(t, answering)
  const env = { ...stage.env, ANTHROPIC_BASE_URL: await keyServer(t) }
  const terminal = openTerminal(t, { ...stage, env }, [])
  await say(terminal, "/login nobody", 'no provider "nobody"')
  await say(terminal, "/login anthropic", "Key for Anthropic (not shown): ")
  await say(terminal, "sk-ant-bad-0123456789", "refused the key")
  await say(terminal, "/login anthropic", "Key for Anthropic (not shown): ")
  await say(terminal, "", "no key was given; nothing was stored.")
  await say(terminal, "/login", "Key (not shown): ")
  await say(terminal, good, "The key for Anthropic works.")
  assert.match(readFileSync(join(stage.gongHome, "auth.json"), "utf8"), /sk-ant-good/)
  await say(terminal, "/logout", "The key of anthropic was removed")
  await say(terminal, "still here?", "Right.")
  await leave(terminal)
  assert.doesNotMatch(readFileSync(join(stage.gongHome, "auth.json"), "utf8"), /sk-ant-good/)
  assert.doesNotMatch(terminal.text, /0123456789/)
})

test("/trust shows active content; yes loads it at once, no unloads it", { skip }, async (t) => {
  const stage = await openStage(t, answering)
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "/trust", "has no active content.")
  mkdirSync(join(stage.repo, ".gong"))
  stage.write({ ".gong/APPEND_SYSTEM.md": "Answer in verse." })
  await say(
    terminal,
    "/trust",
    "contains 1 system prompt, which is not loaded",
    ".gong/APPEND_SYSTEM.md (new)",
    "+Answer in verse.",
    "Enter for none > ",
  )
  await say(terminal, "1", "The current content of this folder is trusted.")
  await say(terminal, "first", "Right.")
  await say(terminal, "/trust no", "This folder is not trusted")
  await say(terminal, "second", "Right.")
  await leave(terminal)
  const systems = stage.server.requests.map(({ body }) => JSON.stringify((body as { messages: unknown[] }).messages[0]))
  assert.deepEqual(
    systems.map((text) => text.includes("Answer in verse.")),
    [true, false],
  )
})

test("jobs end with the session after a confirmation; otherwise nothing changes", { skip }, async (t) => {
  const held = await tether(t)
  const start = { calls: [{ name: "bash", args: { command: held.command } }] }
  const stage = await openStage(t, { turns: [start, { text: "Running." }, { text: "Right." }], ...answering })
  const terminal = openTerminal(t, stage, ["--yolo", "--set", "bash.timeout=1"])
  await say(terminal, "run it", "Running.")
  await held.held
  await say(terminal, "/new", "1 job ends with this session: ", "Continue? [y]es [n]o: ")
  await say(terminal, "n", "Nothing has changed.")
  await say(terminal, "still here?", "Right.")
  await say(terminal, "/new", "Continue? [y]es [n]o: ")
  await say(terminal, "ｙ", "gong: ended job 1", "New session · ")
  await held.released
  await leave(terminal)
  assert.deepEqual(heard(stage).at(-1), ["run it", "still here?"])
})

test("a session in memory can be reloaded and left, but not exported or copied", { skip }, async (t) => {
  const stage = await openStage(t, answering)
  const terminal = openTerminal(t, stage, ["--no-session"])
  await say(terminal, "first", "Right.")
  await say(terminal, "/permissions full", "full: everything runs without permission.")
  await say(terminal, "/reload", "custom/mock from GONG_API_KEY · full")
  await say(terminal, "second", "Right.")
  await say(terminal, "/export", "a session in memory cannot be exported.")
  await say(terminal, "/fork", "a session in memory cannot be copied.")
  await say(terminal, "/new", "New session · ")
  await say(terminal, "third", "Right.")
  await leave(terminal)
  assert.deepEqual(heard(stage).slice(1), [["first", "second"], ["third"]])
  assert.deepEqual(stage.sessions(), [])
})

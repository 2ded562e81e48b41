import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { mcp } from "../../../src/administration/mcp.ts"
import { conversation } from "../../slash/conversation.ts"
import { servicesOf } from "../services.ts"

const program = fileURLToPath(import.meta.resolve("@gong/testing/mcp/stdio-server.mjs"))

const add = {
  name: "add",
  description: "Add two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" } } },
}
const prompts = [{ name: "review", description: "Review.", arguments: [{ name: "file", required: true }] }]

/** Commands of `gong mcp`, and the file that says what the server offers. */
function administration(t: TestContext) {
  const machine = servicesOf(t)
  const warned: string[] = []
  const services = {
    ...machine,
    env: { ...machine.env, GONG_SANDBOX: "off" },
    warn: (line: string) => void warned.push(line),
  }
  const home = machine.env["GONG_HOME"] ?? ""
  const file = join(services.temp, "offer.json")
  const offer = (value: object): void => writeFileSync(file, JSON.stringify(value))
  const run = async (...words: readonly string[]) => {
    const done = await mcp(services, {}, words)
    const text = done.ok ? done.value : `! ${done.error.lines.join("\n")}`
    return text
      .replaceAll(home, "$HOME")
      .replaceAll(process.execPath, "$NODE")
      .replaceAll(program, "$SERVER")
      .replaceAll(file, "$OFFER")
  }
  return { services, home, file, offer, run, warned }
}

const list = "No MCP servers. Add one: gong mcp add NAME -- COMMAND, or gong mcp add NAME URL\n"

test("a server is added with its program and tested, listed, accepted after a change, and removed", async (t) => {
  const { run, offer, file, home, services } = administration(t)
  offer({ tools: [add], prompts, resources: [] })
  assert.equal(await run(), list)
  const target = `$NODE $SERVER $OFFER`
  const rows = [
    "math: 1 tool, fixture 1.0.0, 2025-11-25",
    `  ${target} ($HOME/mcp.json)`,
    "  math__add",
    "  /math:review",
    "  resources: @math:URI",
    "",
  ].join("\n")
  assert.equal(
    await run("add", "math", "A=b=c", "B_1=", process.execPath, program, file),
    `math is stored in $HOME/mcp.json.\n${rows}`,
  )
  assert.deepEqual(JSON.parse(readFileSync(join(home, "mcp.json"), "utf8")), {
    mcpServers: { math: { command: process.execPath, args: [program, file], env: { A: "b=c", B_1: "" } } },
  })
  assert.equal(await run("add", "math", "true"), "! gong: there is an MCP server math already: gong mcp remove math")
  assert.equal(await run("list"), `math  user  1 tool  ${target}\n`)
  const json = await mcp(services, { json: true }, [])
  const [row] = json.ok ? JSON.parse(json.value).servers : []
  assert.deepEqual([row.name, row.state.kind, row.tools], ["math", "idle", ["math__add"]])
  assert.equal(await run("test", "math"), rows)
  assert.equal(await run("trust", "math"), "math has the tools that you accepted.\n")

  offer({ tools: [{ ...add, description: "Add and tell." }], before: "a note\n" })
  assert.match(
    await run("test", "math"),
    /^math: changed tools are off, .*\n.*\n  changed since you accepted them \(gong mcp trust math\):\n  ~ add\n[^]*Its output:\n(?:a note\n)+$/,
  )
  assert.equal(
    await run("trust", "math"),
    "~ add\n-   Add two numbers.\n+   Add and tell.\nAccepted: math may be used with these tools.\n",
  )
  assert.equal(await run("trust", "math"), "math has the tools that you accepted.\n")

  assert.deepEqual(readdirSync(join(home, "mcp")), ["math.json"])
  assert.equal(await run("remove", "math"), "math is removed.\n")
  assert.deepEqual(readdirSync(join(home, "mcp")), [])
  assert.equal(await run("remove", "math"), "! gong: there is no MCP server math in $HOME/mcp.json.")
  assert.equal(await run("list"), list)
})

test("a server that ends is reported with its output, and stays stored", async (t) => {
  const { run, offer, file } = administration(t)
  offer({ tools: [], before: "first\nit broke\n", exitAt: "tools/list" })
  const added = await run("add", "math", process.execPath, program, file)
  assert.match(added, /^math is stored in \$HOME\/mcp\.json\.\ngong: .*\nIts output:\nfirst\nit broke(?:\n|$)/)
  assert.match(
    await run("test", "math"),
    /^! gong: the server is gone: it ended with status 3: it broke\nIts output:\nfirst\nit broke\n/,
  )
  assert.match(await run("trust", "math"), /^! gong: the server is gone: it ended with status 3/)
})

test("what cannot be a server is refused, and nothing is stored", async (t) => {
  const { run, home, services } = administration(t)
  const nowhere = "! gong: there is no MCP server none"
  for (const [words, answer] of [
    [["add", "a b", "true"], "! gong: a b: a name is 1 to 32 of a-z A-Z 0-9 - and single _."],
    [["add", "x"], '! gong: x: "command" must not have fewer than 1 characters.'],
    [["add", "x", "A=b"], "! gong: x: it has neither a command nor a url."],
    [["add", "x", "http://h", "no header"], '! gong: no header is not a header: gong mcp add NAME URL "Name: value"'],
    [["add", "x", "http://[::1"], '! gong: x: "url" is not an address.'],
    [["test", "none"], `${nowhere}. Those of a repository exist once its folder is trusted: gong trust`],
    [["trust", "none"], `${nowhere}. Those of a repository exist once its folder is trusted: gong trust`],
    [["logout", "none"], `${nowhere} with an address.`],
    [["remove", "none"], `${nowhere} in $HOME/mcp.json.`],
  ] as const)
    assert.equal(await run(...words), answer, words.join(" "))
  const option = await mcp(services, { model: "x" }, ["add", "x", "python3"])
  assert.deepEqual(option.ok ? [] : option.error.lines, [
    "gong: model is an option of Gong. Write -- before the program: gong mcp add NAME -- COMMAND",
  ])
  assert.ok(!existsSync(join(home, "mcp.json")) || readFileSync(join(home, "mcp.json"), "utf8") === "{}\n")
  writeFileSync(join(home, "mcp.json"), '{"mcpServers": 7}')
  assert.equal(
    await run("add", "x", "true"),
    '! gong: $HOME/mcp.json:1: servers must be in an object, {"mcpServers": {"NAME": {...}}}.',
  )
  writeFileSync(join(home, "mcp.json"), '{"mcpServers": {"x": {"command": "true"}}}')
  assert.equal(await run("logout", "x"), "! gong: there is no MCP server x with an address.")
})

test("a server with an address is added with its headers, and tested; an unreachable one stays stored", async (t) => {
  const { run, home, warned } = administration(t)
  const added = await run("add", "web", "http://127.0.0.1:1/mcp", "X-A: b: c ", "Y:")
  assert.equal(added, "web is stored in $HOME/mcp.json.\ngong: ECONNREFUSED 127.0.0.1:1\n")
  assert.deepEqual(JSON.parse(readFileSync(join(home, "mcp.json"), "utf8")).mcpServers.web, {
    type: "http",
    url: "http://127.0.0.1:1/mcp",
    headers: { "X-A": "b: c", Y: "" },
  })
  assert.equal(await run("logout", "web"), "Logged out at web.\n")
  assert.equal(await run("remove", "web"), "web is removed.\n")
  await run("add", "bare", "http://127.0.0.1:1/mcp")
  assert.deepEqual(JSON.parse(readFileSync(join(home, "mcp.json"), "utf8")).mcpServers, {
    bare: { type: "http", url: "http://127.0.0.1:1/mcp" },
  })
  writeFileSync(join(home, "mcp.json"), '{"mcpServers": {"x": {}}}')
  await run("list")
  assert.deepEqual(
    warned.map((line) => line.replace(home, "$HOME")),
    ['gong: $HOME/mcp.json:1: the MCP server "x" is left out: it has neither a command nor a url.'],
  )
})

/** A conversation with one server of this program. */
async function withServer(t: TestContext, offer: object, options: Parameters<typeof conversation>[1] = {}) {
  const file = join(servicesOf(t).temp, "offer.json")
  writeFileSync(file, JSON.stringify(offer))
  const entry = { command: process.execPath, args: [program, file], sandbox: false }
  const servers = { math: entry, off: { ...entry, disabled: true } }
  const files = { ...options.files, "home/mcp.json": JSON.stringify({ mcpServers: servers }) }
  const talk = await conversation(t, { ...options, files })
  const lines = async (text: string) =>
    (await talk.lines(text)).map((line) => line.replace(`${process.execPath} ${program} ${file}`, "COMMAND"))
  return { ...talk, lines }
}

test("/mcp accept shows the changes of a server, and uses its tools after a yes", async (t) => {
  const { offer, file, home, run } = administration(t)
  offer({ tools: [add] })
  await run("add", "math", process.execPath, program, file)
  offer({ tools: [{ ...add, description: "More." }] })
  const { lines, asked, replies } = await conversation(t, { gongHome: home })
  assert.equal((await lines("/mcp start math"))[0], "math: changed tools are off, fixture 1.0.0, 2025-11-25")
  assert.deepEqual(await lines("/mcp accept math"), ["Nothing has changed."])
  const question = "~ add\n-   Add two numbers.\n+   More.\nUse the tools of math as they are now?"
  assert.equal(asked[0]?.question, question)
  replies.push(true)
  assert.equal((await lines("/mcp accept math"))[0], "math: 1 tool, fixture 1.0.0, 2025-11-25")
  assert.deepEqual(await lines("/mcp accept math"), ["math has the tools that you accepted."])
})

test("/mcp lists servers, shows one, starts it, and turns it off and on", async (t) => {
  const { lines, controller } = await withServer(t, { tools: [add] })
  assert.deepEqual(await lines("/mcp"), ["math  never started  COMMAND", "off   off            COMMAND"])
  const shown = (state: string) => [`math: ${state}`, "  COMMAND ($HOME/mcp.json)"]
  assert.deepEqual(await lines("/mcp math"), shown("never started"))
  const started = [...shown("1 tool, fixture 1.0.0, 2025-11-25"), "  math__add"]
  assert.deepEqual(await lines("/mcp start math"), started)
  assert.deepEqual(await lines("/mcp none"), ["There is no MCP server none."])
  assert.deepEqual(await lines("/mcp start none"), ["There is no MCP server none."])
  assert.deepEqual(await lines("/mcp start"), ["There is no MCP server ."])
  assert.deepEqual((await lines("/mcp off math"))[0], "math: off")
  assert.deepEqual((await lines("/mcp on math"))[0], "math: 1 tool, fixture 1.0.0, 2025-11-25")
  assert.deepEqual(await lines("/mcp accept math"), ["math has the tools that you accepted."])
  assert.match((await lines("/mcp start off"))[0] ?? "", /^gong: there is no MCP server off\.$/)
  const complete = await controller.call("complete", { name: "mcp", arguments: "o" })
  assert.deepEqual(complete.ok && complete.data.completions.map(({ value }) => value), [
    "off",
    "on math",
    "on off",
    "off math",
    "off off",
    "start off",
    "accept off",
    "login math",
    "login off",
  ])
  const rows = await controller.call("get_mcp", {})
  assert.deepEqual(rows.ok && rows.data.servers.map(({ name, state }) => [name, state.kind]), [
    ["math", "ready"],
    ["off", "off"],
  ])
})

test("a model calls a tool of a server, and a message brings a prompt or a resource along", async (t) => {
  const call = (name: string, args: object) => ({ calls: [{ name, args }] })
  const offer = { tools: [add], prompts, resources: [{ uri: "memo://today" }] }
  const { lines, prompt, server, controller, typed } = await withServer(t, offer, {
    turns: [call("mcp", { query: "add" }), call("mcp", { tool: "math__add", arguments: { a: 1 } }), { text: "Done." }],
  })
  const sent = () => JSON.stringify(server.requests.at(-1)?.body)
  assert.equal(await prompt("go"), "done")
  assert.match(sent(), /called add \{\\+"a\\+":1\}/)
  assert.deepEqual((await lines("/mcp"))[0], "math  1 tool  COMMAND")
  const asked = await typed("/math:review a.txt")
  assert.ok(asked.kind === "message" && asked.text.includes('"file":"a.txt"'), JSON.stringify(asked))
  await prompt("see @math:memo://today")
  assert.match(sent(), /<resource name=\\+"math:memo:\/\/today\\+">\\+ntext of memo:\/\/today/)
  await lines("/mcp off math")
  await prompt("see @math:memo://today")
  assert.equal(sent().match(/text of memo/g)?.length, 1, "of the earlier message alone")
  const refused = await controller.call("set_mcp", { server: "none", action: "on" })
  assert.deepEqual(refused.ok ? null : refused.error.code, "bad_arguments")
})

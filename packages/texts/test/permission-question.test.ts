import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, type PermissionRequest, phrase } from "@gong/spec"
import { permissionQuestion } from "../src/permission-question.ts"

type Preview = NonNullable<PermissionRequest["preview"]>

const cwd = "/w"

const requestOf = (more: object = {}) =>
  ({ tool: "bash", title: "ls", args: {}, reason: "no rule allows it", ...more }) as unknown as PermissionRequest

/** The question in English; each line of the body as its style and text. */
function shown(more: object = {}) {
  const { head, body, facts, rules, prompt } = permissionQuestion(requestOf(more), cwd)
  return {
    head: englishOf(head),
    body: body.map((line) =>
      line.map((span) => `${span.style} ${span.phrase === undefined ? span.text : englishOf(span.phrase)}`).join("|"),
    ),
    facts: facts.map(englishOf),
    rules: rules.map(englishOf),
    prompt: englishOf(prompt),
  }
}

const bodyOf = (preview: Preview) => shown({ preview }).body

test("a command: its lines, its folder if it is another one, and what the sandbox blocked", () => {
  const run = { kind: "run", command: " one\ntwo\n", cwd }
  assert.deepEqual(shown({ preview: run }), {
    head: "bash wants to run",
    body: ["plain one", "plain two"],
    facts: ["why: no rule allows it"],
    rules: ["session: exactly this call"],
    prompt: "Run it?",
  })
  assert.deepEqual(shown({ preview: { ...run, cwd: "/w/sub" } }).facts, ["in /w/sub", "why: no rule allows it"])
  assert.deepEqual(shown({ preview: { ...run, blocked: "the network" } }).facts, [
    "why: no rule allows it",
    "sandbox blocked: the network",
  ])
  const outside = shown({ preview: run, unsandboxed: true, phrase: phrase`it failed in the sandbox` })
  assert.deepEqual(
    [outside.head, outside.facts],
    ["bash wants to run outside the sandbox", ["why: it failed in the sandbox"]],
  )
  assert.equal(shown({ preview: run, unsandboxed: false }).head, "bash wants to run")
})

test("the rules that the answers add, and where they are stored", () => {
  const rules = { suggestedRule: "bash(ls)", widerRule: "bash(ls *)", rulesFile: "/h/rules.json" }
  assert.deepEqual(shown(rules).rules, [
    "session, always: bash(ls)",
    "wider: bash(ls *)",
    '"always" is stored in /h/rules.json',
  ])
  assert.deepEqual(shown({ suggestedRule: "bash(ls)" }).rules, ["session, always: bash(ls)"])
})

test("a connection of a command, an address, and a call of an MCP server", () => {
  const { head, body, prompt } = shown({ tool: "network", title: "a.example:443", preview: undefined })
  assert.deepEqual([head, body, prompt], ["a command wants to connect to", ["plain a.example:443"], "Connect?"])
  const fetched = shown({ tool: "fetch", preview: { kind: "fetch", url: "https://a.example" } })
  assert.deepEqual(
    [fetched.head, fetched.body, fetched.prompt],
    ["fetch wants to fetch", ["plain https://a.example"], "Fetch it?"],
  )
  const args = "x".repeat(6_000)
  const called = shown({ tool: "s__t", preview: { kind: "server", server: "s", tool: "t", arguments: args } })
  assert.deepEqual(
    [called.head, called.body, called.prompt],
    ["the MCP server s would run t", [`plain ${args}`], "Send it?"],
  )
})

test("a call without a preview: its arguments, or its title if it has none", () => {
  const { head, body, prompt } = shown({ tool: "deploy", args: { to: "prod", count: 2, all: [true] } })
  assert.deepEqual(
    [head, body, prompt],
    ["deploy needs permission", ["plain to: prod", "plain count: 2", "plain all: [true]"], "Run deploy?"],
  )
  assert.deepEqual(shown({ tool: "deploy", title: "the title" }).body, ["plain the title"])
})

test("a file: its path relative to the folder, the lines of its diff with their styles, and how many are left out", () => {
  const change = {
    kind: "change",
    path: "/w/src/a.ts",
    added: 1,
    removed: 2,
    rows: ["@@", "+new", "-old", " same"],
    more: 0,
  }
  assert.deepEqual(shown({ tool: "edit", preview: change }), {
    head: "edit wants to change src/a.ts (+1 -2)",
    body: ["dim @@", "added +new", "removed -old", "dim  same"],
    facts: ["why: no rule allows it"],
    rules: ["session: exactly this call"],
    prompt: "Change src/a.ts?",
  })
  assert.deepEqual(shown({ preview: { ...change, rows: [], more: 3 } }).body, ["dim ... (3 more lines)"])
  for (const path of ["/wide/a.ts", "/w"])
    assert.equal(shown({ preview: { ...change, path } }).prompt, `Change ${path}?`)
  const created = shown({ tool: "write", preview: { ...change, kind: "create", bytes: 7 } })
  assert.deepEqual(
    [created.head, created.prompt],
    ["write wants to create src/a.ts (new, 7 bytes)", "Create src/a.ts?"],
  )
  const replaced = shown({ tool: "write", preview: { ...change, kind: "overwrite" } })
  assert.deepEqual(
    [replaced.head, replaced.prompt],
    ["write wants to overwrite src/a.ts (+1 -2, 0 bytes)", "Overwrite src/a.ts?"],
  )
})

test("at most 5,000 characters are shown, line breaks included, with the number of the others", () => {
  const command = (text: string) => bodyOf({ kind: "run", command: text, cwd } as Preview)
  const full = "x".repeat(5_000)
  assert.deepEqual(command(full), [`plain ${full}`])
  assert.deepEqual(command(`${full}yz`), [`plain ${full}`, "dim ... (2 more characters are not shown)"])
  const lines = "x".repeat(4_997)
  assert.deepEqual(command(`${lines}\na`), [`plain ${lines}`, "plain a"])
  assert.deepEqual(command(`${lines}\nab`), [`plain ${lines}`, "plain ab"])
  assert.deepEqual(command(`${lines}\nabc\nde`), [
    `plain ${lines}`,
    "plain ab",
    "dim ... (4 more characters are not shown)",
  ])
  assert.deepEqual(command(`${lines}\na\nbcd`), [
    `plain ${lines}`,
    "plain a",
    "plain ",
    "dim ... (3 more characters are not shown)",
  ])
  assert.deepEqual(command(`${full}\na`), [`plain ${full}`, "dim ... (2 more characters are not shown)"])
})

import assert from "node:assert/strict"
import { test } from "node:test"
import type { PolicyCall, ToolDeclaration } from "@gong/spec"
import { builtInDeclarations } from "@gong/tools"
import type { PolicyFacts } from "../src/decision.ts"
import { createPolicy } from "../src/policy.ts"
import { bash, decide, facts, file, rules } from "./fixtures.ts"

const oneFile = { argument: "file", holds: "file" } as const

/** Fictitious built-in tools. */
const declarations: Readonly<Record<string, ToolDeclaration>> = {
  move: {
    effect: "write",
    paths: [
      { argument: "from", holds: "file" },
      { argument: "to", holds: "file" },
    ],
  },
  count: { effect: "read", paths: [oneFile] },
  scan: { effect: "read", paths: [{ argument: "in", holds: "tree" }] },
  run: { effect: "execute", command: "script" },
  get: { effect: "network", address: "from" },
  "read-nothing": { effect: "read" },
  "write-nothing": { effect: "write", paths: [] },
  "execute-nothing": { effect: "execute" },
  "network-nothing": { effect: "network" },
}

const given = (more: Partial<PolicyFacts> = {}) =>
  facts({ interactive: true, declared: (tool) => declarations[tool] ?? builtInDeclarations(tool), ...more })

const call = (tool: string, args: Readonly<Record<string, unknown>>): PolicyCall => ({
  tool,
  arguments: args,
  title: tool,
})

async function reason(made: PolicyCall, more: Partial<PolicyFacts> = {}): Promise<string> {
  const found = await decide(made, given(more))
  return found.verdict === "allow" ? "allow" : `${found.verdict}: ${found.reason}`
}

test("a tool that declares an effect without its arguments counts as unknown", async () => {
  for (const effect of ["read", "write", "execute", "network"]) {
    const made = call(`${effect}-nothing`, { path: "/home/u/shop/a", command: "ls", url: "https://x.com" })
    assert.equal(await reason(made), `ask: the tool ${effect}-nothing may do anything`)
  }
  assert.equal(await reason(call("weather", { path: "a" })), "ask: the tool weather may do anything")
})

test("each path of a call is checked: one denied path denies it, and several questions become one, without a suggested rule", async () => {
  const move = (from: unknown, to: unknown) => call("move", { from, to })
  assert.equal(await reason(move("a", "b")), "allow")
  assert.equal(await reason(move("a", "/etc/b")), "ask: outside the workspace")
  assert.equal(await reason(move(["a", "/etc/b"], "c")), "ask: outside the workspace")
  const both = await decide(move("/etc/a", ".git/config"), given())
  assert.deepEqual(both, { verdict: "ask", reason: "outside the workspace; it controls git or Gong" })
  const one = await decide(move("a", "/etc/b"), given())
  assert.equal(one.verdict === "ask" && one.rules?.suggestedRule, "move(/etc/b)")
  const deny = rules("edit(kept/**)")
  assert.equal(await reason(move("/etc/a", "kept/b"), { deny }), "deny: rule edit(kept/**)")
  assert.equal(
    await reason(move("a", "/etc/b"), { allow: rules("edit", "write(/etc/**)") }),
    "ask: outside the workspace",
  )
  assert.equal(await reason(move("a", "/etc/b"), { allow: rules("move(/etc/**)") }), "allow")
})

test("a missing path is the working directory; one that is not text makes the call unknown", async () => {
  const secret = { cwd: "/home/u/.ssh", roots: ["/home/u/shop"] }
  for (const args of [{}, { in: "" }, { in: [] }, { in: ["a", ""] }])
    assert.equal(await reason(call("scan", args), secret), "ask: it may hold keys", JSON.stringify(args))
  for (const odd of [7, null, { path: "a" }, ["a", 7], [["a"]]])
    assert.equal(await reason(call("scan", { in: odd })), "ask: the tool scan may do anything", JSON.stringify(odd))
})

test("keys below a folder need approval for a tool that reads all its files, not for one that reads a single file", async () => {
  const home = { roots: ["/home/u/shop"] }
  assert.equal(await reason(call("scan", { in: "/home/u" }), home), "ask: it may hold keys")
  assert.equal(await reason(call("count", { file: "/home/u" }), home), "allow")
})

test("declared commands and addresses are matched by allow rules of the tool, and by deny rules of all tools with its effect", async () => {
  const run = call("run", { script: "touch x", command: "ls" })
  assert.match(await reason(run), /^ask: /)
  assert.equal(await reason(run, { allow: rules("bash") }), await reason(run))
  assert.equal(await reason(run, { allow: rules("run(touch *)") }), "allow")
  assert.equal(await reason(run, { level: "full", deny: rules("bash(touch *)") }), "deny: rule bash(touch *)")
  const asked = await decide(run, given())
  assert.equal(asked.verdict === "ask" && asked.rules?.suggestedRule, "run(touch x)")
  assert.match(await reason(call("run", { script: "rm -rf ~" }), { level: "full" }), /^deny: guard/)
  const get = call("get", { from: "https://a.example.com/x", url: "https://b.com" })
  const host = await decide(get, given())
  assert.equal(host.verdict === "ask" && host.rules?.suggestedRule, "get(a.example.com)")
  assert.equal(await reason(get, { allow: rules("get(*.example.com)") }), "allow")
  assert.equal(await reason(get, { allow: rules("get(b.com)") }), "ask: it asks a.example.com")
})

test("approval of a tool without a declared command allows no test command of the shell", async () => {
  const policy = createPolicy(facts({ interactive: true }))
  const other = call("deploy", { command: "npm test" })
  assert.equal((await policy.decide(other)).verdict, "ask")
  await policy.remember(other, "once")
  assert.equal((await policy.decide(bash("npm test"))).verdict, "ask")
  await policy.remember(bash("npm test"), "once")
  assert.equal((await policy.decide(bash("npm test"))).verdict, "allow")
})

test("[SAFE-30] arguments of an undeclared tool are never interpreted", async () => {
  const unknown = facts({ interactive: true, declared: () => null })
  for (const made of [bash("ls"), file("read", "a"), file("ls", "."), call("todo", { todos: [] })])
    assert.equal((await decide(made, unknown)).verdict, "ask", made.tool)
})

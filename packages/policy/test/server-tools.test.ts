import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, type PolicyCall, type ToolDeclaration } from "@gong/spec"
import { builtInDeclarations } from "@gong/tools"
import { createPolicy } from "../src/policy.ts"
import type { PolicyFacts } from "../src/decision.ts"
import { facts, rules } from "./fixtures.ts"

const declared = (tool: string): ToolDeclaration | null =>
  tool === "mcp" || tool === "Git__get"
    ? { serverTool: (args) => (typeof args["tool"] === "string" ? args["tool"] : tool === "mcp" ? null : tool) }
    : builtInDeclarations(tool)

const call: PolicyCall = { tool: "mcp", arguments: { tool: "Git__get" }, title: "get it" }

function decided(more: Partial<PolicyFacts>, asked: PolicyCall = call) {
  return createPolicy(facts({ declared, interactive: true, ...more })).decide(asked)
}

test("a call to a server needs permission, with a rule for its tool and one for its server", async () => {
  const asked = await decided({})
  assert.equal(asked.verdict, "ask")
  assert.equal(englishOf(asked.verdict === "ask" ? asked.reason : ""), "the MCP server Git may do anything with it")
  assert.deepEqual(asked.verdict === "ask" ? asked.rules : null, {
    suggestedRule: "mcp(Git__get)",
    widerRule: "mcp(Git__*)",
    rulesFile: "/home/u/.gong/permissions.json",
  })
})

test("rules and levels decide about calls to servers; denials ignore the case", async () => {
  for (const [more, verdict] of [
    [{ level: "ask" }, "ask"],
    [{ level: "auto" }, "ask"],
    [{ level: "full" }, "allow"],
    [{ level: "plan" }, "deny"],
    [{ allow: rules("mcp(Git__get)") }, "allow"],
    [{ allow: rules("mcp(Git__*)") }, "allow"],
    [{ allow: rules("mcp(git__get)") }, "ask"],
    [{ allow: rules("mcp(Git__put)") }, "ask"],
    [{ level: "full", deny: rules("mcp(git__GET)") }, "deny"],
    [{ level: "full", deny: rules("mcp(GIT__*)") }, "deny"],
    [{ level: "full", deny: rules("mcp(other__*)") }, "allow"],
    [{ level: "plan", allow: rules("mcp(Git__*)") }, "allow"],
  ] as const)
    assert.equal((await decided(more)).verdict, verdict, JSON.stringify(more))
})

test("a refused call to a server is named by its tool and its title, once", async () => {
  for (const [asked, text] of [
    [call, /get it/],
    [{ tool: "Git__get", arguments: {}, title: "title" }, /Git__get title/],
    [{ tool: "Git__get", arguments: {}, title: "" }, /Git__get[^ ]* /],
  ] as const) {
    const denied = await decided({ level: "plan" }, asked)
    assert.ok(denied.verdict === "deny")
    assert.match(englishOf(denied.toModel), text)
  }
})

test("a call that reaches no server acts on the session alone", async () => {
  const inner = { tool: "mcp", arguments: {}, title: "list" }
  for (const [more, verdict] of [
    [{ level: "plan" }, "allow"],
    [{ level: "ask" }, "allow"],
    [{ level: "full", deny: rules("mcp") }, "deny"],
  ] as const)
    assert.equal((await decided(more, inner)).verdict, verdict, JSON.stringify(more))
})

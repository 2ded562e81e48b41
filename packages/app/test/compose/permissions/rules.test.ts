import assert from "node:assert/strict"
import { test } from "node:test"
import type { Config } from "../../../src/compose/config.ts"
import { readRules, type RuleDeps } from "../../../src/compose/permissions/rules.ts"

interface Given {
  readonly spec?: RuleDeps["spec"]
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly tools?: readonly string[]
  readonly always?: readonly string[]
}

function rules({ spec = {}, allow = [], deny = [], tools = [], always = [] }: Given) {
  const values = { "rules.allow": allow, "rules.deny": deny }
  const origins = { "rules.allow": "/h/settings.json", "rules.deny": "/p/settings.json" }
  const config = { home: "/h", settings: { values, origins } } as unknown as Config
  const toolSources = [{ from: "x", tools: tools.map((name) => ({ name })) }] as unknown as RuleDeps["toolSources"]
  const read = readRules({ spec, config, toolSources }, always)
  const names = (list: readonly { readonly tool: string }[]) => list.map(({ tool }) => tool)
  return read.ok ? [names(read.value.allow), names(read.value.deny)] : read.error.lines.join("\n")
}

test("rules of the command line come before those of the settings; stored ones only allow, and come last", () => {
  assert.deepEqual(rules({}), [[], []])
  assert.deepEqual(
    rules({
      spec: { allow: ["bash(a)"], deny: ["read(b)"] },
      allow: ["edit(c)"],
      deny: ["write(d)", "weather"],
      always: ["grep(e)", "gone(f)"],
    }),
    [
      ["bash", "edit", "grep", "gone"],
      ["read", "write", "weather"],
    ],
  )
})

test("a rule of the command line for an unknown tool is an error, unless an extension brings the tool", () => {
  for (const list of ["allow", "deny"] as const) {
    assert.match(String(rules({ spec: { [list]: ["bsah(a)"] } })), new RegExp(`^gong: --${list}: .*bsah.*bash`))
    assert.match(String(rules({ spec: { [list]: ["weather"] } })), new RegExp(`^gong: --${list}: .*weather`))
    assert.equal(typeof rules({ spec: { [list]: ["weather"] }, tools: ["weather"] }), "object")
  }
})

test("a misspelled name in the settings is an error with its file; another unknown name may be of an extension", () => {
  assert.equal(
    rules({ allow: ["bsah(a)"] }),
    'gong: /h/settings.json: "rules.allow": there is no tool "bsah". Did you mean bash?',
  )
  assert.equal(
    rules({ deny: ["bsah(a)"] }),
    'gong: /p/settings.json: "rules.deny": there is no tool "bsah". Did you mean bash?',
  )
  assert.deepEqual(rules({ allow: ["network(h)", "mcp(a__b)", "bash"] }), [["network", "mcp", "bash"], []])
  assert.match(String(rules({ allow: ["bash("] })), /^gong: \/h\/settings\.json: "rules\.allow": /)
  assert.match(String(rules({ deny: ["bash("] })), /^gong: \/p\/settings\.json: "rules\.deny": /)
})

test("an invalid stored rule names its file", () => {
  assert.match(String(rules({ always: ["bash(a)", "bash("] })), /^gong: \/h\/permissions\.json: /)
})

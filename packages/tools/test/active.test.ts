import assert from "node:assert/strict"
import { test } from "node:test"
import { allTools, codingTools, createActiveTools, readOnlyTools, toolNames } from "../src/index.ts"

test("[TOOLCFG-001] all seven tools are active by default", () => {
  assert.deepEqual(createActiveTools().activeTools(), ["read", "write", "edit", "bash", "grep", "find", "ls"])
})

test("[TOOLCFG-002] [TOOLCFG-S.2] the minimal preset is read, write, edit and bash", () => {
  assert.deepEqual(createActiveTools().preset("minimal"), { ok: true, names: ["read", "write", "edit", "bash"] })
})

test("[TOOLCFG-003] [TOOLCFG-S.3] the readonly preset is read, grep, find and ls", () => {
  const chosen = createActiveTools().preset("readonly")
  assert.deepEqual(chosen, { ok: true, names: ["read", "grep", "find", "ls"] })
})

test("[TOOLCFG-S.1] the default preset is all seven", () => {
  const names = ["read", "write", "edit", "bash", "grep", "find", "ls"]
  assert.deepEqual(createActiveTools().preset("default"), { ok: true, names })
})

test("[TOOLCFG-S.4] an unknown preset is an error that lists the presets", () => {
  const chosen = createActiveTools().preset("toString")
  assert.equal(chosen.ok, false)
  assert.match(chosen.ok ? "" : chosen.message, /toString.*default, minimal, readonly/)
})

test("[TOOLCFG-004] [TOOLCFG-S.5] the active set takes effect in the next tool list", () => {
  const active = createActiveTools()
  const build = () => active.activeTools().map((name) => `tool ${name}`)
  assert.equal(build().length, 7)
  assert.equal(active.setActiveTools(["read", "ls", "read"]).ok, true)
  assert.deepEqual(build(), ["tool read", "tool ls"])
})

test("[TOOLCFG-005] an unknown name is rejected", () => {
  const chosen = createActiveTools().validate(["nonexistent"])
  assert.equal(chosen.ok, false)
  assert.match(chosen.ok ? "" : chosen.message, /nonexistent/)
})

test("[TOOLCFG-006] an empty set is an error and changes nothing", () => {
  const active = createActiveTools()
  assert.equal(active.setActiveTools([]).ok, false)
  assert.equal(active.activeTools().length, 7)
})

test("[TOOLCFG-S.8] one unknown name among known ones changes nothing", () => {
  const active = createActiveTools()
  active.setActiveTools(["read"])
  assert.equal(active.setActiveTools(["ls", "fly"]).ok, false)
  assert.deepEqual(active.activeTools(), ["read"])
})

test("[TOOLCFG-S.6] the tool groups", () => {
  assert.deepEqual(codingTools, ["read", "bash", "edit", "write"])
  assert.deepEqual(readOnlyTools, ["read", "grep", "find", "ls"])
  assert.deepEqual(Object.keys(allTools), ["read", "write", "edit", "bash", "grep", "find", "ls"])
})

test("names of extension tools are accepted once known", () => {
  const active = createActiveTools([...toolNames, "deploy"])
  assert.equal(active.setActiveTools(["deploy"]).ok, true)
})

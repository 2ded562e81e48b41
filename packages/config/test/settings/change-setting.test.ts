import assert from "node:assert/strict"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { changeSetting, locateSetting, parseSettingName } from "../../src/settings/change-setting.ts"
import type { SettingName } from "../../src/settings/schema.ts"
import { folder } from "@gong/testing/folder"

async function changed(t: TestContext, before: string | null, name: SettingName, text: string | null) {
  const home = folder(t, before === null ? {} : { "settings.json": before })
  const found: (string | null)[] = []
  const done = await changeSetting({ folder: home, project: false }, name, text, (one) => found.push(one))
  const path = join(home, "settings.json")
  const after = existsSync(path) ? readFileSync(path, "utf8") : null
  if (done.ok) assert.equal(done.value, after, "the new text is returned")
  return { found, after, value: after === null ? null : JSON.parse(after), lines: done.ok ? [] : done.error.lines }
}

test("a setting is stored as nested objects, or in the spelling that exists", async (t) => {
  for (const [before, name, text, after] of [
    [null, "bash.timeout", "5", { bash: { timeout: 5 } }],
    ["{}", "model", "a/b", { model: "a/b" }],
    ['{"bash.timeout": 1}', "bash.timeout", "5", { "bash.timeout": 5 }],
    ['{"bash": {"timeout": 1}}', "bash.timeout", "5", { bash: { timeout: 5 } }],
    ['{"bash": {"background": false}}', "bash.timeout", "5", { bash: { background: false, timeout: 5 } }],
    ['{"bash": 7}', "bash.timeout", "5", { bash: 7, "bash.timeout": 5 }],
    [
      '{"bash.timeout": 1, "bash": {"timeout": 2, "background": true}}',
      "bash.timeout",
      "5",
      { "bash.timeout": 5, bash: { background: true } },
    ],
    ['{"sandbox": "off"}', "sandbox.reveal", "npm", { sandbox: "off", "sandbox.reveal": ["npm"] }],
    ["{}", "sandbox.reveal", "npm", { "sandbox.reveal": ["npm"] }],
    ['{"sandbox": {"reveal": ["npm"]}}', "sandbox", "off", { sandbox: "off", "sandbox.reveal": ["npm"] }],
    ["{}", "limits.maxTime", "15m", { limits: { maxTime: "15m" } }],
    ["{}", "contextFiles", "off", { contextFiles: false }],
    ["{}", "env.allow", "A,B", { env: { allow: ["A", "B"] } }],
  ] as const) {
    const { found, value } = await changed(t, before, name, text)
    assert.deepEqual(value, after, `${before} ${name}`)
    assert.deepEqual(found, [before])
  }
})

test("a setting is removed in each of its spellings, and a missing one changes nothing", async (t) => {
  for (const [before, name, after] of [
    ['{"model": "a/b", "theme": "x"}', "model", { theme: "x" }],
    ['{"bash.timeout": 1, "bash": {"timeout": 2}}', "bash.timeout", { bash: {} }],
    ['{"theme": "x"}', "model", { theme: "x" }],
    [null, "model", {}],
  ] as const)
    assert.deepEqual((await changed(t, before, name, null)).value, after, `${before} ${name}`)
})

test("an invalid value is refused with its name, and nothing is written", async (t) => {
  const { after, lines, found } = await changed(t, null, "bash.timeout", "x")
  assert.deepEqual([after, found, lines], [null, [], ['gong: "bash.timeout" must be a whole number from 1, not "x".']])
})

test("a setting of the user alone cannot be set in a project, but removed", async (t) => {
  const root = folder(t, { "settings.json": '{"permission": "full"}' })
  const place = { folder: root, project: true }
  const refused = await changeSetting(place, "permission", "plan")
  assert.deepEqual(refused.ok ? [] : refused.error.lines, [
    'gong: "permission" cannot be set by a project. Without --project it is set for you.',
  ])
  assert.equal((await changeSetting({ ...place, project: false }, "permission", "plan")).ok, true)
  assert.equal((await changeSetting(place, "permission", null)).ok, true)
  assert.equal(readFileSync(join(root, "settings.json"), "utf8").trim(), "{}")
  assert.equal((await changeSetting(place, "model", "a/b")).ok, true)
  assert.equal(statSync(join(root, "settings.json")).mode & 0o777, 0o600)
})

test("an unknown name of a setting has a suggestion", () => {
  assert.deepEqual(parseSettingName("model"), { ok: true, value: "model" })
  const unknown = parseSettingName("modle")
  assert.deepEqual(unknown.ok ? [] : unknown.error.lines, [
    'gong: there is no setting "modle". Did you mean model? gong config list shows all.',
  ])
  assert.equal(parseSettingName("toString").ok, false)
})

test("the place of a setting in a file, existing or not", () => {
  assert.deepEqual(locateSetting({ bash: { timeout: 3 } }, "bash.timeout"), { path: ["bash", "timeout"], value: 3 })
  assert.deepEqual(locateSetting({ "bash.timeout": 3 }, "bash.timeout"), { path: ["bash.timeout"], value: 3 })
  assert.deepEqual(locateSetting({}, "bash.timeout"), { path: ["bash", "timeout"], value: undefined })
  assert.deepEqual(locateSetting("x", "model"), { path: ["model"], value: undefined })
  assert.deepEqual(locateSetting(Object.create({ bash: 1 }), "bash.timeout").path, ["bash", "timeout"])
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { isSettingName, settingNames, settingOf } from "../../src/settings/schema.ts"

test("a project may set what cannot affect the user's safety, terminal or machine, and nothing else", () => {
  assert.deepEqual(
    settingNames.filter((name) => settingOf(name).userOnly !== true),
    [
      "model",
      "thinking",
      "rules.deny",
      "tools",
      "env.deny",
      "bash.timeout",
      "bash.background",
      "images.maxSize",
      "limits.maxTurns",
      "limits.maxCost",
      "limits.maxTokens",
      "limits.maxTime",
      "task.model",
      "task.maxTurns",
      "task.maxCost",
      "task.maxTokens",
      "task.maxTime",
      "queue.steer",
      "queue.followUp",
      "contextFiles",
      "skills",
      "stream.firstEvent",
      "stream.gap",
      "retry.count",
      "retry.baseMs",
      "compaction.auto",
      "compaction.model",
      "compaction.reserveTokens",
      "compaction.keepRecentTokens",
    ],
  )
})

test("the defaults of the settings", () => {
  const defaults = settingNames.map((name) => [name, settingOf(name).default] as const)
  assert.deepEqual(Object.fromEntries(defaults.filter(([, value]) => value !== null && !Array.isArray(value))), {
    language: "auto",
    "terminal.view": "screen",
    "terminal.title": true,
    "terminal.notify": true,
    "terminal.images": true,
    "terminal.wideAmbiguous": false,
    "terminal.vim": false,
    network: "on",
    tools: "default",
    reads: "anywhere",
    writeGuard: "on",
    "bash.timeout": 120,
    "bash.background": true,
    "undo.lookTime": 0.3,
    "images.block": false,
    "images.maxSize": 4_718_592,
    "task.maxTurns": 50,
    "task.maxTime": 900_000,
    "queue.steer": "all",
    "queue.followUp": "one",
    contextFiles: true,
    skills: true,
    "proxy.loopback": false,
    "tls.systemCa": false,
    "local.wait": 150,
    record: "off",
    "retry.count": 3,
    "retry.baseMs": 1000,
    "compaction.auto": true,
    "compaction.reserveTokens": 16_384,
    "compaction.keepRecentTokens": 20_000,
  })
  assert.deepEqual(
    defaults.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value]] : [])),
    ["rules.allow", "rules.deny", "terminal.keys", "sandbox.reveal", "env.allow", "env.deny"].map((name) => [name, []]),
  )
})

test("switches turn their setting off, and a number has its maximum", () => {
  const rows = settingNames.map((name) => ({ name, ...settingOf(name) }))
  assert.deepEqual(
    rows.flatMap(({ name, flag, flagMeans }) => (flagMeans === undefined ? [] : [[name, flag, flagMeans]])),
    [
      ["contextFiles", "noContext", false],
      ["skills", "noSkills", false],
    ],
  )
  assert.deepEqual(
    rows.flatMap(({ name, most }) => (most === undefined ? [] : [[name, most]])),
    [["retry.count", 10]],
  )
})

test("only names of settings are settings", () => {
  assert.ok(isSettingName("bash.timeout"))
  for (const name of ["bash", "toString", "__proto__", "Model", ""]) assert.equal(isSettingName(name), false, name)
})

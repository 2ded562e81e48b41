import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import type { SessionSpec } from "../../src/session-spec.ts"
import { changeSetting } from "../../src/settings/change-setting.ts"
import { readProjectSettings, readUserSettings } from "../../src/settings/read.ts"
import { resolveSettings, type SettingSources } from "../../src/settings/resolve.ts"
import { settings } from "../../src/settings/schema.ts"
import { trust } from "../trust/trusted.ts"
import { folder } from "@gong/testing/folder"

function resolved(sources: Partial<SettingSources> = {}) {
  const settings = resolveSettings({ spec: {}, env: {}, project: null, user: null, ...sources })
  assert.ok(settings.ok, settings.ok ? "" : settings.error.lines.join("\n"))
  return settings.value
}

function mistake(spec: SessionSpec, env: Record<string, string> = {}): string {
  const settings = resolveSettings({ spec, env, project: null, user: null })
  assert.ok(!settings.ok)
  assert.equal(settings.error.exit, 2)
  return settings.error.lines.join("\n")
}

test("every setting has its default, with its source", () => {
  const { values, origins } = resolved()
  for (const [name, setting] of Object.entries(settings)) {
    assert.deepEqual((values as Record<string, unknown>)[name], setting.default, name)
  }
  assert.ok(Object.values(origins).every((origin) => origin === "default"))
})

test("option > environment > project > user > default, each with its source", async (t) => {
  const home = folder(t, {
    "settings.json": '{"thinking":"low","model":"a/user","bash":{"timeout":1},"contextFiles":false}',
  })
  const root = folder(t, { ".gong/settings.json": '{"thinking":"medium","model":"a/project","bash":{"timeout":2}}' })
  const user = await readUserSettings(home)
  const project = await readProjectSettings(await trust(root))
  assert.ok(user.ok && project.ok)
  const { values, origins } = resolved({
    spec: { thinking: "xhigh" },
    env: { GONG_THINKING: "high", GONG_MODEL: "a/env" },
    user: user.value,
    project: project.value,
  })
  const reported = (["thinking", "model", "bash.timeout", "contextFiles", "stream.gap"] as const).map((name) => [
    values[name],
    origins[name],
  ])
  assert.deepEqual(reported, [
    ["xhigh", "--thinking"],
    ["a/env", "GONG_MODEL"],
    [2, join(root, ".gong", "settings.json")],
    [false, join(home, "settings.json")],
    [null, "default"],
  ])
})

test("--set changes one setting for this run; the setting's own option takes precedence", () => {
  const { values, origins } = resolved({
    spec: { set: ["bash.timeout=5", "env.allow=A,B", "contextFiles=off", "thinking=low"], thinking: "high" },
  })
  assert.deepEqual([values["bash.timeout"], values["env.allow"], values.contextFiles], [5, ["A", "B"], false])
  assert.deepEqual([values.thinking, origins.thinking, origins["bash.timeout"]], ["high", "--thinking", "--set"])
  assert.equal(
    mistake({ set: ["bash.timout=5"] }),
    'gong: --set: there is no setting "bash.timout". Did you mean bash.timeout?',
  )
  assert.equal(mistake({ set: ["stream.gap=-1"] }), 'gong: --set: "stream.gap" must be a number from 0, not "-1".')
  assert.deepEqual(
    [resolved({ spec: { set: ["retry.count=0"] } }).values["retry.count"], values["retry.count"]],
    [0, 3],
  )
  for (const count of ["11", "1.5", "-1", "x"]) {
    const wants = '"retry.count" must be a whole number from 0 to 10'
    assert.equal(mistake({ set: [`retry.count=${count}`] }), `gong: --set: ${wants}, not "${count}".`)
  }
})

test("--no-context disables context files, --base-url is named as typed", () => {
  const { values, origins } = resolved({ spec: { noContext: true, baseUrl: "http://x" } })
  assert.deepEqual([values.contextFiles, origins.contextFiles], [false, "--no-context"])
  assert.deepEqual([values.baseUrl, origins.baseUrl], ["http://x", "--base-url"])
})

test("an invalid environment variable is named; an empty one counts as unset", () => {
  assert.equal(
    mistake({}, { GONG_PERMISSION: "yolo" }),
    'gong: GONG_PERMISSION must be plan, ask, auto or full, not "yolo".',
  )
  assert.equal(resolved({ env: { GONG_PERMISSION: "" } }).values.permission, null)
})

test("an unknown wire format is rejected", () => {
  assert.match(
    mistake({}, { GONG_API: "google" }),
    /^gong: GONG_API must be openai-completions, openai-responses, anthropic-messages or google-generative-ai, not "google"/,
  )
})

test("comments, trailing commas, a byte order mark and an empty file are accepted", async (t) => {
  const text = '\uFEFF{\n  // mine\n  "bash": { "timeout": 7, }, /* x */\n  "env.allow": ["A",],\n}\n'
  const read = await readUserSettings(folder(t, { "settings.json": text }))
  assert.ok(read.ok && read.value)
  assert.deepEqual(
    [...read.value.values],
    [
      ["bash.timeout", 7],
      ["env.allow", ["A"]],
    ],
  )
  assert.ok((await readUserSettings(folder(t, { "settings.json": " \n" }))).ok)
  assert.deepEqual(await readUserSettings(folder(t)), { ok: true, value: null })
})

test("an invalid file is one line: file, line, column, problem and remedy", async (t) => {
  const lines = async (text: string): Promise<string> => {
    const home = folder(t, { "settings.json": text })
    const read = await readUserSettings(home)
    assert.ok(!read.ok, text)
    return read.error.lines.join("\n").replace(home, "~")
  }
  assert.equal(
    await lines('{\n  "model": "a/b"\n  "thinking": "low"\n}'),
    "gong: ~/settings.json:3:3: comma expected. Fix it there or move the file away.",
  )
  assert.equal(
    await lines("[]"),
    "gong: ~/settings.json:1: the settings must be an object, {...}. Fix it or move the file away.",
  )
  assert.equal(
    await lines('{\n"bash": {\n"timeout": "60"}}'),
    'gong: ~/settings.json:3: "bash.timeout" must be a number, not "60".',
  )
  assert.equal(
    await lines('{"env":{"allow":"A"}}'),
    'gong: ~/settings.json:1: "env.allow" must be a list of environment variable names, not "A".',
  )
  for (const [setting, value, expected] of [
    ["model", 5, "text"],
    ["permission", 5, "plan, ask, auto or full"],
    ["retry.count", "3", "a number"],
  ] as const)
    assert.equal(
      await lines(JSON.stringify({ [setting]: value })),
      `gong: ~/settings.json:1: "${setting}" must be ${expected}, not ${JSON.stringify(value)}.`,
    )
})

test("unknown names are skipped with a line that suggests a similar one", async (t) => {
  const home = folder(t, {
    "settings.json": '{\n"modle": "a/b",\n"apiKey": "sk-1",\n"__proto__": {"x": 1}, "bash": {"timeot": 1}}',
  })
  const read = await readUserSettings(home)
  assert.ok(read.ok && read.value)
  assert.equal(read.value.values.size, 0)
  assert.deepEqual(
    read.value.warnings.map((line) => englishOf(line).replace(home, "~")),
    [
      'gong: ~/settings.json:2: unknown setting "modle" is ignored. Did you mean model?',
      'gong: ~/settings.json:3: "apiKey" is ignored: keys belong in the environment or in auth.json.',
      'gong: ~/settings.json:4: unknown setting "__proto__" is ignored.',
      'gong: ~/settings.json:4: unknown setting "bash.timeot" is ignored. Did you mean bash.timeout?',
    ],
  )
})

test("a project cannot set permission, sandbox, endpoints or keys", async (t) => {
  const root = folder(t, {
    ".gong/settings.json":
      '{"permission":"full","sandbox":"off","baseUrl":"http://evil","api":"anthropic-messages","reads":"anywhere","env":{"allow":["K"],"deny":["D"]},"trust":true,"model":"a/b"}',
  })
  const read = await readProjectSettings(await trust(root))
  assert.ok(read.ok && read.value)
  assert.deepEqual([...read.value.values.keys()], ["env.deny", "model"])
  assert.equal(read.value.warnings.filter((line) => englishOf(line).endsWith("a project cannot set it.")).length, 6)
})

test("sandbox is a setting and a group: setting one keeps the other, in either spelling", async (t) => {
  const home = folder(t, { "settings.json": '{ "sandbox": { "reveal": ["npm"] } }' })
  const place = { folder: home, project: false }
  const values = async () => {
    const read = await readUserSettings(home)
    assert.ok(read.ok)
    return Object.fromEntries(read.value?.values ?? [])
  }
  assert.deepEqual(await values(), { "sandbox.reveal": ["npm"] })
  await changeSetting(place, "sandbox", "workspace")
  assert.deepEqual(await values(), { sandbox: "workspace", "sandbox.reveal": ["npm"] })
  await changeSetting(place, "sandbox.reveal", "npm,~/.ssh/known_hosts")
  assert.deepEqual(await values(), { sandbox: "workspace", "sandbox.reveal": ["npm", "~/.ssh/known_hosts"] })
  await changeSetting(place, "sandbox", null)
  await changeSetting(place, "sandbox.reveal", null)
  await changeSetting(place, "sandbox.reveal", "ssh")
  await changeSetting(place, "sandbox", "off")
  assert.deepEqual(await values(), { sandbox: "off", "sandbox.reveal": ["ssh"] })
})

import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { type Setting, type SettingName, settingNames, settingOf } from "@gong/config/settings/schema"
import { openStage } from "../program/harness.ts"

const usersOwn = settingNames.filter((name) => settingOf(name).userOnly === true)

/** Written down by hand: a setting that decides over the user's safety and loses its mark is missed here. */
const decisive: readonly SettingName[] = [
  "api",
  "ask.timeout",
  "baseUrl",
  "env.allow",
  "images.block",
  "language",
  "local.wait",
  "network",
  "permission",
  "proxy.loopback",
  "reads",
  "record",
  "rules.allow",
  "sandbox",
  "sandbox.reveal",
  "terminal.images",
  "terminal.keys",
  "terminal.notify",
  "terminal.statusLine",
  "terminal.title",
  "terminal.view",
  "terminal.vim",
  "terminal.wideAmbiguous",
  "theme",
  "tls.systemCa",
  "undo.lookTime",
  "writeGuard",
]

/** Another value than the default, as written in a file. */
function hostileValue({ kind, choices, default: usual }: Setting): unknown {
  switch (kind) {
    case "choice":
      return choices?.findLast((choice) => choice !== usual)
    case "switch":
      return usual !== true
    case "names":
    case "rules":
    case "places":
    case "keys":
      return ["EVIL"]
    case "text":
      return "http://127.0.0.1:1/evil"
    case "duration":
      return "7m"
    case "whole":
    case "count":
    case "number":
    case "money":
      return 7
  }
}

const inFile = Object.fromEntries(usersOwn.map((name) => [name, hostileValue(settingOf(name))]))

interface Row {
  readonly name: string
  readonly value: unknown
  readonly origin: string
}

test("[SC-13] the list of settings that only the user can set", () => {
  assert.deepEqual(usersOwn.toSorted(), decisive)
})

test(`[SC-13] none of the ${usersOwn.length} user-only settings has an effect in a repository, trusted or not; each is reported in one line (${usersOwn.length} attacks with controls)`, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Right." } })
  const path = join(stage.repo, ".gong/settings.json")
  const listed = async (...args: readonly string[]) => {
    const { out, err, status } = await stage.gong(["config", "--json", ...args])
    assert.equal(status, 0, err)
    const { settings } = JSON.parse(out) as { settings: readonly Row[] }
    return { rows: settings.filter(({ name }) => name in inFile), lines: err.split("\n").filter((line) => line !== "") }
  }
  const before = await listed()
  assert.deepEqual(before.lines, [])
  // Each on a line of its own; one key that a project may set shows that the file is read.
  const members = Object.entries({ ...inFile, "bash.timeout": 77 }).map((pair) =>
    pair.map((one) => JSON.stringify(one)),
  )
  stage.write({ [path]: `{\n${members.map((pair) => pair.join(": ")).join(",\n")}\n}` })
  const untrusted = await listed()
  assert.deepEqual(untrusted.rows, before.rows)
  const [line] = untrusted.lines
  assert.match(line ?? "", /^gong: this folder contains 1 settings file, which was not loaded \(not trusted\)\./)
  assert.equal(untrusted.lines.length, 1)
  const trusted = await listed("--trust", "yes")
  assert.deepEqual(trusted.rows, before.rows)
  assert.deepEqual(
    trusted.lines,
    usersOwn.map((name, at) => `gong: ${path}:${at + 2}: "${name}" is ignored: a project cannot set it.`),
  )
  assert.equal((await stage.gong(["config", "get", "bash.timeout", "--trust", "yes"])).out, "77\n", "it was read")
  // The same as the user's own counts, every one: the wires are live.
  stage.write({ [`${stage.gongHome}/settings.json`]: JSON.stringify({ ...inFile, language: "zh-CN" }) })
  const env = { GONG_API: "", GONG_BASE_URL: "", GONG_SANDBOX: "" }
  const own = await stage.gong(["config", "--json"], { env })
  const { settings } = JSON.parse(own.out) as { settings: readonly Row[] }
  for (const name of usersOwn)
    assert.equal(settings.find((row) => row.name === name)?.origin, `${stage.gongHome}/settings.json`, name)
})

test("[SC-13] user-only settings of a repository do not change commands, addresses and questions of a run, trusted or not", async (t) => {
  const stage = await openStage(t)
  const spellings = { flat: inFile, nested: nested(inFile) }
  for (const [name, settings] of Object.entries(spellings)) {
    for (const trust of ["yes", "no"]) {
      stage.write({ ".gong/settings.json": JSON.stringify(settings) })
      stage.server.begin([
        { calls: [{ name: "bash", args: { command: `touch ${name}-${trust}; env` } }] },
        { text: "Right." },
      ])
      const run = await stage.gong(["-p", "--trust", trust, "--output", "json", "go"])
      assert.equal(run.status, 0, run.err)
      const { denials, text } = JSON.parse(run.out) as { denials: readonly unknown[]; text: string }
      assert.deepEqual(
        [denials.length, text],
        [1, "Right."],
        `${name}, trust ${trust}: refused, and by the user's model`,
      )
      assert.equal(
        run.err.split("\n").filter((line) => line.includes("a project cannot set it")).length,
        trust === "yes" ? usersOwn.length : 0,
      )
    }
  }
})

/** `{"a.b": 1}` as `{"a": {"b": 1}}`. */
function nested(flat: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {}
  const top: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flat)) {
    const [group = "", rest] = name.split(".")
    if (rest === undefined || group in flat) top[name] = value
    else all[group] = { ...all[group], [rest]: value }
  }
  return { ...top, ...all }
}

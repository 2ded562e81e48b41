import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import type { Setting, SettingKind } from "../../src/settings/schema.ts"
import { fromJson, fromText, type SettingRead } from "../../src/settings/value.ts"

const setting = (kind: SettingKind, more: Partial<Setting> = {}): Setting => ({
  kind,
  default: null,
  about: "",
  ...more,
})
const shown = (read: SettingRead) => (read.ok ? read.value : `! ${englishOf(read.problem)}`)
const choices = ["screen", "plain"]

test("a value that is given as text: its kind decides the form", () => {
  const cases: readonly (readonly [Setting, string, unknown])[] = [
    [setting("choice", { choices }), "plain", "plain"],
    [setting("choice", { choices }), "plian", '! must be screen or plain, not "plian". Did you mean plain?'],
    [setting("choice", { choices }), "x", '! must be screen or plain, not "x".'],
    [setting("switch"), "on", true],
    [setting("switch"), "true", true],
    [setting("switch"), "off", false],
    [setting("switch"), "false", false],
    [setting("switch"), "yes", '! must be on or off, not "yes".'],
    [setting("number"), "0", 0],
    [setting("number"), "1.5", 1.5],
    [setting("number"), "123456789.123456", 123_456_789.123456],
    [setting("number"), "1234567890", '! must be a number from 0, not "1234567890".'],
    [setting("number"), "1.1234567", '! must be a number from 0, not "1.1234567".'],
    [setting("number"), " 1", '! must be a number from 0, not " 1".'],
    [setting("number"), "1 ", '! must be a number from 0, not "1 ".'],
    [setting("count", { most: 10 }), "0", 0],
    [setting("count", { most: 10 }), "10", 10],
    [setting("count", { most: 10 }), "11", '! must be a whole number from 0 to 10, not "11".'],
    [setting("count"), "999999999999", 999_999_999_999],
    [setting("count"), "1.5", '! must be a whole number from 0 to 9007199254740991, not "1.5".'],
    [setting("count"), "a1", '! must be a whole number from 0 to 9007199254740991, not "a1".'],
    [setting("count"), "1a", '! must be a whole number from 0 to 9007199254740991, not "1a".'],
    [setting("names"), "A,,_B1,", ["A", "_B1"]],
    [setting("names"), "", []],
    [setting("names"), "A B", '! must be names of environment variables, not "A B".'],
    [setting("names"), "1A", '! must be names of environment variables, not "1A".'],
    [setting("rules"), " bash(a, b) ,, edit(**),", ["bash(a, b)", "edit(**)"]],
    [setting("places"), "npm, ,~/x", ["npm", "~/x"]],
    [setting("keys"), "send=f3,ctrl+x s,new-line=,stop=escape", ["send=f3,ctrl+x s", "new-line=", "stop=escape"]],
    [setting("keys"), "", []],
    [setting("text"), "x", "x"],
    [setting("text"), "", '! must be a value, which may not be empty, not "".'],
    [setting("whole"), "7", 7],
    [setting("whole"), "0", '! must be a whole number from 1, not "0".'],
    [setting("money"), "0.5", 0.5],
    [setting("duration"), "15m", 900_000],
    [setting("duration"), "15", '! must be a time such as 90s, 15m or 2h, not "15".'],
  ]
  for (const [of, text, expected] of cases) assert.deepEqual(shown(fromText(of, text)), expected, `${of.kind} ${text}`)
})

test("a value of a file has the type of its kind, and the form of a text", () => {
  const cases: readonly (readonly [Setting, unknown, unknown])[] = [
    [setting("text"), "x", "x"],
    [setting("text"), 5, "! must be text, not 5."],
    [setting("text"), undefined, "! must be text, not nothing."],
    [setting("choice", { choices }), "plain", "plain"],
    [setting("choice", { choices }), 1, "! must be screen or plain, not 1."],
    [setting("duration"), "15m", 900_000],
    [setting("duration"), 15, '! must be a time such as "15m", not 15.'],
    [setting("switch"), true, true],
    [setting("switch"), false, false],
    [setting("switch"), "on", '! must be true or false, not "on".'],
    [setting("switch"), null, "! must be true or false, not null."],
    [setting("whole"), 3, 3],
    [setting("whole"), 0, '! must be a whole number from 1, not "0".'],
    [setting("whole"), "3", '! must be a number, not "3".'],
    [setting("count", { most: 3 }), 3, 3],
    [setting("count", { most: 3 }), 4, '! must be a whole number from 0 to 3, not "4".'],
    [setting("count"), [], "! must be a number, not []."],
    [setting("number"), 0.5, 0.5],
    [setting("number"), -1, '! must be a number from 0, not "-1".'],
    [setting("number"), "1", '! must be a number, not "1".'],
    [setting("money"), 0.25, 0.25],
    [setting("money"), true, "! must be a number, not true."],
    [setting("names"), ["A", "b_1"], ["A", "b_1"]],
    [setting("names"), [], []],
    [setting("names"), ["A", 1], '! must be a list of environment variable names, not ["A",1].'],
    [setting("names"), ["A B"], '! must be a list of environment variable names, not ["A B"].'],
    [setting("names"), "A", '! must be a list of environment variable names, not "A".'],
    [setting("rules"), ["bash(a)"], ["bash(a)"]],
    [setting("rules"), [" "], '! must be a list of rules such as "bash(npm test)", not [" "].'],
    [setting("rules"), "a", '! must be a list of rules such as "bash(npm test)", not "a".'],
    [setting("places"), ["~/x y"], ["~/x y"]],
    [
      setting("keys"),
      ["next-permission=ctrl+y,ctrl+x p", "complete="],
      ["next-permission=ctrl+y,ctrl+x p", "complete="],
    ],
    [setting("keys"), [""], '! must be a list of keys such as "send=ctrl+s", not [""].'],
    [setting("places"), {}, "! must be a list of names and paths, not {}."],
  ]
  for (const [of, value, expected] of cases)
    assert.deepEqual(shown(fromJson(of, value)), expected, `${of.kind} ${JSON.stringify(value)}`)
})

test("a long wrong value is cut to 80 characters", () => {
  assert.equal(shown(fromText(setting("switch"), "x".repeat(80))), `! must be on or off, not "${"x".repeat(80)}".`)
  assert.equal(shown(fromText(setting("switch"), "x".repeat(81))), `! must be on or off, not "${"x".repeat(80)}...".`)
})

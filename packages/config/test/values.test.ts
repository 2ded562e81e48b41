import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { duration, readValue, type ValueType } from "../src/values.ts"

/** The value, or "wants ..." */
function read(type: ValueType, text: string): string | number {
  const value = readValue(type, text)
  return value.ok ? value.value : `wants ${englishOf(value.wants)}`
}

test("each kind of value has its form", () => {
  const cases: readonly (readonly [ValueType, readonly string[], readonly string[], string])[] = [
    [{ kind: "choice", choices: ["on", "off"] }, ["on", "off"], ["", "On", "o"], "on or off"],
    [
      { kind: "whole" },
      ["1", "10", "999999999999"],
      ["", "0", "01", "1.0", "-1", " 1", "1 ", "9999999999999", "1e3"],
      "a whole number from 1",
    ],
    [
      { kind: "money" },
      ["1", "0.5", "000000001", "123456789.123456789"],
      ["", "0", "0.0", ".5", "1.", "1234567890", "0.1234567891", "-1", "1 ", "$1"],
      "US dollars above 0, such as 0.50",
    ],
    [{ kind: "pair" }, ["a=", "a=b=c", "a b=c"], ["", "a", "=b"], "KEY=VALUE"],
    [
      { kind: "variable" },
      ["A", "_", "a1_B"],
      ["", "1A", "A-B", "A B", "A=", " A"],
      "the name of an environment variable",
    ],
    [{ kind: "text" }, ["x", " "], [""], "a value, which may not be empty"],
    [{ kind: "text", value: "a file" }, ["x"], [""], "a file, which may not be empty"],
    [{ kind: "prose" }, ["", "x"], [], ""],
    [{ kind: "switch" }, ["", "x"], [], ""],
  ]
  for (const [type, valid, invalid, wants] of cases) {
    const isNumber = type.kind === "whole" || type.kind === "money"
    for (const text of valid) assert.equal(read(type, text), isNumber ? Number(text) : text, `${type.kind} ${text}`)
    for (const text of invalid) assert.equal(read(type, text), `wants ${wants}`, `${type.kind} ${JSON.stringify(text)}`)
  }
})

test("a duration is milliseconds, above 0 and below the limit of timers", () => {
  for (const [text, ms] of [
    ["1s", 1000],
    ["90s", 90_000],
    ["15m", 900_000],
    ["1.5h", 5_400_000],
    ["0.001s", 1],
    ["0.125m", 7500],
    ["596h", 2_145_600_000],
    ["35791m", 2_147_460_000],
    ["2147483s", 2_147_483_000],
  ] as const) {
    assert.deepEqual(duration(text), { ok: true, value: ms }, text)
    assert.equal(read({ kind: "duration" }, text), ms)
  }
  for (const text of [
    "",
    "s",
    "1",
    "0s",
    "0.000s",
    "1d",
    "1S",
    "1 s",
    " 1s",
    "1s ",
    "1.s",
    "1.2345s",
    "597h",
    "35792m",
  ])
    assert.equal(read({ kind: "duration" }, text), "wants a time such as 90s, 15m or 2h", text)
  assert.equal(duration("2147484s").ok, false)
  assert.equal(duration("12345678s").ok, false)
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { nearest } from "@gong/spec"
import { toolNames } from "@gong/tools"
import { parseModel } from "../src/model.ts"
import { selectTools } from "../src/tools.ts"

const choices = {
  known: toolNames,
  presets: { default: toolNames, minimal: ["read", "write", "edit", "bash"], readonly: ["read", "grep", "find", "ls"] },
}

test("a model is provider, id and a thinking level, if valid", () => {
  const cases: readonly (readonly [string, string | null, string, string | null])[] = [
    ["anthropic/claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5", null],
    ["anthropic/claude-sonnet-4-5:high", "anthropic", "claude-sonnet-4-5", "high"],
    ["ollama/qwen3-coder:30b", "ollama", "qwen3-coder:30b", null],
    ["ollama/qwen3-coder:30b:off", "ollama", "qwen3-coder:30b", "off"],
    ["openrouter/meta/llama-4", "openrouter", "meta/llama-4", null],
    ["any", null, "any", null],
  ]
  for (const [text, provider, id, thinking] of cases) {
    assert.deepEqual(parseModel(text), { ok: true, value: { provider, id, thinking } }, text)
  }
  for (const text of ["", "/x", "a/", "a b", ":high", "a/b,c/d"]) assert.equal(parseModel(text).ok, false, text)
})

test("tools: names, presets and changes, in catalogue order", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["grep,read", ["read", "grep"]],
    ["default", toolNames],
    ["minimal", ["read", "write", "edit", "bash"]],
    ["readonly,+bash", ["read", "bash", "grep", "find", "ls"]],
    ["-bash", ["read", "write", "edit", "grep", "find", "ls"]],
    ["read, read", ["read"]],
  ]
  for (const [list, expected] of cases) {
    assert.deepEqual(selectTools(list, choices), { ok: true, value: expected }, list)
  }
  assert.deepEqual(selectTools("-bash,default", choices), selectTools("default,-bash", choices))
})

test("tools: unknown names and empty sets are rejected", () => {
  const refused = (list: string): string => {
    const selected = selectTools(list, choices)
    assert.ok(!selected.ok)
    return selected.error.lines[0] ?? ""
  }
  assert.equal(refused("gerp"), 'gong: there is no tool "gerp". Did you mean grep?')
  assert.match(refused("+fetch"), /^gong: there is no tool "fetch"\. Available: read, .* or readonly\.$/)
  assert.match(refused("constructor"), /there is no tool/)
  assert.match(refused("read,-read"), /selects no tool/)
})

test("a suggestion is similar, or there is none", () => {
  assert.equal(nearest("modle", ["mode", "model"]), "model")
  assert.equal(nearest("zzz", ["mode", "model"]), null)
  assert.equal(nearest("", ["a"]), null)
  assert.equal(nearest("y", ["x"]), null)
  assert.equal(nearest("m".repeat(100_000), ["model"]), null)
})

test("suggestions: one typo per word, in longer words a third of the letters; words of at most 64 letters", () => {
  const slips = (length: number, count: number) =>
    nearest("a".repeat(length), ["b".repeat(count).padEnd(length, "a")]) !== null
  assert.deepEqual([slips(3, 1), slips(3, 2)], [true, false])
  assert.deepEqual([slips(5, 1), slips(5, 2)], [true, false])
  assert.deepEqual([slips(6, 2), slips(6, 3)], [true, false])
  assert.deepEqual([slips(12, 4), slips(12, 5)], [true, false])
  assert.deepEqual([slips(64, 1), slips(65, 1)], [true, false])
  assert.equal(nearest("abc", ["abcd"]), "abcd", "a letter that is missing")
  assert.equal(nearest("ab", ["ba"]), "ba", "a swap")
  assert.equal(nearest("modes", ["model", "mode"]), "model", "of two that are as near, the one as long")
})

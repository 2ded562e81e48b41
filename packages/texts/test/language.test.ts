import assert from "node:assert/strict"
import { test } from "node:test"
import { languageOf } from "../src/language.ts"

test("the setting decides the language, and without one the first locale that is set", () => {
  const chinese = { LANG: "zh_CN.UTF-8" }
  for (const [setting, env, expected] of [
    ["en", chinese, "en"],
    ["zh-CN", { LC_ALL: "C" }, "zh-CN"],
    ["auto", chinese, "zh-CN"],
    ["", chinese, "zh-CN"],
    ["", {}, "en"],
    ["", { LC_ALL: "C", LC_MESSAGES: "zh_CN", LANG: "zh_CN" }, "en"],
    ["", { LC_ALL: "", LC_MESSAGES: "zh_TW", LANG: "C" }, "zh-CN"],
    ["", { LANG: "ZH" }, "zh-CN"],
    // A Zhuang locale is not Chinese.
    ["", { LANG: "zha_CN" }, "en"],
  ] as const)
    assert.equal(languageOf(setting, env), expected, JSON.stringify([setting, env]))
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { Compile } from "typebox/schema"
import { type Setting, settingNames, settingOf } from "../../packages/config/src/settings/schema.ts"
import { fromJson } from "../../packages/config/src/settings/value.ts"
import { settingsSchema } from "../settings-schema.ts"

const schema = Compile(settingsSchema() as object)
const fits = (file: unknown): boolean => schema.Check(file)

/** Values that are tried for every setting; which of them fit differs by its kind. */
const values = ["text", "", "5m", "5 minutes", "0.5s", true, 0, 1, 0.5, -1, 11, ["A_B"], ["a b"], null, { a: 1 }]

test("the schema for editors takes what Gong takes, for every setting, in both spellings", () => {
  for (const name of settingNames) {
    const setting: Setting = settingOf(name)
    for (const value of [...values, ...(setting.choices ?? [])]) {
      const right = fromJson(setting, value).ok

      const nested = name.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
      assert.equal(fits({ [name]: value }), right, `${name}: ${JSON.stringify(value)}`)
      assert.equal(fits(nested), right, `${name}, nested: ${JSON.stringify(value)}`)
    }
  }
})

test("the schema knows $schema and hooks, and no other name", () => {
  assert.ok(fits({ $schema: "https://example.invalid/settings.schema.json", hooks: { Stop: [] } }))
  assert.ok(!fits({ modle: "a/b" }))
  assert.ok(!fits({ bash: { timeuot: 5 } }))
})

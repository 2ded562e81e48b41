import assert from "node:assert/strict"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { readPermissions, savePermission } from "../../../src/config/settings/permissions.ts"
import { folder } from "../folder.ts"

test("[SC-21] rules are kept per repository, in the user's home, for the user alone", async (t) => {
  const home = join(folder(t), "home")
  assert.deepEqual(await readPermissions(home, "/w/shop"), { ok: true, value: [] })
  savePermission(home, "/w/shop", "bash(npm test)")
  savePermission(home, "/w/shop", "bash(npm test)")
  savePermission(home, "/w/shop", "edit(**)")
  savePermission(home, "/w/other", "bash(make)")
  assert.deepEqual(await readPermissions(home, "/w/shop"), { ok: true, value: ["bash(npm test)", "edit(**)"] })
  assert.deepEqual(await readPermissions(home, "/w/other"), { ok: true, value: ["bash(make)"] })
  assert.deepEqual(await readPermissions(home, "constructor"), { ok: true, value: [] })
  assert.equal(statSync(join(home, "permissions.json")).mode & 0o777, 0o600)
  assert.equal(statSync(home).mode & 0o777, 0o700)
})

test("a broken file is named with what belongs there, and is not overwritten", async (t) => {
  for (const text of ["[]", '{"/w": "bash"}', '{"/w": [1]}', "{"]) {
    const read = await readPermissions(folder(t, { "permissions.json": text }), "/w")
    assert.ok(!read.ok, text)
    assert.match(read.error.lines.join("\n"), /^gong: .*permissions\.json.*move the file away\.$/)
  }
  const home = folder(t, { "permissions.json": '{ // mine\n "/w": [] }' })
  assert.throws(() => savePermission(home, "/w", "bash(x)"))
  assert.equal(readFileSync(join(home, "permissions.json"), "utf8"), '{ // mine\n "/w": [] }')
})

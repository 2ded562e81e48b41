import assert from "node:assert/strict"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { addPermission, readPermissions, removePermission } from "../../src/settings/permissions.ts"
import { folder } from "@gong/testing/folder"

async function kept(home: string): Promise<unknown> {
  const read = await readPermissions(home)
  return read.ok ? Object.fromEntries(read.value) : read.error.lines
}

test("rules are stored per repository in the user's home with mode 0600, and can be removed", async (t) => {
  const home = join(folder(t), "home")
  assert.deepEqual(await kept(home), {})
  await addPermission(home, "/w/shop", "bash(npm test)")
  await addPermission(home, "/w/shop", "bash(npm test)")
  await addPermission(home, "/w/shop", "edit(**)")
  await addPermission(home, "/w/other", "bash(make)")
  await addPermission(home, "constructor", "bash(make)")
  assert.deepEqual(await kept(home), {
    "/w/shop": ["bash(npm test)", "edit(**)"],
    "/w/other": ["bash(make)"],
    constructor: ["bash(make)"],
  })
  assert.equal(statSync(join(home, "permissions.json")).mode & 0o777, 0o600)
  assert.equal(statSync(home).mode & 0o777, 0o700)
  await removePermission(home, "/w/shop", "bash(npm test)")
  await removePermission(home, "/w/shop", "bash(never)")
  await removePermission(home, "/w/other", "bash(make)")
  await removePermission(home, "constructor", "bash(make)")
  assert.deepEqual(await kept(home), { "/w/shop": ["edit(**)"] })
})

test("an invalid file is reported with the expected form, and is not overwritten", async (t) => {
  for (const text of ["[]", '{"/w": "bash"}', '{"/w": [1]}', "{"]) {
    const home = folder(t, { "permissions.json": text })
    assert.match(String(await kept(home)), /^gong: .*permissions\.json.*move the file away\.$/)
    assert.equal((await addPermission(home, "/w", "bash(x)")).ok, false, text)
    assert.equal((await removePermission(home, "/w", "bash(x)")).ok, false, text)
    assert.equal(readFileSync(join(home, "permissions.json"), "utf8"), text)
  }
})

test("other content of the file stays", async (t) => {
  const home = folder(t, { "permissions.json": '{\n  // mine\n  "/w": ["bash(a)"],\n}\n' })
  assert.equal((await addPermission(home, "/w", "bash(b)")).ok, true)
  assert.match(readFileSync(join(home, "permissions.json"), "utf8"), /\/\/ mine/)
  assert.deepEqual(await kept(home), { "/w": ["bash(a)", "bash(b)"] })
})

import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import type { ClosableTransport } from "@gong/llm/transport"
import { checkAndStoreKey, customEndpoint } from "../../src/compose/keys/store-key.ts"
import { readAuth } from "@gong/config/auth"
import { english } from "@gong/texts/translator"

const transport = {
  send: () => Promise.reject(new Error("no network here")),
  close: () => undefined,
} as unknown as ClosableTransport

test("a key for an unencrypted connection to another machine is stored with a warning", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "gong-keep-key-"))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const rows = [
    ["https://api.example/v1", false],
    ["http://localhost:8080/v1", false],
    ["http://127.0.0.1/v1", false],
    ["http://127.1.2.3:1/v1", false],
    ["http://[::1]:8080/v1", false],
    ["http://10.0.0.2/v1", true],
    ["http://localhost.example/v1", true],
    ["http://127.0.0.1.example/v1", true],
    ["http://my-localhost/v1", true],
  ] as const
  for (const [baseUrl, open] of rows) {
    const goal = customEndpoint(baseUrl)
    assert.ok(goal.ok)
    const done = await checkAndStoreKey(english, home, goal.value, "sk-0123456789abcdef", transport)
    assert.ok(done.ok && done.value.stored)
    assert.equal(done.value.text.includes("not encrypted"), open, baseUrl)
    assert.match(done.value.text, /could not be checked \(.*\)\. It is stored in /)
  }
  const auth = await readAuth(home)
  assert.ok(auth.ok)
  assert.deepEqual(
    auth.value?.keys.get("custom")?.map(({ origin }) => origin),
    [...new Set(rows.map(([baseUrl]) => new URL(baseUrl).origin))],
  )
  for (const wrong of ["ftp://x", "nope", ""]) assert.equal(customEndpoint(wrong).ok, false)
  const named = customEndpoint("http://10.0.0.2:81/v1/", "anthropic-messages")
  assert.deepEqual(named.ok && [named.value.id, named.value.name, named.value.api], [
    "custom",
    "10.0.0.2:81",
    "anthropic-messages",
  ])
})

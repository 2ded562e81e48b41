import assert from "node:assert/strict"
import { test } from "node:test"
import { redactAll, withoutSecrets } from "../src/secrets.ts"

/** Stored artifacts, and ports that know one key. */
function place() {
  const stored: unknown[] = []
  const ports = {
    redact: (text: string) => text.replaceAll("sk-1", "[key]"),
    artifacts: {
      put: async (bytes: Uint8Array, options?: { readonly sync?: boolean }) => (
        stored.push([new TextDecoder().decode(bytes), options]),
        "a"
      ),
      get: async () => null,
      spillPath: async (name: string) => name,
    },
  }
  return { ports, stored }
}

test("a key is redacted in every text of a value; a value without one is returned itself", () => {
  const { ports } = place()
  for (const [value, expected] of [
    ["a sk-1", "a [key]"],
    [
      { a: ["x", "sk-1"], b: { c: "sk-1", d: 1, e: null } },
      { a: ["x", "[key]"], b: { c: "[key]", d: 1, e: null } },
    ],
    [["sk-1"], ["[key]"]],
  ] as const)
    assert.deepEqual(redactAll(ports, value), expected)
  for (const value of [1, true, null, undefined, "plain", { a: ["x"], b: { c: "y" } }, []])
    assert.equal(redactAll(ports, value), value)
})

test("a before-image with a key becomes a durable artifact, and is not in the entry", async () => {
  const { ports, stored } = place()
  for (const change of [{ path: "f" }, { path: "f", beforeText: "plain" }, { path: "f", beforeText: "" }])
    assert.equal(await withoutSecrets(ports, change), change)
  assert.deepEqual(stored, [])
  assert.deepEqual(
    await withoutSecrets<{ path: string; beforeText?: string }>(ports, { path: "f", beforeText: "a sk-1" }),
    { path: "f" },
  )
  assert.deepEqual(stored, [["a sk-1", { sync: true }]])
})

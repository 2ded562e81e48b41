import assert from "node:assert/strict"
import { test } from "node:test"
import { remake } from "@gong/tools/remake"

async function made(name: string, args: Readonly<Record<string, unknown>>, before = "one\ntwo\n") {
  const bytes = await remake({ name, arguments: args }, "/x/a.txt", Buffer.from(before))
  return bytes === null ? null : Buffer.from(bytes).toString()
}

test("a recorded write or edit is made again on the file, wherever it was", async () => {
  assert.equal(await made("write", { path: "other", content: "new" }), "new")
  assert.equal(await made("edit", { path: "b", edits: [{ oldText: "two", newText: "2" }] }), "one\n2\n")
  assert.equal(await made("edit", { file_path: "b", old_string: "two", new_string: "2" }), "one\n2\n")
})

test("a call that fails, that writes no file, or of an unknown tool makes nothing", async () => {
  assert.equal(await made("edit", { path: "b", edits: [{ oldText: "none", newText: "2" }] }), null)
  for (const name of ["read", "bash", "ls", "todo", "none", "toString"])
    assert.equal(await made(name, { path: "a" }), null)
})

import assert from "node:assert/strict"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { readTrust, saveTrust } from "../../src/trust/store.ts"
import { english } from "@gong/texts/translator"
import { folder } from "@gong/testing/folder"

test("only complete decisions with the right types are read", (t) => {
  const stored = (value: unknown) => [...readTrust(english, folder(t, { "trust.json": JSON.stringify(value) })).store]
  const files = { a: "1" }
  assert.deepEqual(stored({ "/a": { trusted: true, files, refused: "2" } }), [
    ["/a", { trusted: true, files, refused: "2" }],
  ])
  assert.deepEqual(stored({ "/a": { trusted: false, files: { a: "1", b: 2 }, refused: 2 } }), [
    ["/a", { trusted: false, files }],
  ])
  for (const one of [
    null,
    "yes",
    {},
    { trusted: true },
    { files },
    { trusted: "yes", files },
    { trusted: true, files: [] },
  ])
    assert.deepEqual(stored({ "/a": one }), [], JSON.stringify(one))
})

test("a missing or empty file decides nothing; an unreadable one is a problem", (t) => {
  const none = { store: new Map(), problem: null }
  assert.deepEqual(readTrust(english, folder(t)), none)
  assert.deepEqual(readTrust(english, folder(t, { "trust.json": " \n" })), none)
  assert.deepEqual(readTrust(english, join(folder(t, { file: "" }), "file")), none)
  const home = folder(t)
  mkdirSync(join(home, "trust.json"))
  assert.match(readTrust(english, home).problem ?? "", /^cannot read .*trust\.json \(EISDIR\)\. Fix its permissions/)
})

test("a decision is stored, replaced and removed, without changing others", (t) => {
  const home = join(folder(t), "new")
  const text = () => readFileSync(join(home, "trust.json"), "utf8")
  const one = { trusted: true, files: {} }
  const two = { trusted: false, files: { a: "1" } }
  const saved = saveTrust(english, home, "/a", one)
  assert.deepEqual(saved, { ok: true, value: new Map([["/a", one]]) })
  assert.equal(text(), '{\n  "/a": {\n    "trusted": true,\n    "files": {}\n  }\n}\n')
  saveTrust(english, home, "/b", one)
  saveTrust(english, home, "/a", two)
  assert.deepEqual(JSON.parse(text()), { "/b": one, "/a": two })
  saveTrust(english, home, "/a", null)
  assert.deepEqual(JSON.parse(text()), { "/b": one })
})

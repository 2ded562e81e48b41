import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { copyOf, removeUnusedCopies, storeCopies } from "../../src/trust/copies.ts"
import { sha256 } from "../../src/trust/folder-files.ts"
import { folder } from "@gong/testing/folder"
import { here } from "../here.ts"

type Files = Readonly<Record<string, string | Uint8Array>>

const hashesOf = (files: Files) =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)]))

test("a trusted text is stored under its hash; binary, missing and changed files are not", async (t) => {
  const home = folder(t)
  const files: Files = {
    "a.sh": "one\n",
    "empty.sh": "",
    "nul.bin": "a\0b",
    "latin1.sh": Buffer.from("caf\xe9", "latin1"),
    "changed.sh": "before",
  }
  const root = folder(t, files)
  const hashes = hashesOf(files)
  writeFileSync(join(root, "changed.sh"), "after")
  await storeCopies(
    home,
    { host: here, root },
    { ...hashes, "gone.sh": sha256("gone"), "link.sh": "leads to /etc", "../up.sh": "../up" },
  )
  const kept = Object.keys(files).filter((path) => copyOf(home, hashes[path] ?? "") !== null)
  assert.deepEqual(kept, ["a.sh", "empty.sh"])
  assert.equal(copyOf(home, hashes["a.sh"] ?? ""), "one\n")
  assert.equal(readdirSync(join(home, "trusted")).length, 2)
})

test("a copy is named only by its hash", async (t) => {
  const hash = sha256("x")
  const home = folder(t, { "trust.json": "secret", [`trusted/${hash}x`]: "", [`trusted/x${hash}`]: "" })
  for (const name of ["../trust.json", `${hash}x`, `x${hash}`, hash.toUpperCase(), hash.slice(1), ""])
    assert.equal(copyOf(home, name), null, name)
  assert.equal(copyOf(home, hash), null)
})

test("limits: 64 KiB per file, one MiB per folder; existing copies take no space", async (t) => {
  const KiB = 1024
  const home = folder(t)
  const one: Files = { "most.txt": "x".repeat(64 * KiB), "more.txt": "y".repeat(64 * KiB + 1) }
  await storeCopies(home, { host: here, root: folder(t, one) }, hashesOf(one))
  const kept = (files: Files) => Object.values(hashesOf(files)).map((hash) => copyOf(home, hash) !== null)
  assert.deepEqual(kept(one), [true, false])
  const letters = Array.from({ length: 16 }, (_, at) => String.fromCharCode(65 + at))
  const full = Object.fromEntries(letters.map((letter) => [`${letter}.txt`, letter.repeat(64 * KiB)]))
  const many: Files = { "most.txt": one["most.txt"] ?? "", ...full, "last.txt": "z" }
  await storeCopies(home, { host: here, root: folder(t, many) }, hashesOf(many))
  assert.deepEqual(kept(many), [true, ...letters.map(() => true), false])
})

test("copies of files that are trusted nowhere are removed, including refused ones", async (t) => {
  const home = folder(t)
  const files: Files = { "a.sh": "a", "b.sh": "b", "c.sh": "c" }
  const [a = "", b = "", c = ""] = Object.values(hashesOf(files))
  await storeCopies(home, { host: here, root: folder(t, files) }, hashesOf(files))
  const decided = new Map([
    ["/one", { trusted: true, files: { "a.sh": a } }],
    ["/two", { trusted: false, files: { "b.sh": b } }],
  ])
  removeUnusedCopies(home, decided)
  assert.deepEqual(
    [a, b, c].map((hash) => copyOf(home, hash)),
    ["a", null, null],
  )
  removeUnusedCopies(folder(t), decided)
})

test("an existing copy under this hash is not overwritten", async (t) => {
  const hash = sha256("one")
  const home = folder(t, { [`trusted/${hash}`]: "kept before" })
  await storeCopies(home, { host: here, root: folder(t, { "a.sh": "one" }) }, { "a.sh": hash })
  assert.equal(readFileSync(join(home, "trusted", hash), "utf8"), "kept before")
})

import assert from "node:assert/strict"
import { existsSync, lstatSync, readFileSync, renameSync, symlinkSync } from "node:fs"
import { test } from "node:test"
import { openSpill } from "../../src/host/spill.ts"
import { place } from "../workspace.ts"

test("below the limit the file contains all bytes", (t) => {
  const path = place(t).at("s.log")
  const spill = openSpill(path, 100)
  for (let at = 0; at < 10; at++) spill.add(Buffer.from(`piece ${at}\n`))
  assert.equal(spill.end(), 0)
  assert.equal(readFileSync(path, "utf8"), Array.from({ length: 10 }, (_, at) => `piece ${at}\n`).join(""))
  assert.equal(existsSync(`${path}.tail`), false)
})

test("[BASH-S.03] above the limit the file has head and tail and the number of omitted bytes, for every chunk size", (t) => {
  const here = place(t)
  const whole = Array.from({ length: 1000 }, (_, at) => String(at % 10)).join("")
  for (const size of [1, 7, 64, 333, 1000]) {
    const path = here.at(`${size}.log`)
    const spill = openSpill(path, 100)
    for (let at = 0; at < whole.length; at += size) spill.add(Buffer.from(whole.slice(at, at + size)))
    assert.equal(spill.end(), 900)
    assert.equal(readFileSync(path, "utf8"), `${whole.slice(0, 50)}\n[... 900 bytes left out ...]\n${whole.slice(-50)}`)
  }
})

test("[BASH-S.03] 64 MB are kept complete; with one byte more the middle is dropped", (t) => {
  const here = place(t)
  const half = 32 * 1024 * 1024
  for (const { more, leftOut } of [
    { more: 0, leftOut: 0 },
    { more: 1, leftOut: 1 },
  ]) {
    const spill = openSpill(here.at(`${more}.log`))
    for (const size of [half, half, more]) spill.add(Buffer.alloc(size, "x"))
    assert.equal(spill.end(), leftOut)
  }
})

test("a planted link at the path of the file, or of its tail, is not written through", (t) => {
  const here = place(t)
  here.put("mine", "mine")
  const path = here.at("s.log")
  for (const name of [path, `${path}.tail`]) symlinkSync(here.at("mine"), name)
  const spill = openSpill(path, 10)
  spill.add(Buffer.alloc(100))
  symlinkSync(here.at("mine"), here.at("other"))
  renameSync(here.at("other"), `${path}.tail`)
  spill.add(Buffer.alloc(100))
  spill.end()
  assert.equal(here.text("mine"), "mine")
  assert.deepEqual([lstatSync(path).isFile(), lstatSync(path).mode & 0o777], [true, 0o600])
})

test("a discarded file is removed", (t) => {
  const path = place(t).at("s.log")
  const spill = openSpill(path, 10)
  spill.add(Buffer.alloc(100))
  spill.discard()
  assert.equal(existsSync(path), false)
  assert.equal(existsSync(`${path}.tail`), false)
})

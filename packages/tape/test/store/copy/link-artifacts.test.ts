import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import { linkArtifacts } from "../../../src/store/copy/fork.ts"
import { makeFolder, readWhole } from "../../../src/store/disk/disk.ts"
import { memoryDisk } from "../../../src/store/file.ts"
import { putFile } from "../../world.ts"

const bytes = Buffer.from("content")
const name = `sha256-${hash("sha256", bytes)}`

/** Two tapes; the first has the artifact. */
function tapes() {
  const disk = memoryDisk()
  for (const tape of ["/a", "/b"]) makeFolder(disk, `${tape}/artifacts`)
  putFile(disk, `/a/artifacts/${name}`, bytes)
  const textOf = (path: string) => Buffer.from(readWhole(disk, path) ?? []).toString()
  return { disk, textOf }
}

test("an artifact that is missing at the target is there afterwards; other files are not taken along", () => {
  const { disk, textOf } = tapes()
  putFile(disk, "/a/artifacts/gong-output", Buffer.from("out"))
  linkArtifacts(disk, "/a", "/b")
  assert.deepEqual(disk.list("/b/artifacts"), [name])
  assert.equal(textOf(`/b/artifacts/${name}`), "content")
})

test("a damaged artifact at the target is replaced, also over what an earlier replacement left behind", () => {
  for (const isLeft of [false, true]) {
    const { disk, textOf } = tapes()
    putFile(disk, `/b/artifacts/${name}`, Buffer.from("cont"))
    if (isLeft) putFile(disk, `/b/artifacts/${name}.tmp`, Buffer.from("left"))
    linkArtifacts(disk, "/a", "/b")
    assert.deepEqual(disk.list("/b/artifacts"), [name])
    assert.equal(textOf(`/b/artifacts/${name}`), "content")
  }
})

test("a whole artifact at the target stays the same file", () => {
  const { disk } = tapes()
  putFile(disk, `/b/artifacts/${name}`, bytes)
  const before = disk.stat(`/b/artifacts/${name}`)?.inode
  linkArtifacts(disk, "/a", "/b")
  assert.equal(disk.stat(`/b/artifacts/${name}`)?.inode, before)
})

test("a whole artifact that a killed process left at the target survives a power cut afterwards", () => {
  const { disk, textOf } = tapes()
  putFile(disk, `/b/artifacts/${name}`, bytes)
  linkArtifacts(disk, "/a", "/b")
  disk.powerCut()
  assert.equal(textOf(`/b/artifacts/${name}`), "content")
})

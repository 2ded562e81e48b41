import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { builtInDeclarations } from "@gong/tools"
import { remake } from "@gong/tools/remake"
import { redo } from "../../src/changes/redo.ts"
import { undo } from "../../src/changes/undo.ts"
import { appendTo, place, type Place, start } from "../world.ts"

const write = (path: string, content: string) => ({ calls: [{ name: "write", arguments: { path, content } }] })

async function textOf({ host }: Place, path: string): Promise<string | null> {
  return (await host.stat(path)) ? Buffer.from(await host.readRange(path, 0)).toString() : null
}

async function changed() {
  const where = place({ files: { "/work/a.txt": "alpha\n" } })
  const script = [
    write("a.txt", "mine\n"),
    write("new.txt", "new\n"),
    { text: "done" },
    write("a.txt", "more\n"),
    { text: "done" },
  ]
  const { session, tape } = await start(where, { writeGuard: false, script })
  await session.prompt("change things")
  const { host } = where
  return {
    where,
    session,
    undo: () => undo({ tape, append: appendTo(tape), host, declared: builtInDeclarations, remake }),
    redo: () => redo({ tape, append: appendTo(tape), host }),
  }
}

const files = async (where: Place) => [await textOf(where, "/work/a.txt"), await textOf(where, "/work/new.txt")]

test("redo restores changed and created files once", async () => {
  const { where, undo, redo } = await changed()
  assert.deepEqual(await redo(), { restored: [], kept: [] }, "there is nothing to take back yet")
  await undo()
  assert.deepEqual(await files(where), ["alpha\n", null])
  assert.deepEqual(await redo(), { restored: ["/work/a.txt", "/work/new.txt"], kept: [] })
  assert.deepEqual(await files(where), ["mine\n", "new\n"])
  assert.deepEqual(await redo(), { restored: [], kept: [] })
})

test("a redo can be undone again, together with later changes", async () => {
  const { where, session, undo, redo } = await changed()
  await undo()
  await redo()
  await session.prompt("change more")
  assert.deepEqual(await files(where), ["more\n", "new\n"])
  const { restored, kept } = await undo()
  assert.deepEqual([restored, kept], [["/work/a.txt", "/work/new.txt"], []])
  assert.deepEqual(await files(where), ["alpha\n", null])
})

test("a file that was changed after the undo stays as it is, and its change stays undone", async () => {
  const { where, undo, redo } = await changed()
  await undo()
  await where.host.replaceFile("/work/a.txt", new TextEncoder().encode("theirs\n"))
  const { restored, kept } = await redo()
  assert.deepEqual(
    [restored, inEnglish(kept)],
    [["/work/new.txt"], [{ path: "/work/a.txt", reason: "it was changed since the undo" }]],
  )
  assert.deepEqual(await files(where), ["theirs\n", "new\n"])
  const again = await undo()
  assert.deepEqual([again.restored, again.kept], [["/work/new.txt"], []])
  assert.equal(await textOf(where, "/work/a.txt"), "theirs\n")
})

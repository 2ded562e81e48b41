import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { hookFile, readProjectSettings, readText, readUserSettings } from "../../src/settings/read.ts"
import { trust } from "../trust/trusted.ts"

const most = 1_048_576

/** A settings file of this many bytes. */
const ofSize = (bytes: number) => `{}${" ".repeat(bytes - 2)}`

test("a user's file has at most 1,048,576 bytes", async (t) => {
  const full = await readUserSettings(folder(t, { "settings.json": ofSize(most) }))
  assert.ok(full.ok && full.value?.values.size === 0)
  const home = folder(t, { "settings.json": ofSize(most + 1) })
  const over = await readUserSettings(home)
  assert.deepEqual(over.ok ? [] : over.error.lines, [
    `gong: ${home}/settings.json has 1048577 bytes; the maximum is 1048576.`,
  ])
})

test("the settings of a trusted folder have the same limit, and a problem of theirs is a warning", async (t) => {
  const readOf = async (text: string) => {
    const root = folder(t, { ".gong/settings.json": text })
    const read = await readProjectSettings(await trust(root))
    assert.ok(read.ok && read.value)
    return { ...read.value, warnings: read.value.warnings.map((line) => englishOf(line).replace(root, "~")) }
  }
  const full = await readOf(ofSize(most))
  assert.deepEqual([full.warnings, full.values.size, full.hooks, full.extensions], [[], 0, null, {}])
  const over = await readOf(ofSize(most + 1))
  assert.equal(over.warnings.length, 1)
  assert.match(over.warnings[0] ?? "", /~\/\.gong\/settings\.json/)
  assert.deepEqual([over.values.size, over.hooks, over.extensions], [0, null, {}])
  const marked = await readOf('\uFEFF{"model":"a/b","tools":"\uFEFFx"}')
  assert.deepEqual([...marked.values.values()], ["a/b", "\uFEFFx"])
})

test("a missing file is none, a folder in its place is refused, and only a byte order mark at the beginning is dropped", (t) => {
  const root = folder(t, { file: "\uFEFFa\uFEFFb", plain: "a\uFEFF", empty: "" })
  mkdirSync(join(root, "folder"))
  const shown = (name: string) => {
    const read = readText(join(root, name))
    return read.ok ? read.value : read.error.lines.join("\n").replace(root, "~")
  }
  assert.deepEqual(["file", "plain", "empty", "none", "file/inside"].map(shown), [
    "a\uFEFFb",
    "a\uFEFF",
    "",
    null,
    null,
  ])
  assert.equal(shown("folder"), "gong: ~/folder is not a regular file. Replace it by a text file or move it away.")
  assert.equal(
    shown("x".repeat(300)),
    `gong: cannot read ~/${"x".repeat(300)} (ENAMETOOLONG). Fix its permissions or move it away.`,
  )
})

test("`extensions` is an object, which is passed on unchecked; `$schema` is no setting", async (t) => {
  const readOf = async (text: string) => {
    const home = folder(t, { "settings.json": text })
    const read = await readUserSettings(home)
    return read.ok ? [read.value?.extensions, read.value?.warnings] : read.error.lines.join("\n").replace(home, "~")
  }
  assert.deepEqual(await readOf('{"$schema":"https://a.example","extensions":{"x":{"y":1}}}'), [{ x: { y: 1 } }, []])
  assert.deepEqual(await readOf("{}"), [{}, []])
  for (const wrong of ["[]", "null", "5"])
    assert.equal(
      await readOf(`{\n"extensions": ${wrong}\n}`),
      'gong: ~/settings.json:2: "extensions" must be an object, {"NAME": {...}}.',
    )
})

test("a value of hooks is located by file and line: by its key, or by itself in a list; else by the file", async () => {
  const text = '{\n  "hooks": {\n    "Stop": [\n      {"a": 1},\n      {\n        "b": 2 }\n    ]\n  }\n}'
  assert.equal(hookFile("/f.json", text, undefined), null)
  const file = hookFile("/f.json", text, {})
  assert.ok(file)
  assert.deepEqual([file.path, file.hooks], ["/f.json", {}])
  for (const [inside, location] of [
    [[], "/f.json:2"],
    [["Stop"], "/f.json:3"],
    [["Stop", 0], "/f.json:4"],
    [["Stop", 1], "/f.json:5"],
    [["Stop", 1, "b"], "/f.json:6"],
    [["Stop", 2], "/f.json"],
    [["Other"], "/f.json"],
  ] as const)
    assert.equal(await file.locationOf(inside), location, JSON.stringify(inside))
  assert.equal(await hookFile("/f.json", "", null)?.locationOf([]), "/f.json")
})

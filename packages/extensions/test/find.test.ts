import assert from "node:assert/strict"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf, type Trusted } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { type ExtensionLocations, findExtensions } from "../src/find.ts"

const nowhere: ExtensionLocations = { user: null, project: null, named: [] }

/** The found extensions as `level name path`, and the diagnostics as `type path: text`, without the folder. */
function found(root: string, locations: Partial<ExtensionLocations>) {
  const { extensions, diagnostics } = findExtensions({ ...nowhere, ...locations })
  const plain = (text: string) => text.replaceAll(`${root}/`, "")
  return {
    extensions: extensions.map(({ level, name, path }) => plain(`${level} ${name} ${path}`)),
    diagnostics: diagnostics.map(({ type, path, text }) => plain(`${type} ${path}: ${englishOf(text)}`)),
    boundaries: extensions.map(({ boundary }) => boundary),
  }
}

const trusted = (root: string, files: Readonly<Record<string, string>> = {}) =>
  ({ root, files: new Map(Object.entries(files)) }) as unknown as Trusted

test("files of code and folders with an index are extensions, sorted by name", (t) => {
  const root = folder(t, {
    "b.ts": "",
    "a.mjs": "",
    "c.js": "",
    "d.mts": "",
    "e.cjs": "",
    "f.d.ts": "",
    "g.test.ts": "",
    "h.spec.js": "",
    "i.tests.ts": "",
    "j.json": "",
    ".k.ts": "",
    "node_modules/index.js": "",
    "l/index.ts": "",
    "m/index.mjs": "",
    "n/other.ts": "",
    "o/index.js": "",
    "o/index.ts": "",
    "p/index.ts/x": "",
    "q.ts/x": "",
  })
  const { extensions, diagnostics, boundaries } = found(root, { user: root })
  assert.deepEqual(extensions, [
    "user a a.mjs",
    "user b b.ts",
    "user c c.js",
    "user d d.mts",
    "user i.tests i.tests.ts",
    "user l l/index.ts",
    "user m m/index.mjs",
    "user o o/index.ts",
  ])
  assert.deepEqual([diagnostics, new Set(boundaries)], [[], new Set([null])])
})

test("a named path is a file, the folder of one extension, or a folder of several", (t) => {
  const root = folder(t, { "one.ts": "", "two/index.js": "", "several/a.ts": "", "several/b/index.ts": "" })
  const named = ["one.ts", "two", "several", "none.ts"].map((name) => join(root, name))
  assert.deepEqual(found(root, { named }).extensions, [
    "path one one.ts",
    "path two two/index.js",
    "path a several/a.ts",
    "path b several/b/index.ts",
    "path none none.ts",
  ])
  assert.deepEqual(found(root, { user: join(root, "none") }), { extensions: [], diagnostics: [], boundaries: [] })
  assert.deepEqual(found(root, { user: join(root, "one.ts") }).extensions, [])
})

test("of two extensions with one name the first one counts: the user's, the project's, a named one", (t) => {
  const root = folder(t, {
    "user/a.ts": "",
    "w/.gong/extensions/a.ts": "",
    "w/.gong/extensions/b.js": "",
    "x/b.ts": "",
  })
  const { extensions, diagnostics } = found(root, {
    user: join(root, "user"),
    project: trusted(join(root, "w")),
    named: [join(root, "x"), join(root, "user/a.ts")],
  })
  assert.deepEqual(extensions, ["user a user/a.ts", "project b w/.gong/extensions/b.js"])
  assert.deepEqual(diagnostics, [
    "collision w/.gong/extensions/a.ts: this extension is left out: user/a.ts has its name. Rename one of them.",
    "collision x/b.ts: this extension is left out: w/.gong/extensions/b.js has its name. Rename one of them.",
  ])
})

test("extensions of a project import trusted files only, and no link leads out of their folder", (t) => {
  const root = folder(t, { "w/.gong/extensions/a.ts": "", "out/b.ts": "", "w/.gong/extensions-2/c.ts": "" })
  const place = join(root, "w/.gong/extensions")
  symlinkSync(join(root, "out/b.ts"), join(place, "b.ts"))
  symlinkSync(join(root, "w/.gong/extensions-2/c.ts"), join(place, "c.ts"))
  symlinkSync(join(place, "a.ts"), join(place, "d.ts"))
  const { extensions, diagnostics, boundaries } = found(root, {
    project: trusted(join(root, "w"), { ".gong/extensions/a.ts": "hash" }),
  })
  assert.deepEqual(extensions, ["project a w/.gong/extensions/a.ts", "project d w/.gong/extensions/d.ts"])
  const outside = (name: string) =>
    `error w/.gong/extensions/${name}: this link leads out of w/.gong/extensions and is not followed. Put the file there.`
  assert.deepEqual(diagnostics, [outside("b.ts"), outside("c.ts")])
  assert.deepEqual(boundaries[0], { folder: place, files: new Map([[join(place, "a.ts"), "hash"]]) })
  assert.deepEqual(found(root, { project: trusted(join(root, "out")) }).extensions, [])
})

test("at most 100 extensions are used; how many are left out is said", (t) => {
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${`${at}`.padStart(3, "0")}.ts`, ""]))
  const exact = folder(t, files(100))
  assert.deepEqual(
    [found(exact, { user: exact }).extensions.length, found(exact, { user: exact }).diagnostics],
    [100, []],
  )
  const root = folder(t, files(103))
  const { extensions, diagnostics } = found(root, { user: root })
  assert.deepEqual([extensions.length, extensions.at(-1)], [100, "user e099 e099.ts"])
  assert.deepEqual(diagnostics, [
    "error e100.ts: this extension and 2 more are left out: 100 are the most. Remove some.",
  ])
})

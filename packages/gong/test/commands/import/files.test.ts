import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { mkdirSync, symlinkSync } from "node:fs"
import { test } from "node:test"
import { collect, type Candidate } from "@gong/import/candidate"
import { openSource } from "@gong/import/source"
import { openProgram } from "../program.ts"

const rows = (all: readonly Candidate[], root: string) =>
  all.map(
    (one) =>
      `${englishOf(one.what)} <- ${one.from.replaceAll(root, "$ROOT")}: ${one.state === "import" ? "" : englishOf(one.reason).replaceAll(root, "$ROOT")}`,
  )

test("files of another agent are read up to their limits, inside their folder, as text, JSON and TOML", async (t) => {
  const { root, write } = openProgram(t)
  const at = (name: string) => `${root}/in/${name}`
  const most = 1_048_576
  write({
    [at("most")]: "x".repeat(most),
    [at("more")]: "x".repeat(most + 1),
    [at("bom")]: "\uFEFFtext",
    [at("binary")]: "a\0",
    [at("list.json")]: "[]",
    [at("broken.json")]: '{\n "a": }',
    [at("good.json")]: '{\n "a": { // x\n "b": 1 } }',
    [at("broken.toml")]: "a = 1\nb = \n",
    [at("good.toml")]: "a = 1\n[b]\nc = 2\n",
    [`${root}/out/secret`]: "s",
    [`${root}/in-not/secret`]: "s",
  })
  symlinkSync(`${root}/out/secret`, at("link"))
  symlinkSync(`${root}/in-not/secret`, at("near"))
  symlinkSync(at("bom"), at("inside"))
  mkdirSync(at("folder"))
  const candidates = collect()
  const source = openSource([`${root}/in`], candidates)
  const text = (name: string) => source.text("settings", at(name))
  assert.deepEqual(
    [
      text("most")?.length,
      text("more"),
      text("bom"),
      text("binary"),
      text("link"),
      text("near"),
      text("inside"),
      text("folder"),
      text("none"),
    ].map((one) => one ?? null),
    [1048576, null, "text", null, null, null, "text", null, null],
  )
  assert.deepEqual(
    [
      await source.json("settings", at("list.json")),
      await source.json("settings", at("broken.json")),
      await source.json("settings", at("none.json")),
    ],
    [null, null, null],
  )
  const json = await source.json("settings", at("good.json"), 26)
  assert.deepEqual(
    [json?.value, (await json?.locationOf(["a", "b"]))?.slice(root.length)],
    [{ a: { b: 1 } }, "/in/good.json:3"],
  )
  assert.equal(await source.json("settings", at("good.json"), 25), null)
  assert.deepEqual(
    [await source.toml("settings", at("broken.toml")), await source.toml("settings", at("none.toml"))],
    [null, null],
  )
  const toml = await source.toml("settings", at("good.toml"))
  assert.deepEqual(
    [
      toml?.value,
      (await toml?.locationOf(["b", "c"]))?.slice(root.length),
      (await toml?.locationOf(["z"]))?.slice(root.length),
    ],
    [{ a: 1, b: { c: 2 } }, "/in/good.toml:3", "/in/good.toml"],
  )
  assert.deepEqual(
    [source.exists(at("bom")), source.exists(at("none")), source.exists(at("bom/below"))],
    [true, false, false],
  )
  assert.deepEqual(rows(candidates.all, root), [
    "the file <- $ROOT/in/more: it has 1048577 bytes; the maximum is 1048576.",
    "the file <- $ROOT/in/binary: it is not text.",
    "the file <- $ROOT/in/link: it is a link to another folder; not followed.",
    "the file <- $ROOT/in/near: it is a link to another folder; not followed.",
    "the file <- $ROOT/in/folder: it is not a regular file.",
    "the file <- $ROOT/in/list.json: it must be an object, {...}.",
    "the file <- $ROOT/in/broken.json: line 2:7: value expected. Fix it there or move the file away.",
    "the file <- $ROOT/in/good.json: it has 26 bytes; the maximum is 25.",
    "the file <- $ROOT/in/broken.toml: line 2: Invalid TOML document: invalid value.",
  ])
})

test("files below a folder: four levels deep, sorted, at most 500, without hidden files and outside links", async (t) => {
  const { root, write } = openProgram(t)
  const folder = `${root}/in`
  write({
    [`${folder}/b.md`]: "",
    [`${folder}/a.md`]: "",
    [`${folder}/c.txt`]: "",
    [`${folder}/.d.md`]: "",
    [`${folder}/1/2/3/4/deep.md`]: "",
    [`${folder}/1/2/3/4/5/deeper.md`]: "",
    [`${root}/out/x.md`]: "",
  })
  symlinkSync(`${root}/out`, `${folder}/e`)
  symlinkSync("/nowhere", `${folder}/f.md`)
  const candidates = collect()
  const source = openSource([folder], candidates)
  assert.deepEqual(
    [source.files("commands", folder, ".md"), source.files("commands", `${root}/none`, ".md"), source.folders(folder)],
    [["1/2/3/4/deep.md", "a.md", "b.md"], [], ["1", "e"]],
  )
  assert.deepEqual(rows(candidates.all, root), [
    "the file <- $ROOT/in/e: it is a link to another folder; not followed.",
    "the rest <- $ROOT/in: more than 500 files, or deeper than 4 folders.",
  ])
  const many = collect()
  const names = Array.from({ length: 501 }, (_, at) => `${at}`.padStart(3, "0"))
  write(Object.fromEntries(names.map((name) => [`${root}/many/${name}.md`, ""])))
  const all = openSource([`${root}/many`], many)
  assert.equal(all.files("commands", `${root}/many`, ".md").length, 500)
  assert.deepEqual(rows(many.all, root), ["the rest <- $ROOT/many: more than 500 files, or deeper than 4 folders."])
  const just = collect()
  openSource([`${root}/many`], just).files("commands", `${root}/many`, "0.md")
  assert.deepEqual(just.all, [])
})

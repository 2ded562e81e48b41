import assert from "node:assert/strict"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { createTar, type TarFileInput } from "nanotar"
import { englishOf } from "@gong/spec"
import { createLocalHost } from "@gong/tools/host/local"
import { folder } from "@gong/testing/folder"
import { filesOfArchive, isSafeRelativePath } from "../../src/skills/load-archive.ts"
import { findSkillFiles, kindsOf, markdownIn } from "../../src/skills/load-files.ts"
import { splitFrontmatter, textReader } from "../../src/skills/load-frontmatter.ts"
import { diagnosticTexts, fixture, skillFile } from "./fixture.ts"

const host = createLocalHost({ cwd: "/" })
const one = skillFile({ description: "d" })

async function found(root: string, within: string | null = null) {
  const { files, diagnostics } = await findSkillFiles(host, root, within)
  return [files.map(({ path }) => path.slice(root.length + 1)), diagnostics.map(({ text }) => englishOf(text))] as const
}

test("skills are found eight folders deep; a deeper folder is cut", async (t) => {
  const path = (depth: number) => `${"d/".repeat(depth)}SKILL.md`
  assert.deepEqual(await found(folder(t, { [path(8)]: one })), [[path(8)], []])
  const [files, [cut = "", ...more]] = await found(folder(t, { [path(9)]: one }))
  assert.deepEqual([files, more], [[], []])
  assert.equal(
    cut,
    "more than 500 skills or 1000 folders, or deeper than 8; the rest is left out. Point to smaller folders.",
  )
})

test("at most 500 skills and 1000 folders of a location count", async (t) => {
  const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.md`, one]))
  const counted = async (root: string) => {
    const [paths, lines] = await found(root)
    return [paths.length, lines.length]
  }
  assert.deepEqual(await counted(folder(t, files(500))), [500, 0])
  assert.deepEqual(await counted(folder(t, files(501))), [500, 1])
  const folders = (count: number) => {
    const root = folder(t)
    for (let at = 0; at < count; at++) mkdirSync(join(root, `f${at}`))
    return root
  }
  assert.deepEqual(await counted(folders(999)), [0, 0])
  assert.deepEqual(await counted(folders(1000)), [0, 1])
})

test("a link out of the permitted folder is not followed; one to the folder itself or inside is", async (t) => {
  const root = folder(t, { "repo/skills/a/SKILL.md": one, "repo/b/SKILL.md": one, "repository/c/SKILL.md": one })
  symlinkSync("../b", join(root, "repo/skills/b"))
  symlinkSync("../../repository/c", join(root, "repo/skills/c"))
  const [files, lines] = await found(join(root, "repo/skills"), join(root, "repo"))
  assert.deepEqual(files, ["a/SKILL.md", "b/SKILL.md"])
  assert.deepEqual(lines, [`this link leads out of ${root}/repo and is not followed. Put the files there.`])
  assert.deepEqual(await found(join(root, "repo/b"), join(root, "repo/b")), [["SKILL.md"], []])
  assert.deepEqual(await found(join(root, "missing")), [[], []])
})

test("an ignored SKILL.md makes its folder an ordinary one; an ignore file over 64 KiB has no effect", async (t) => {
  const rules = (length: number) => "*.md\n".padEnd(length, "#")
  const [ignored] = await found(folder(t, { ".gitignore": rules(65_536), "a.md": one }))
  const [kept] = await found(folder(t, { ".gitignore": rules(65_537), "a.md": one }))
  assert.deepEqual([ignored, kept], [[], ["a.md"]])
  const files = { ".gitignore": "/SKILL.md\n", "SKILL.md": one, "a.md": one, "sub/SKILL.md": one }
  assert.deepEqual((await found(folder(t, files)))[0], ["a.md", "sub/SKILL.md"])
  const fileOnly = { ".gitignore": "x/\n", "x/SKILL.md": one, "y/SKILL.md": one }
  assert.deepEqual((await found(folder(t, fileOnly)))[0], ["y/SKILL.md"])
})

test("names of Markdown files: any case, not hidden, not the ending alone; a README in any language is none", async (t) => {
  const names = [
    "a.MD",
    "b.md",
    ".md",
    ".c.md",
    "d.md.txt",
    "e.mdx",
    "README.md",
    "readme.de.md",
    "readmes.md",
    "xreadme.md",
  ]
  const root = folder(t, Object.fromEntries(names.map((name) => [name, one])))
  assert.deepEqual((await found(root))[0], ["a.MD", "b.md", "readmes.md", "xreadme.md"])
  assert.deepEqual(
    (await markdownIn(host, root)).map((path) => path.slice(root.length + 1)),
    ["README.md", "a.MD", "b.md", "readme.de.md", "readmes.md", "xreadme.md"],
  )
  assert.deepEqual(await markdownIn(host, join(root, "missing")), [])
  const many = folder(t, Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at}.md`, one])))
  assert.equal((await markdownIn(host, many)).length, 500)
})

test("kinds of paths, in order", async (t) => {
  const root = folder(t, { a: "", "b/c": "" })
  symlinkSync("a", join(root, "link"))
  const kinds = await kindsOf(
    host,
    ["a", "b", "link", "missing"].map((name) => join(root, name)),
  )
  assert.deepEqual(kinds, [
    { kind: "file", real: join(root, "a") },
    { kind: "folder", real: join(root, "b") },
    { kind: "file", real: join(root, "a") },
    { kind: null, real: null },
  ])
  assert.deepEqual(await kindsOf(host, ["/dev/null"]), [{ kind: null, real: "/dev/null" }])
})

async function read(t: TestContext, text: string) {
  return textReader(host)(join(folder(t, { "a.md": text }), "a.md"))
}

test("a header ends at the next line of ---; the lines of its keys and of the body are known", async (t) => {
  const found = await read(t, '\uFEFF---  \na: 1\n"b": 2\n--- \n\n\nbody\n\n---\nend\n')
  assert.ok(found.ok)
  const { header, body, hasFrontmatter, bodyLine, lineOf } = found.text
  assert.deepEqual([header, body, hasFrontmatter, bodyLine], [{ a: 1, b: 2 }, "body\n\n---\nend", true, 7])
  assert.deepEqual(["a", "b", "c"].map(lineOf), [2, 3, 1])
  const none = await read(t, " \nplain --- text\n")
  assert.ok(none.ok)
  assert.deepEqual(
    [none.text.header, none.text.body, none.text.hasFrontmatter, none.text.bodyLine, none.text.lineOf("a")],
    [{}, "plain --- text", false, 1, 1],
  )
  const empty = await read(t, "---\n---\n")
  assert.ok(empty.ok)
  assert.deepEqual([empty.text.header, empty.text.body, empty.text.hasFrontmatter], [{}, "", true])
})

test("a header has at most 16384 characters, and a file 262144 bytes", async (t) => {
  const header = (length: number) => `---\na: ${"x".repeat(length - 3)}\n---\n`
  const problem = async (text: string) => {
    const result = await read(t, text)
    return result.ok ? null : `${result.line} ${englishOf(result.problem)}`
  }
  assert.equal(await problem(header(16_384)), null)
  assert.equal(await problem(header(16_385)), "1 the header has 16385 characters; it may have 16384. Shorten it.")
  assert.equal(await problem("x".repeat(262_144)), null)
  assert.equal(
    await problem("x".repeat(262_145)),
    "1 262145 bytes; such a file may have 262144. Move parts to files beside it.",
  )
  assert.equal(await problem("---\na: 1"), "1 the header has no end. Close it with a line of ---.")
  assert.equal(await problem("---\n7\n---\n"), "2 the header is no list of `key: value` lines. Write it as such.")
  const reader = textReader(host)
  const missing = await reader("/nowhere/a.md")
  assert.equal(
    missing.ok ? "" : englishOf(missing.problem),
    "cannot be read (ENOENT). Fix its permissions or move it away.",
  )
  const special = await reader("/dev/null")
  assert.equal(special.ok ? "" : englishOf(special.problem), "this is no regular file. Put a text file there.")
  const long = await reader("/a.md", "x".repeat(262_145))
  assert.deepEqual([long.ok, (await reader("/a.md", "x".repeat(262_144))).ok], [false, true])
})

test("a given text is read in place of the file, and again if it differs", async (t) => {
  const path = join(folder(t, { "a.md": "of the file" }), "a.md")
  const reader = textReader(host)
  const body = async (given?: string) => {
    const result = await reader(path, given)
    return result.ok ? result.text.body : null
  }
  assert.deepEqual(
    [await body("\uFEFFgiven"), await body("given 2"), await body()],
    ["given", "given 2", "of the file"],
  )
  const [first, second] = [await reader(path), await reader(path)]
  assert.equal(first, second, "an unchanged file is not parsed again")
  writeFileSync(path, "of the file, changed")
  assert.equal(await body(), "of the file, changed")
})

test("a text is split into header and body; without an end of the header all of it is the body", () => {
  assert.deepEqual(splitFrontmatter("---\na: 1\nb: 2\n---\n\nx\n"), { header: "a: 1\nb: 2", body: "x" })
  assert.deepEqual(splitFrontmatter(" x\ny "), { header: "", body: "x\ny" })
  assert.deepEqual(splitFrontmatter(" ---\nx"), { header: "", body: "---\nx" })
  assert.deepEqual(splitFrontmatter("---\nx\n"), { header: "", body: "---\nx" })
})

test("paths of an archive stay inside", () => {
  for (const path of ["a", "a/b.md", "./a", "a..b", "..a/b", "xy:z"]) assert.ok(isSafeRelativePath(path), path)
  for (const path of ["/a", "..", "a/..", "../a", "a/../b", "C:a", "c:\\a", "a\\b", "a\0b"])
    assert.ok(!isSafeRelativePath(path), path)
})

test("the files of an archive: regular ones inside, at most 2000", async () => {
  const read = async (entries: readonly TarFileInput[]) => {
    const found = await filesOfArchive(createTar([...entries]))
    return found.ok
      ? [...found.files].map(([name, bytes]) => [name, String(Buffer.from(bytes))])
      : englishOf(found.problem)
  }
  assert.deepEqual(
    await read([{ name: "./a/./b.md", data: "b" }, { name: "folder" }, { name: "empty.md", data: "" }]),
    [
      ["a/b.md", "b"],
      ["empty.md", ""],
    ],
  )
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}.md`, data: "x" }))
  assert.equal((await read(many(2000))).length, 2000)
  assert.equal(await read(many(2001)), "it has more than 2000 files or 33554432 bytes. Name the skill's own folder.")
})

test("problems of a template are on the line of their text, and the first line describes it up to 80 characters", async (t) => {
  const { library } = fixture(t, {
    "user/prompts/a.md": "x".repeat(80),
    "user/prompts/b.md": "y".repeat(81),
    "user/prompts/c.md": "one\ntwo $0\n\\$0 ${0}",
    "user/prompts/d.md": "---\ndescription: 7\nargument-hint: 5\n---\nx",
    "user/prompts/e.md": "---\ndescription: {a: b}\nargument-hint: [a]\n---\nx",
  })
  const read = await library()
  const facts = Object.fromEntries(read.templates.map((one) => [one.name, [one.description, one.argumentHint]]))
  assert.deepEqual(facts["a"], ["x".repeat(80), ""])
  assert.deepEqual(facts["b"], [`${"y".repeat(80)}...`, ""])
  assert.deepEqual(
    [facts["d"], facts["e"]],
    [
      ["7", "5"],
      ["x", "[a]"],
    ],
  )
  assert.deepEqual(diagnosticTexts(read), [
    "error 2 $0: arguments count from 1. Write $1, or $@ for all.",
    "error 3 ${0}: arguments count from 1. Write $1, or $@ for all.",
  ])
})

test("templates of nested folders are typed with hyphens; hidden ones and other files are none", async (t) => {
  const { library } = fixture(t, {
    "repo/.claude/commands/git/commit-all.md": "a",
    "repo/.claude/commands/top.MD": "b",
    "repo/.claude/commands/.x.md": "c",
    "repo/.claude/commands/.h/y.md": "d",
    "repo/.gong/prompts/sub/no.md": "e",
    "repo/.gong/prompts/p.md": "f",
    "repo/.gong/prompts/q.txt": "g",
  })
  const names = (await library()).templates.map(({ name, level }) => `${level} ${name}`)
  assert.deepEqual(names, ["project p", "project git-commit-all", "project top", "shipped review", "shipped commit"])
})

test("a copy with the same text under an equal name is no collision; another text is", async (t) => {
  const { library } = fixture(t, {
    "user/prompts/same.md": "text",
    "user/prompts/other.md": "mine",
    "repo/.claude/commands/same.md": "text",
    "repo/.claude/commands/other.md": "theirs",
  })
  const read = await library()
  assert.equal(read.diagnostics.length, 1)
  assert.match(diagnosticTexts(read)[0] ?? "", /^collision 1 the template "other" is left out: /)
})

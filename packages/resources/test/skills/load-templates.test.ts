import assert from "node:assert/strict"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf, type Trusted } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { createLocalHost } from "@gong/tools/host/local"
import { textReader } from "../../src/skills/load-frontmatter.ts"
import { loadTemplates, type ProjectTemplates } from "../../src/skills/load-templates.ts"

type Pinned = Awaited<ReturnType<Trusted["read"]>>

/** Loads templates of a folder whose trusted files have these contents. */
async function loaded(
  t: TestContext,
  {
    files,
    pinned,
    ...more
  }: Partial<Omit<ProjectTemplates, "trusted">> & {
    readonly files: Readonly<Record<string, string>>
    readonly pinned: Readonly<Record<string, string | Pinned>>
    readonly paths?: readonly string[]
    readonly user?: readonly string[]
    readonly includeDefaults?: boolean
  },
) {
  const root = folder(t, files)
  const host = createLocalHost({ cwd: "/" })
  const source = { host, read: textReader(host) }
  const trusted = {
    root,
    files: new Map(Object.keys(pinned).map((name) => [name, ""])),
    async read(name: string): Promise<Pinned> {
      const content = pinned[name] ?? ""
      return typeof content === "string" ? { ok: true, text: content } : content
    },
  } as unknown as Trusted
  const { folders = [], nested = [], paths = [], user = [], includeDefaults = true } = more
  const { templates, diagnostics } = await loadTemplates(
    {
      user: user.map((path) => join(root, path)),
      project: { trusted, folders, nested },
      paths: paths.map((path) => join(root, path)),
      includeDefaults,
    },
    { user: source, project: source },
  )
  return {
    templates: templates.filter(({ level }) => level !== "shipped").map(({ name, body }) => `${name}: ${body}`),
    shipped: templates.some(({ level }) => level === "shipped"),
    diagnostics: diagnostics.map(
      ({ type, path, line, text }) => `${type} ${path.replace(root, "~")}:${line} ${englishOf(text)}`,
    ),
  }
}

test("a location of a project may be one file, which has its own name", async (t) => {
  const pinned = { "a/one.md": "1", "a/two.md": "2", "b/three.md": "3", "a/one.mdx": "4", "ab/four.md": "5" }
  const found = await loaded(t, { files: pinned, pinned, folders: ["a/one.md"], nested: ["b/three.md"] })
  assert.deepEqual(found, { templates: ["one: 1", "three: 3"], shipped: true, diagnostics: [] })
})

test("only trusted files below a folder count, with their trusted content", async (t) => {
  const files = { "a/one.md": "changed", "a/new.md": "untrusted", "ab/two.md": "beside" }
  const found = await loaded(t, { files, pinned: { "a/one.md": "trusted", "ab/two.md": "beside" }, folders: ["a"] })
  assert.deepEqual(found, { templates: ["one: trusted"], shipped: true, diagnostics: [] })
})

test("a trusted file that cannot be read, or is gone, is reported", async (t) => {
  const pinned = {
    "a/bad.md": { ok: false, problem: "is too large" } as const,
    "a/gone.md": { ok: true, text: null } as const,
    "a/good.md": "x",
  }
  const found = await loaded(t, { files: { "a/good.md": "x" }, pinned, folders: ["a"] })
  assert.deepEqual(found, {
    templates: ["good: x"],
    shipped: true,
    diagnostics: ["error ~/a/bad.md:1 this is too large; it is left out.", "error ~/a/gone.md:1 this is gone."],
  })
})

test("a file of the project and the same path on this machine are two files, and a file named twice is one", async (t) => {
  const found = await loaded(t, {
    files: { "a/one.md": "here" },
    pinned: { "a/one.md": "there" },
    folders: ["a", "a"],
    paths: ["a/one.md", "a/one.md"],
  })
  assert.deepEqual(found.templates, ["one: there"])
  assert.deepEqual(found.diagnostics.length, 1)
  assert.match(found.diagnostics[0] ?? "", /^collision ~\/a\/one\.md:1 the template "one" is left out: /)
})

test("without the usual locations only the named templates are loaded", async (t) => {
  const files = { "a/one.md": "1", "user/two.md": "2", "named/three.md": "3" }
  const places = { files, pinned: { "a/one.md": "1" }, folders: ["a"], user: ["user"], paths: ["named"] }
  assert.deepEqual((await loaded(t, places)).templates, ["two: 2", "one: 1", "three: 3"])
  const found = await loaded(t, { ...places, includeDefaults: false })
  assert.deepEqual(found, { templates: ["three: 3"], shipped: false, diagnostics: [] })
})

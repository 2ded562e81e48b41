import assert from "node:assert/strict"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { decide, namesText, stateOf } from "../../src/trust/decide.ts"
import { findIn } from "../../src/trust/folder-files.ts"
import { findActiveContent } from "../../src/trust/active-content.ts"
import { folder } from "@gong/testing/folder"
import { here } from "../here.ts"
import { english } from "@gong/texts/translator"

test("limits of a folder: two thousand files, 64 MiB, eight levels; a larger one cannot be trusted", async (t) => {
  const tooLarge = async (root: string) => (await findActiveContent(english, here, root)).tooLarge
  const root = folder(t)
  mkdirSync(join(root, ".gong/hooks"), { recursive: true })
  for (let at = 0; at < 2_000; at++) writeFileSync(join(root, `.gong/hooks/${at}`), "")
  assert.equal(await tooLarge(root), false)
  writeFileSync(join(root, ".gong/hooks/more"), "")
  assert.equal(await tooLarge(root), true)
  const deep = (levels: number) => folder(t, { [`.gong/hooks/${"d/".repeat(levels)}x`]: "" })
  assert.deepEqual([await tooLarge(deep(7)), await tooLarge(deep(8))], [false, true])
  const large = (bytes: number) => folder(t, { ".gong/hooks/x": new Uint8Array(bytes) })
  assert.deepEqual([await tooLarge(large(2 ** 26)), await tooLarge(large(2 ** 26 + 1))], [false, true])
  const linked = large(2 ** 26 + 1)
  symlinkSync(root, join(linked, ".gong/extensions"))
  assert.equal(await tooLarge(linked), true, "a link that leads out has no size")
  const answer = decide(english, {
    content: await findActiveContent(english, here, root),
    flag: "yes",
    store: new Map(),
  })
  assert.equal(answer.trusted, null)
  assert.match(answer.line ?? "", /too much active content/)
})

test("active content is listed by group, with numbers", async (t) => {
  const root = folder(t, {
    ".gong/settings.json": "{}",
    ".pi/settings.json": "{}",
    ".gong/themes/a.json": "{}",
    ".gong/prompts/p.md": "x",
    ".agents/skills/s/run.sh": "x",
    ".agents/skills/s/SKILL.md": "x",
  })
  const { summary, count, files } = await findActiveContent(english, here, root)
  assert.equal(summary, "2 settings files, 1 theme, 1 command template and 1 skill script")
  assert.deepEqual([count, files.size], [5, 5])
})

test("hooks are counted individually, and another agent's file without hooks does not count", async (t) => {
  const of = async (text: string) => {
    const { count, files } = await findActiveContent(english, here, folder(t, { ".claude/settings.json": text }))
    return [count, files.size]
  }
  const hooks = (...groups: readonly unknown[]) => JSON.stringify({ hooks: { Stop: groups, Never: [] } })
  assert.deepEqual(await of(hooks({ hooks: [{}, {}, 7] }, { hooks: [{}] }, null)), [3, 1])
  assert.deepEqual(await of(hooks()), [1, 1])
  assert.deepEqual(await of('{"hooks": null}'), [1, 1])
  assert.deepEqual(await of("[]"), [0, 0])
  assert.deepEqual(await of("{}"), [0, 0])
})

test("deny rules of another agent are counted individually, beside its hooks", async (t) => {
  const of = async (value: object) => {
    const root = folder(t, { ".claude/settings.json": JSON.stringify(value) })
    const { summary, files } = await findActiveContent(english, here, root)
    return [summary, files.size]
  }
  assert.deepEqual(await of({ permissions: { deny: ["Read(a)", "Read(b)"] } }), ["2 deny rules", 1])
  assert.deepEqual(await of({ permissions: { deny: ["Bash"] }, hooks: {} }), ["1 hook and 1 deny rule", 1])
  assert.deepEqual(await of({ permissions: { allow: ["Bash"], deny: [] } }), ["", 0])
  assert.deepEqual(await of({ permissions: { deny: "Bash" } }), ["1 deny rule", 1])
})

test("a decision applies to its files: none, one or more of them changed, added or removed", async (t) => {
  const root = folder(t, { ".gong/SYSTEM.md": "x", ".gong/mcp.json": "{}" })
  const content = await findActiveContent(english, here, root)
  const files = Object.fromEntries(content.files)
  const state = (decided: Parameters<typeof stateOf>[1]) => stateOf(content, decided)
  assert.deepEqual(state(undefined), { state: "undecided", changed: [] })
  assert.deepEqual(state({ trusted: false, files }), { state: "refused", changed: [] })
  assert.deepEqual(state({ trusted: true, files }), { state: "trusted", changed: [] })
  const other = { ...files, ".gong/mcp.json": "0", toString: "1" }
  assert.deepEqual(state({ trusted: true, files: other }), {
    state: "changed",
    changed: [".gong/mcp.json", "toString"],
  })
  assert.deepEqual(state({ trusted: true, files: {} }).changed, [".gong/SYSTEM.md", ".gong/mcp.json"])
  assert.equal(state({ trusted: true, files: other, refused: content.hash }).state, "refused")
  assert.equal(state({ trusted: true, files, refused: content.hash }).state, "trusted")
  const empty = stateOf(await findActiveContent(english, here, folder(t)), { trusted: true, files })
  assert.deepEqual(empty, { state: "nothing", changed: [] })
  assert.deepEqual(
    [namesText(english, ["a"]), namesText(english, ["a", "b"]), namesText(english, ["a", "b", "c"])],
    ["a", "a and 1 more", "a and 2 more"],
  )
})

test("files directly in the root are inside it, and a folder with the same prefix is not", async (t) => {
  assert.equal((await findIn(here, "/", "etc"))?.kind, "folder")
  const root = folder(t, { "a/x": "" })
  mkdirSync(join(root, "ab"))
  symlinkSync("../ab", join(root, "a/out"))
  assert.deepEqual(await findIn(here, join(root, "a"), "out"), { kind: "outside", real: join(root, "ab") })
  assert.deepEqual(await findIn(here, root, ""), { kind: "folder" })
  assert.deepEqual(
    [await findIn(here, root, "a/x"), await findIn(here, root, "a/x/y"), await findIn(here, root, "b")],
    [{ kind: "file", size: 0 }, null, null],
  )
})

test("only trusted content is returned: no other path, no link target outside, no special file", async (t) => {
  const outside = folder(t, { "x.sh": "theirs" })
  const root = folder(t, { ".gong/hooks/a.sh": "mine", "b.sh": "not trusted" })
  symlinkSync(join(outside, "x.sh"), join(root, ".gong/hooks/out.sh"))
  symlinkSync("a.sh", join(root, ".gong/hooks/in.sh"))
  const { trusted } = decide(english, {
    content: await findActiveContent(english, here, root),
    flag: "yes",
    store: new Map(),
  })
  assert.deepEqual(await trusted?.read(".gong/hooks/a.sh"), { ok: true, text: "mine" })
  assert.deepEqual(await trusted?.read(".gong/hooks/in.sh"), { ok: true, text: "mine" })
  assert.deepEqual(await trusted?.read("b.sh"), { ok: true, text: null })
  assert.deepEqual(await trusted?.read("never.sh"), { ok: true, text: null })
  const out = await trusted?.read(".gong/hooks/out.sh")
  assert.ok(out?.ok === false && out.problem.startsWith(`leads out of ${root}`))
  mkdirSync(join(root, ".gong/hooks/dir"))
  writeFileSync(join(root, ".gong/hooks/a.sh"), "changed")
  const changed = await trusted?.read(".gong/hooks/a.sh")
  assert.ok(changed?.ok === false && changed.problem === "changed since this folder was trusted")
})

test("each settings file with hooks, and each list of MCP servers, names scripts; other files name none", async (t) => {
  const hooked = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./run.sh"}]}]}}'
  const naming = [
    ".gong/settings.json",
    ".gong/hooks.json",
    ".pi/settings.json",
    ".pi/hooks.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
  ]
  for (const path of naming) {
    const { files, summary, count } = await findActiveContent(
      english,
      here,
      folder(t, { [path]: hooked, "run.sh": "" }),
    )
    assert.deepEqual([...files.keys()], [path, "run.sh"], path)
    assert.match(summary, / and 1 script of a hook$/, path)
    assert.equal(count, 2)
  }
  const servers = '{"mcpServers": {"x": {"command": "node", "args": ["./run.sh"]}}}'
  for (const path of [".gong/mcp.json", ".mcp.json"]) {
    const { files, summary } = await findActiveContent(english, here, folder(t, { [path]: servers, "run.sh": "" }))
    assert.deepEqual([...files.keys()], [path, "run.sh"])
    assert.equal(summary, "1 MCP server list and 1 script of an MCP server")
  }
  for (const path of [".gong/hooks/a.json", ".gong/SYSTEM.md", ".gong/themes/a.json"])
    assert.deepEqual(
      [...(await findActiveContent(english, here, folder(t, { [path]: hooked, "run.sh": "" }))).files.keys()],
      [path],
    )
})

test("a script named by a hook counts once, even among the hook files", async (t) => {
  const hooked =
    '{"hooks": {"Stop": [{"hooks": [{"command": ".gong/hooks/a.sh"}, {"command": "./b.sh .gong/hooks/a.sh"}]}]}}'
  const root = folder(t, { ".gong/hooks.json": hooked, ".gong/hooks/a.sh": "", "b.sh": "" })
  const { summary, count, files } = await findActiveContent(english, here, root)
  assert.equal(summary, "2 hooks, 1 hook file and 1 script of a hook")
  assert.deepEqual([count, [...files.keys()]], [4, [".gong/hooks.json", ".gong/hooks/a.sh", "b.sh"]])
})

test("the user's own folders are excluded, folders beside them are not", async (t) => {
  const root = folder(t, { ".gong/hooks/a/b.sh": "", ".gong/hooks.json": '{"hooks": {}}', ".pi/hooks/c.sh": "" })
  const paths = async (...except: readonly string[]) => {
    const own = except.map((path) => join(root, path))
    return [...(await findActiveContent(english, here, root, own)).files.keys()]
  }
  const all = [".gong/hooks.json", ".gong/hooks/a/b.sh", ".pi/hooks/c.sh"]
  assert.deepEqual(await paths(), all)
  assert.deepEqual(await paths(".gong/hooks"), [".gong/hooks.json", ".pi/hooks/c.sh"])
  assert.deepEqual(await paths(".gong/hooks/a/b.sh", ".pi"), [".gong/hooks.json"])
  assert.deepEqual(await paths(".gong/hooks/a/b", "gong", ".gon"), all)
})

test("the hash depends on paths and bytes, in any order of discovery", async (t) => {
  const files = { ".gong/SYSTEM.md": "x", ".gong/mcp.json": "{}" }
  const hash = async (given: Readonly<Record<string, string>>) =>
    (await findActiveContent(english, here, folder(t, given))).hash
  assert.equal(await hash(files), await hash(Object.fromEntries(Object.entries(files).toReversed())))
  assert.match(await hash(files), /^[0-9a-f]{64}$/)
  const others = [{ ...files, ".gong/mcp.json": "{ }" }, { ...files, ".pi/mcp.json": "{}" }, { ".gong/SYSTEM.md": "x" }]
  assert.equal(new Set(await Promise.all([files, ...others].map(hash))).size, 4)
})

test("the summary for none, one, two and several kinds", async (t) => {
  const summary = async (...paths: readonly string[]) =>
    (await findActiveContent(english, here, folder(t, Object.fromEntries(paths.map((path) => [path, "x"]))))).summary
  assert.equal(await summary(), "")
  assert.equal(await summary(".gong/SYSTEM.md"), "1 system prompt")
  assert.equal(
    await summary(".gong/SYSTEM.md", ".gong/APPEND_SYSTEM.md", ".pi/mcp.json"),
    "1 MCP server list and 2 system prompts",
  )
  const skill = ".agents/skills/s/run.md.sh"
  assert.equal(
    await summary(".gong/SYSTEM.md", ".pi/mcp.json", skill),
    "1 MCP server list, 1 system prompt and 1 skill script",
  )
})

import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { createLocalHost } from "@gong/tools/host/local"
import { readTrust, saveTrust } from "@gong/config/trust/store"
import { folder } from "@gong/testing/folder"
import { english } from "@gong/texts/translator"
import {
  type FolderTrust,
  folderTrust,
  removeDecision,
  storeDecision,
  trustOf,
} from "../../src/administration/trust/folder-trust.ts"
import { type ShownFile, shownTrustFiles, trustFileLines } from "../../src/administration/trust/show.ts"
import { servicesOf } from "../compose/services.ts"

interface Place {
  readonly root: string
  readonly home: string
  trust(): Promise<FolderTrust>
  write(path: string, text: string | Uint8Array): void
}

function place(t: TestContext, files: Readonly<Record<string, string>> = { ".gong/SYSTEM.md": "one\n" }): Place {
  const root = folder(t, files)
  const home = join(folder(t), "gong")
  const host = createLocalHost({ cwd: root })
  return {
    root,
    home,
    trust: () => trustOf(english, home, { host, root }),
    write: (path, text) => writeFileSync(join(root, path), text),
  }
}

const shownIn = async ({ trust }: Place): Promise<readonly ShownFile[]> => shownTrustFiles(english, await trust())

test("files are new before a decision, and changed or gone after it", async (t) => {
  const where = place(t, { ".gong/SYSTEM.md": "one\n", ".gong/prompts/a.md": "a\n" })
  assert.deepEqual(
    (await shownIn(where)).map(({ path, status, changed }) => [path, status, changed]),
    [
      [".gong/SYSTEM.md", "new", 1],
      [".gong/prompts/a.md", "new", 1],
    ],
  )
  assert.ok((await storeDecision(english, await where.trust(), "yes")).ok)
  assert.deepEqual(await shownIn(where), [])
  where.write(".gong/SYSTEM.md", "two\nthree\n")
  rmSync(join(where.root, ".gong/prompts/a.md"))
  where.write(".gong/prompts/b.md", "b\n")
  const files = await shownIn(where)
  assert.deepEqual(
    files
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, status, changed, lines }) => [path, status, changed, lines.slice(1)]),
    [
      [".gong/SYSTEM.md", "changed", 3, ["-one", "+two", "+three"]],
      [".gong/prompts/a.md", "gone", 1, ["-a"]],
      [".gong/prompts/b.md", "new", 1, ["+b"]],
    ],
  )
  rmSync(join(where.home, "trusted"), { recursive: true })
  const [without] = (await shownIn(where)).filter(({ status }) => status === "changed")
  assert.deepEqual(without?.lines, [
    "(no copy of the trusted version; the complete file is shown)",
    "@@ -0,0 +1,2 @@",
    "+two",
    "+three",
  ])
  assert.equal(without?.changed, null)
})

test("after a refusal all files are shown, unchanged ones without lines", async (t) => {
  const where = place(t)
  await storeDecision(english, await where.trust(), "no")
  const trust = await where.trust()
  assert.equal(trust.decided?.trusted, false)
  assert.deepEqual(
    (await shownTrustFiles(english, { ...trust, state: "changed", changed: [".gong/SYSTEM.md"] } as FolderTrust)).map(
      ({ status }) => status,
    ),
    ["same"],
  )
})

test("a file that changes while it is shown is not shown", async (t) => {
  const where = place(t)
  const trust = await where.trust()
  where.write(".gong/SYSTEM.md", "other\n")
  const [found] = await shownTrustFiles(english, trust)
  assert.deepEqual([found?.lines, found?.changed], [["it is being changed; try again"], null])
  rmSync(join(where.root, ".gong/SYSTEM.md"))
  const [gone] = await shownTrustFiles(english, trust)
  assert.deepEqual(gone?.lines, ["it is being changed; try again"])
})

test("the lines of all files are limited to 400", () => {
  const file = (count: number): ShownFile => ({
    path: "a\u001bb",
    status: "new",
    lines: Array.from({ length: count }, (_, at) => `${at}`),
    changed: null,
  })
  assert.deepEqual(trustFileLines(english, [file(1)]), ["  a␛b (new)", "    0"])
  assert.equal(trustFileLines(english, [file(399)]).at(-1), "    398")
  const more = trustFileLines(english, [file(199), file(200)])
  assert.deepEqual(
    [more.length, more.at(-2), more.at(-1)],
    [401, "    198", "  ... 1 more lines; see the files themselves"],
  )
})

test("a later refusal keeps the trusted version; without one it is a refusal", async (t) => {
  const where = place(t)
  const decided = async () => (await where.trust()).decided
  await storeDecision(english, await where.trust(), "later")
  assert.equal((await decided())?.trusted, false)
  await storeDecision(english, await where.trust(), "yes")
  const files = (await decided())?.files
  where.write(".gong/SYSTEM.md", "two\n")
  const changed = await where.trust()
  assert.equal(changed.state, "changed")
  await storeDecision(english, changed, "later")
  assert.deepEqual(await decided(), { trusted: true, files, refused: changed.content.hash })
  assert.equal(readdirSync(join(where.home, "trusted")).length, 1)
  await storeDecision(english, await where.trust(), "no")
  assert.equal((await decided())?.trusted, false)
  assert.equal(readdirSync(join(where.home, "trusted")).length, 0, "copies that nothing trusts are removed")
})

test("a folder with too much active content cannot be trusted, only refused", async (t) => {
  const where = place(t)
  const trust = await where.trust()
  const large = { ...trust, content: { ...trust.content, tooLarge: true } }
  const refused = await storeDecision(english, large, "yes")
  assert.deepEqual(refused.ok ? [] : refused.error.lines, [`gong: ${where.root} has too much active content to check.`])
  assert.ok((await storeDecision(english, large, "no")).ok)
})

test("a decision is removed with its copies", async (t) => {
  const where = place(t)
  assert.deepEqual(removeDecision(english, where.home, where.root), { ok: true, value: false })
  await storeDecision(english, await where.trust(), "yes")
  assert.deepEqual(removeDecision(english, where.home, where.root), { ok: true, value: true })
  assert.equal(readTrust(english, where.home).store.size, 0)
  assert.deepEqual(readdirSync(join(where.home, "trusted")), [])
  writeFileSync(join(where.home, "trust.json"), "no json")
  assert.equal(removeDecision(english, where.home, where.root).ok, false)
  assert.equal((await storeDecision(english, await where.trust(), "yes")).ok, false)
})

test("a home in which nothing can be written is an error with its code", async (t) => {
  const where = place(t)
  const trust = await where.trust()
  const lines = (outcome: Awaited<ReturnType<typeof storeDecision>>) => (outcome.ok ? ["(ok)"] : outcome.error.lines)
  const file = join(folder(t, { file: "" }), "file")
  assert.deepEqual(lines(await storeDecision(english, { ...trust, home: file }, "yes")), [
    `gong: ${file}/trust.json cannot be written (EEXIST).`,
  ])
  mkdirSync(where.home, { mode: 0o700 })
  writeFileSync(join(where.home, "trusted"), "")
  const [line = ""] = lines(await storeDecision(english, trust, "yes"))
  assert.match(line, /^gong: \S+\/trust\.json cannot be written \(E[A-Z]+\)\.$/)
  assert.ok((await storeDecision(english, trust, "no")).ok, "a refusal stores no copies")
  chmodSync(where.home, 0o700)
  assert.ok(existsSync(join(where.home, "trust.json")))
})

test("the folder of the session is that of its workspace; one that is missing is an error", async (t) => {
  const services = servicesOf(t)
  mkdirSync(join(services.cwd, ".gong"))
  writeFileSync(join(services.cwd, ".gong/SYSTEM.md"), "x")
  const found = await folderTrust(services, {})
  assert.ok(found.ok)
  assert.deepEqual([found.value.content.root, found.value.home], [services.cwd, services.env["GONG_HOME"]])
  saveTrust(english, found.value.home, services.cwd, { trusted: false, files: {} })
  const again = await folderTrust(services, {})
  assert.deepEqual(again.ok && again.value.decided, { trusted: false, files: {} })
  assert.equal((await folderTrust(services, { cwd: "/no/such/folder" })).ok, false)
})

import assert from "node:assert/strict"
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { createLocalHost } from "../../../../src/host/local.ts"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import type { SandboxOptions, SecretPath } from "../../../../src/host/sandbox/index.ts"
import { mergeLayouts } from "../../../../src/host/sandbox/plan/mount.ts"
import { createSecrets } from "../../../../src/host/sandbox/secrets/secrets.ts"
import { defaults } from "../sandbox-fixture.ts"

const blank = (text: string) => (text.includes("unclear") ? null : text.replaceAll("KEY", ""))

/** What a command sees at each secret. */
async function seen(host: Host, secrets: readonly SecretPath[], more: Partial<SandboxOptions> = {}) {
  const { withheld, mounts } = await createSecrets({ ...host, home: "/h" }, { ...defaults(["/w"]), secrets, ...more })()
  return { names: withheld.map(({ name }) => name), mounts }
}

const secret = (path: string, more: Partial<SecretPath> = {}): SecretPath => ({ name: path, base: "/h", path, ...more })

test("a folder is empty, a file hidden, settings are without their keys", async () => {
  const host = createMemoryHost({ files: { "/h/.d/x": "", "/h/f": "", "/h/s": "a KEY\n", "/h/plain": "a\n" } })
  const found = await seen(host, [
    secret(".d"),
    secret("f"),
    secret("s", { blank }),
    secret("plain", { blank }),
    secret("none"),
  ])
  assert.deepEqual(found, {
    names: [".d", "f", "s"],
    mounts: [
      { how: "bare", path: "/h/.d" },
      { how: "hidden", path: "/h/f" },
      { how: "text", path: "/h/s", text: "a \n" },
    ],
  })
})

test("settings that are unclear, large or unreadable are hidden", async () => {
  const size = 1_000_000
  const host = createMemoryHost({
    files: { "/h/a": "unclear", "/h/b": "x".repeat(size), "/h/c": "x".repeat(size + 1), "/h/d": "KEY" },
  })
  const closed: Host = {
    ...host,
    readRange: (path, ...range) =>
      path === "/h/d" ? Promise.reject(new Error("EACCES")) : host.readRange(path, ...range),
  }
  const { names, mounts } = await seen(
    closed,
    ["a", "b", "c", "d"].map((path) => secret(path, { blank })),
  )
  assert.deepEqual(names, ["a", "c", "d"])
  assert.deepEqual(
    mounts,
    names.map((path) => ({ how: "hidden", path: `/h/${path}` })),
  )
})

test("secrets in a root are visible unless the root is a whole home; the home itself is never one", async () => {
  const host = createMemoryHost({ files: { "/w/h/.ssh/id": "", "/h/.ssh/id": "" } })
  const inside = secret(".ssh", { base: "/w/h" })
  assert.deepEqual((await seen(host, [inside])).names, [".ssh"], "its base is in the root")
  assert.deepEqual((await seen(host, [secret(".ssh")], { roots: ["/h/.ssh"] })).names, [])
  assert.deepEqual((await seen(host, [secret(".ssh")], { roots: ["/h"] })).names, [".ssh"])
  assert.deepEqual((await seen(host, [secret("h", { base: "/" })])).names, [])
  assert.deepEqual((await seen(host, [secret(".ssh")], { revealed: ["/h/.ssh"] })).names, [])
})

test("of several secrets that are one file the strictest counts, and two texts hide it", async () => {
  const host = createMemoryHost({
    files: { "/h/real": "a KEY b" },
    links: { "/h/one": "/h/real", "/h/two": "/h/real" },
  })
  const text = (replace: string) => secret("one", { blank: (all) => all.replace("KEY", replace) })
  const other = (replace: string) => ({ ...text(replace), name: "two", path: "two" })
  const mountsOf = async (secrets: readonly SecretPath[]) => (await seen(host, secrets)).mounts
  assert.deepEqual(await mountsOf([text(""), other("")]), [{ how: "text", path: "/h/real", text: "a  b" }])
  assert.deepEqual(await mountsOf([text(""), other("-")]), [{ how: "hidden", path: "/h/real" }])
  assert.deepEqual(await mountsOf([text(""), secret("two")]), [{ how: "hidden", path: "/h/real" }])
})

test("a secret that was found stays hidden after its link is removed", async () => {
  const host = createMemoryHost({ files: { "/h/real": "k" }, links: { "/h/link": "/h/real" } })
  const secrets = createSecrets({ ...host, home: "/h" }, { ...defaults(["/w"]), secrets: [secret("link")] })
  const expected = [{ how: "hidden", path: "/h/real" }]
  assert.deepEqual((await secrets()).mounts, expected)
  await host.remove("/h/link")
  assert.deepEqual((await secrets()).mounts, expected)
})

test("settings are read again after a change, and while they have just changed", async () => {
  const memory = createMemoryHost({ files: { "/h/s": "a KEY" } })
  const state = { ctimeMs: 1 }
  let reads = 0
  const host: Host = {
    ...memory,
    home: "/h",
    stat: async (path, how) => {
      const stat = await memory.stat(path, how)
      return stat && { ...stat, ctimeMs: state.ctimeMs }
    },
    readRange: (...range) => {
      reads++
      return memory.readRange(...range)
    },
  }
  const secrets = createSecrets(host, { ...defaults(["/w"]), secrets: [secret("s", { blank })] })
  const text = { how: "text", path: "/h/s", text: "a " }
  for (const [ctimeMs, count] of [
    [1, 1],
    [1, 1],
    [2, 2],
    [Date.now() + 60_000, 3],
    [Date.now() + 60_000, 4],
  ] as const) {
    state.ctimeMs = ctimeMs
    assert.deepEqual((await secrets()).mounts, [text])
    assert.equal(reads, count)
  }
})

test("a socket is no secret, and one that went away is none any more", async () => {
  const memory = createMemoryHost({ files: { "/h/a": "k", "/h/b": "k" } })
  const host: Host = {
    ...memory,
    stat: async (path, how) => {
      const stat = await memory.stat(path, how)
      return path === "/h/b" && stat !== null ? { ...stat, kind: "other" } : stat
    },
  }
  const secrets = createSecrets({ ...host, home: "/h" }, { ...defaults(["/w"]), secrets: [secret("a"), secret("b")] })
  assert.deepEqual((await secrets()).mounts, [{ how: "hidden", path: "/h/a" }])
  await host.remove("/h/a")
  assert.deepEqual(await secrets(), { withheld: [], around: mergeLayouts([]), mounts: [] })
})

test("the way to a secret in a root is writable, so that it cannot be renamed; programs inside stay visible", async (t) => {
  const root = realpathSync(folder(t, { "h/a/.d/bin/x": "", "h/a/.d/id": "", "h/a/f": "" }))
  const home = join(root, "h")
  const host: Host = { ...createLocalHost({ cwd: home, home }), env: { PATH: join(home, "a/.d/bin") } }
  const secrets = [secret("a/.d", { base: home }), secret("a/f", { base: home })]
  const options = { ...defaults([home]), secrets, revealed: [join(home, "a/.d/none"), join(home, "a/f/x")] }
  const { around, mounts } = await createSecrets(host, options)()
  assert.deepEqual(new Set(around.mounts.map(({ how, path }) => `${how} ${path}`)), new Set([`writable ${home}/a`]))
  assert.deepEqual(mounts, [
    { how: "bare", path: join(home, "a/.d") },
    { how: "hidden", path: join(home, "a/f") },
    { how: "read-only", path: join(home, "a/.d/bin") },
  ])
})

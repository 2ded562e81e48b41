import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import { installationOf, packageCaches, pathFolders } from "../../../../src/host/sandbox/caches/caches.ts"
import { privateCaches } from "../../../../src/host/sandbox/caches/private-caches.ts"
import { createTrustCheck } from "../../../../src/host/sandbox/caches/trusted-program.ts"
import type { SandboxOptions } from "../../../../src/host/sandbox/index.ts"
import { defaults } from "../sandbox-fixture.ts"

interface Tree {
  readonly files?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

function hostWith(tree: Tree = {}, programs: readonly string[] = []): Host {
  const memory = createMemoryHost({ home: "/h", cwd: "/w", ...tree })
  return { ...memory, which: async (name) => (programs.includes(name) ? `/bin/${name}` : null) }
}

const options = (more: Partial<SandboxOptions> = {}): SandboxOptions => ({
  ...defaults(["/w"]),
  uid: 1000,
  caches: "/own",
  ...more,
})

const pathsOf = async (tree: Tree, more: Partial<SandboxOptions> = {}) =>
  (await packageCaches(hostWith(tree), options(more))).map(({ path }) => path)

test("caches in the home, each once, with the name and program of each", async () => {
  const all = await packageCaches(hostWith({ links: { "/h/.npm": "/disk/npm", "/h/.gradle": "/h/.cache" } }), options())
  const of = (path: string) => all.find((one) => one.path === path)
  assert.deepEqual(of("/disk/npm"), undefined, "the link leads nowhere")
  assert.deepEqual(of("/h/.npm"), { path: "/h/.npm", name: "home/.npm", program: "npm", shown: [] })
  assert.deepEqual(of("/h/.cargo/git"), { path: "/h/.cargo/git", name: "home/.cargo/git", program: "cargo", shown: [] })
  assert.equal(new Set(all.map(({ path }) => path)).size, all.length)
  const moved = await pathsOf({ links: { "/h/.npm": "/disk/npm" }, files: { "/disk/npm/a": "" } })
  assert.equal(moved.includes("/disk/npm") && !moved.includes("/h/.npm"), true)
  assert.equal((await pathsOf({ env: { PATH: "/bin:/h/.npm" } })).includes("/h/.npm"), false, "a folder of the PATH")
})

test("caches in the temp folder, if commands may write there", async () => {
  const names = async (more: Partial<SandboxOptions>, tree: Tree = {}) =>
    (await pathsOf(tree, more)).filter((path) => path.startsWith("/tmp/"))
  const own = ["/tmp/node-compile-cache", "/tmp/v8-compile-cache-1000", "/tmp/tsx-1000", "/tmp/jest_rs"]
  assert.deepEqual(await names({ roots: ["/w", "/tmp"] }), own)
  assert.deepEqual(await names({ roots: ["/w", "/tmp"], uid: null }), own.slice(0, 1))
  assert.deepEqual(await names({}), [])
  const tree = {
    links: { "/tmp/tsx-1000": "/tmp/other" },
    files: { "/tmp/jest_rs": "", "/tmp/node-compile-cache/a": "", "/tmp/other/a": "" },
  }
  assert.deepEqual(await names({ roots: ["/w", "/tmp"] }, tree), own.slice(0, 2), "a link or a file is none")
})

test("a cache that a variable relocates counts inside a root", async () => {
  const moved = async (env: Tree["env"], more: Partial<SandboxOptions> = {}) =>
    (await packageCaches(hostWith({ ...(env && { env }) }), options(more))).filter(({ name }) =>
      name.startsWith("moved"),
    )
  assert.deepEqual(await moved({ npm_config_cache: "/w/npm" }), [
    { path: "/w/npm", name: "moved/npm_config_cache", program: null, shown: [] },
  ])
  assert.deepEqual(
    (await moved({ CARGO_HOME: "/w/./cargo", GOPATH: "/w/go" })).map(({ path, name }) => `${path} ${name}`),
    ["/w/cargo/registry moved/CARGO_HOME/registry", "/w/cargo/git moved/CARGO_HOME/git", "/w/go/pkg moved/GOPATH/pkg"],
  )
  assert.deepEqual((await moved({ POETRY_CACHE_DIR: "/w/p" }))[0]?.shown, ["virtualenvs/*"])
  for (const path of ["/w", "/", "/x/npm", "w/npm", "npm"])
    assert.deepEqual(await moved({ npm_config_cache: path }), [], path)
  assert.deepEqual(await moved({ npm_config_cache: "/w/kept/npm" }, { kept: ["/w/kept"] }), [])
  assert.deepEqual(await moved({ npm_config_cache: "/w/a" }, { roots: ["/w", "/w/a/b"] }), [])
  assert.equal((await moved({ npm_config_cache: "/w/a", PIP_CACHE_DIR: "/w/a" })).length, 1)
})

test("folders of the PATH are whole paths, each once, without the home", () => {
  const folders = pathFolders(hostWith({ env: { PATH: "/bin:/a/../bin:bin::/usr/bin/:/h" } }))
  assert.deepEqual(folders, ["/bin", "/usr/bin"])
  assert.deepEqual(pathFolders(hostWith()), [])
  for (const [folder, whole] of [
    ["/h/.nvm/v24/bin", "/h/.nvm/v24"],
    ["/h/.local/bin", "/h/.local/bin"],
    ["/h/a/b/tools", "/h/a/b/tools"],
  ] as const)
    assert.equal(installationOf("/h", folder), whole)
})

test("a cache is mounted if it exists or its program is installed", async () => {
  const files = { "/h/.npm/a": "", "/h/.cargo/git": "a file" }
  const host = hostWith({ files }, ["cargo"])
  const { paths, mounts } = await privateCaches(host, options())
  assert.deepEqual(paths, ["/h/.npm", "/h/.cargo/registry"])
  const own = (path: string, name: string) => ({ how: "own", path, from: `/own/home/${name}` })
  assert.deepEqual(await mounts(), [own("/h/.npm", ".npm"), own("/h/.cargo/registry", ".cargo/registry")])
  assert.equal((await host.stat("/own/home/.npm"))?.kind, "directory")
  const folders: string[] = []
  const recording: Host = { ...host, mkdir: async (path) => void folders.push(path) }
  const none = await privateCaches(recording, options({ caches: null }))
  assert.deepEqual(folders, [])
  assert.deepEqual(await none.mounts(), [
    { how: "empty", path: "/h/.npm" },
    { how: "empty", path: "/h/.cargo/registry" },
  ])
  const closed: Host = { ...hostWith({ files }, ["cargo"]), mkdir: () => Promise.reject(new Error("EROFS")) }
  const left = await privateCaches(closed, options())
  assert.deepEqual([left.paths, await left.mounts()], [["/h/.npm"], [{ how: "empty", path: "/h/.npm" }]])
})

test("a cache in the temp folder is created again, and left out where another user put a link", async () => {
  const host = hostWith({}, [])
  const { mounts } = await privateCaches(host, options({ roots: ["/w", "/tmp"], uid: null }))
  const path = "/tmp/node-compile-cache"
  const mount = { how: "own", path, from: "/own/temp/node-compile-cache" }
  assert.deepEqual(await mounts(), [mount])
  await host.remove(path)
  assert.deepEqual(await mounts(), [mount])
  assert.equal((await host.stat(path))?.kind, "directory")
  const stat: Host["stat"] = async (at, how) =>
    at === path && how?.link === true ? { ...((await host.stat(at)) ?? assert.fail()), kind: "symlink" } : host.stat(at)
  const linked = await privateCaches({ ...host, stat }, options({ roots: ["/w", "/tmp"], uid: null }))
  assert.deepEqual(await linked.mounts(), [])
})

test("parts of a cache stay visible: settings, large programs, and folders of the PATH", async () => {
  const files = {
    "/h/.gradle/gradle.properties": "",
    "/h/.gradle/jdks/17/a": "",
    "/h/.gradle/wrapper/dists/a/b/c/bin": "",
    "/h/.gradle/wrapper/dists/a/b/c.lck": "",
    "/h/.gradle/tools/x/y/bin/tool": "",
    "/h/.gradle/caches/a": "",
    "/own/home/.gradle/jdks/17/a": "",
  }
  const tree = {
    files,
    links: { "/h/.gradle/jdks/link": "/etc" },
    env: { PATH: "/usr/bin:/h/.gradle/tools/x/y/bin" },
  }
  const host = hostWith(tree)
  const { mounts } = await privateCaches(host, options())
  const shown = async () => (await mounts()).filter(({ how }) => how === "read-only").map(({ path }) => path)
  const all = [
    "/h/.gradle/gradle.properties",
    "/h/.gradle/init.gradle",
    "/h/.gradle/init.gradle.kts",
    "/h/.gradle/init.d",
    "/h/.gradle/jdks/17",
    "/h/.gradle/wrapper/dists/a/b/c",
    "/h/.gradle/tools/x/y",
  ]
  assert.deepEqual(await shown(), all)
  const own = "/own/home/.gradle"
  const spoiled: Host = {
    ...host,
    stat: async (path, how) => {
      const kinds: Readonly<Record<string, "symlink" | "other" | "directory">> = {
        [`${own}/jdks`]: "symlink",
        [`${own}/init.d`]: "other",
        [`${own}/wrapper`]: "directory",
      }
      const kind = kinds[path]
      return kind === undefined ? host.stat(path, how) : { ...((await host.stat("/h")) ?? assert.fail()), kind }
    },
    access: async (path, mode) => {
      if (path === `${own}/wrapper`) throw new Error("EACCES")
      return host.access(path, mode)
    },
  }
  const left = await (await privateCaches(spoiled, options())).mounts()
  assert.deepEqual(
    left.filter(({ how }) => how === "read-only").map(({ path }) => path),
    all.filter((path) => !/jdks|init\.d|wrapper/.test(path)),
    "not where a command left a link, something else or a closed folder",
  )
})

test("of a pattern 50 names are shown", async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/h/.gradle/jdks/${at}/a`, ""]))
  for (const [count, shown] of [
    [50, 50],
    [51, 50],
  ] as const) {
    const { mounts } = await privateCaches(hostWith({ files: many(count) }), options())
    assert.equal((await mounts()).filter(({ path }) => path.includes("/jdks/")).length, shown)
  }
})

test("a program is trusted if no command can have created it", async () => {
  const files = {
    "/usr/bin/git": "",
    "/w/git": "",
    "/tmp/git": "",
    "/own/git": "",
    "/h/.npm/git": "",
    "/real/w/git": "",
  }
  const host = hostWith({ files, links: { "/bin/link": "/w/git", "/r": "/real/w" } })
  const isTrusted = createTrustCheck(host, options({ roots: ["/w", "/r"] }))
  for (const [program, is] of [
    ["/usr/bin/git", true],
    ["/none/git", true],
    ["/w/git", false],
    ["/bin/link", false],
    ["/tmp/git", false],
    ["/own/git", false],
    ["/h/.npm/git", false],
    ["/r/git", false],
    ["/real/w/git", false],
    ["git", false],
  ] as const)
    assert.equal(await isTrusted(program), is, program)
  assert.equal(await createTrustCheck(host, options({ caches: null }))("/own/git"), true)
})

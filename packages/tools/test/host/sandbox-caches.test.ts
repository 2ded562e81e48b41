import assert from "node:assert/strict"
import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { sandboxed } from "../../src/host/sandbox/index.ts"
import { defaults, noSandbox, sandboxPlace, type SandboxPlace } from "./sandbox-place.ts"

// What lies in the cache of a package manager is run by whoever builds next: the user outside, or another workspace's command.

const skip = noSandbox
const uid = process.getuid?.() ?? 0

/** A file of a cache that somebody runs or compiles in; each is there, as the user's program has left it. */
// oxfmt-ignore
const poisonable: Readonly<Record<string, string>> = {
  "a package that npx has unpacked": "home/.npm/_npx/0123456789abcdef/node_modules/.bin/tool",
  "npm's content by hash": "home/.npm/_cacache/content-v2/sha512/aa/bb/cc",
  "the prompt of a shell": "home/.cache/p10k-instant-prompt-me.zsh",
  "a folder of .cache that is in no list": "home/.cache/some-tool/plugin.so",
  "the source of a crate": "home/.cargo/registry/src/index/serde-1.0.0/build.rs",
  "a checkout of cargo's": "home/.cargo/git/checkouts/dep/abc/build.rs",
  "a module of Go": "home/go/pkg/mod/example.com/dep@v1.0.0/dep.go",
  "what Go has built": "home/.cache/go-build/00/0000-d",
  "a distribution of Gradle": "home/.gradle/wrapper/dists/gradle-8.5-bin/hash/gradle-8.5/bin/gradle",
  "a script that every build of Gradle runs": "home/.gradle/init.d/all.gradle",
  "Gradle's own settings": "home/.gradle/gradle.properties",
  "a plugin of Maven": "home/.m2/repository/org/plugin/1/plugin-1.jar",
  "a distribution of Maven": "home/.m2/wrapper/dists/apache-maven-3.9/hash/bin/mvn",
  "a wheel that pip has built": "home/.cache/pip/wheels/aa/bb/cc/dep-1-py3-none-any.whl",
  "a wheel of uv": "home/.cache/uv/archive-v0/abc/dep/__init__.py",
  "headers for native modules": "home/.cache/node-gyp/24.0.0/include/node/node.h",
  "an object file of ccache": "home/.cache/ccache/0/0/abcR",
  "a package manager that corepack runs": "home/.cache/node/corepack/v1/pnpm/9.0.0/bin/pnpm.cjs",
  "a browser for tests": "home/.cache/ms-playwright/chromium-1/chrome",
  "an environment of Poetry": "home/.cache/pypoetry/virtualenvs/app/bin/python",
  "pnpm's store": "home/.local/share/pnpm/store/v3/files/00/abc",
  "a cached package of yarn": "home/.yarn/berry/cache/dep.zip",
  "a package of bun's global folder": "home/.bun/install/global/node_modules/tool/index.js",
  "a cached package of bun": "home/.bun/install/cache/dep@1/index.js",
  "a package of NuGet": "home/.nuget/packages/dep/1/build/dep.targets",
  "a gem of bundler's": "home/.bundle/cache/dep.gem",
  "a package of Dart": "home/.pub-cache/hosted/pub.dev/dep/lib/dep.dart",
  "a program of Dart's": "home/.pub-cache/bin/tool",
  "what Node has compiled, in the temporary folder": "temp/node-compile-cache/v24/abc",
  "what jest has compiled": `temp/jest_${uid.toString(36)}/haste-map`,
  "what tsx has compiled": `temp/tsx-${uid}/abc`,
}

/** All caches as their programs have filled them. */
function filled(here: SandboxPlace): void {
  for (const path of Object.values(poisonable)) here.put(path, "mine\n")
}

const put = (path: string): string => `mkdir -p $(dirname ${path}) && echo changed > ${path}`

/** `path`: of the file; `cache`: the folder of the home or of temp that it lies in. */
const ways: Readonly<Record<string, (path: string, cache: string) => string>> = {
  "by writing over it": (path) => `echo changed > ${path}`,
  "by putting another in its stead": (path) => `echo changed > new && mv -f new ${path}`,
  "by moving its folder away": (path) => `mv $(dirname ${path}) away; ${put(path)}`,
  "by moving the cache away": (path, cache) => `mv ${cache} away; ${put(path)}`,
}

for (const [way, command] of Object.entries(ways)) {
  test(`[SAFE-13] the user's caches stay as they are, ${way}`, { skip }, async (t) => {
    const run = async (where: "inside" | "outside", place: SandboxPlace) => {
      filled(place)
      const script = Object.values(poisonable).map((path) => {
        const cache = path.split("/").slice(0, 2).join("/")
        // What one of them moves away is there again for the next.
        const back = `[ ! -e away ] || { rm -rf ${place.at(cache)}; cp -r away ${place.at(cache)}; rm -rf away; }`
        return `${command(place.at(path), place.at(cache))}\ncat ${place.at(path)}\n${back}`
      })
      return (await place[where](script.join("\n"))).out
    }
    const here = sandboxPlace(t)
    await run("inside", here)
    for (const [name, path] of Object.entries(poisonable))
      assert.equal(existsSync(here.at(path)) && here.text(path), "mine\n", name)
    const changed = (await run("outside", sandboxPlace(t))).match(/^changed$/gm)
    assert.equal(changed?.length, Object.keys(poisonable).length, "without the sandbox each of them is changed")
  })
}

const npx = "npx --yes poisoned-tool@1.0.0"
/** As npx itself unpacks a package: it looks no further when the version that is asked for lies there. */
const plantNpx = `node -e '
  const { createHash } = require("crypto"), fs = require("fs")
  const id = createHash("sha512").update("poisoned-tool@1.0.0").digest("hex").slice(0, 16)
  const at = process.env.HOME + "/.npm/_npx/" + id + "/node_modules/"
  fs.mkdirSync(at + "poisoned-tool", { recursive: true })
  fs.mkdirSync(at + ".bin")
  fs.writeFileSync(at + "../package.json", JSON.stringify({ dependencies: { "poisoned-tool": "1.0.0" } }))
  fs.writeFileSync(at + "poisoned-tool/package.json", JSON.stringify({ name: "poisoned-tool", version: "1.0.0", bin: "x.js" }))
  fs.writeFileSync(at + "poisoned-tool/x.js", "#!/usr/bin/env node\\nconsole.log(\\"poison ran\\")\\n", { mode: 0o755 })
  fs.symlinkSync("../poisoned-tool/x.js", at + ".bin/poisoned-tool")
'`
const plantPrompt = `mkdir -p ~/.cache && echo 'echo poison ran' > ~/.cache/p10k-instant-prompt-me.zsh`
const prompt = "[ ! -r ~/.cache/p10k-instant-prompt-me.zsh ] || . ~/.cache/p10k-instant-prompt-me.zsh"

/** What a command plants, and what the user does later that would run it. */
const later: Readonly<Record<string, readonly [plant: string, user: string]>> = {
  "npx with a package that lies in its cache": [plantNpx, npx],
  "a shell that reads its cached prompt": [plantPrompt, prompt],
}

for (const [name, [plant, user]] of Object.entries(later)) {
  test(`[SAFE-13] what a command leaves in a cache is not run by the user: ${name}`, { skip }, async (t) => {
    const registry = await registryOf(t)
    const here = sandboxPlace(t, {}, () => ({ npm_config_registry: registry, npm_config_fetch_retries: "0" }))
    assert.equal((await here.inside(plant)).code, 0)
    assert.doesNotMatch((await here.outside(user)).out, /poison ran/)
    assert.match((await here.inside(user)).out, /poison ran/, "to the commands of this workspace it is a cache")
    assert.doesNotMatch((await otherWorkspace(here)(user)).out, /poison ran/, "and to those of another it is not")
    assert.equal((await here.outside(plant)).code, 0)
    assert.match((await here.outside(user)).out, /poison ran/, "without the sandbox it is run")
  })
}

/** It knows of the package that npx is asked for, and does not have it. */
async function registryOf(t: TestContext): Promise<string> {
  const version = {
    name: "poisoned-tool",
    version: "1.0.0",
    bin: "x.js",
    dist: { tarball: "http://127.0.0.1:1/none.tgz" },
  }
  const packument = { name: version.name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    response.statusCode = request.url === "/poisoned-tool" ? 200 : 404
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(packument))
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function otherWorkspace(here: SandboxPlace) {
  const repo = here.at("home/other")
  mkdirSync(repo, { recursive: true })
  const options = { ...defaults([repo, here.temp], here.at("blank")), caches: here.at("caches of another") }
  const host = sandboxed({ ...here.plain, cwd: repo }, options)
  return async (command: string) => {
    let out = ""
    const onData = (bytes: Uint8Array) => void (out += Buffer.from(bytes).toString())
    return { ...(await host.exec(command, { cwd: repo, signal: new AbortController().signal, onData })), out }
  }
}

test(
  "what is large, settings and programs of the PATH are seen in a cache; what was cached is not",
  { skip },
  async (t) => {
    const here = sandboxPlace(t, {}, ({ home, env }) => ({ PATH: `${home}/.cache/tools/x/bin:${env["PATH"]}` }))
    filled(here)
    here.put("home/.cache/tools/x/bin/tool", "#!/bin/sh\ncat $(dirname $0)/../lib/words\n")
    chmodSync(here.at("home/.cache/tools/x/bin/tool"), 0o755)
    here.put("home/.cache/tools/x/lib/words", "from beside it\n")
    const seen = await here.inside(
      "tool; cat ~/.cache/ms-playwright/*/chrome ~/.gradle/init.d/* ~/.gradle/wrapper/dists/*/*/gradle-8.5/bin/gradle; ls -A ~/.npm; ls ~/.cache/p10k* ~/.cache/tools/y",
    )
    assert.match(seen.out, /^from beside it\nmine\nmine\nmine\nls: /)
    const written = await here.inside(
      "touch ~/.gradle/wrapper/dists/gradle-8.5-bin/hash/gradle.zip.lck && mkdir ~/.cache/ms-playwright/chromium-2 && echo x > ~/.cache/tools/x/bin/tool",
    )
    assert.match(written.out, /tool: Read-only file system/, "beside what is shown there is room for more")
  },
)

test(
  "a cache that a variable moves into the temporary folder or a root is laid over as well, and cannot be moved away",
  { skip },
  async (t) => {
    const here = sandboxPlace(t, {}, ({ temp, repo }) => ({
      npm_config_cache: `${temp}/ci/npm`,
      CARGO_HOME: `${repo}/.ci/cargo`,
      XDG_CACHE_HOME: repo,
      GOPATH: `${repo}/../outside`,
    }))
    here.put("temp/ci/npm/a", "mine\n")
    const attack = `echo changed > $npm_config_cache/a; mv ${here.temp}/ci ${here.temp}/moved; mkdir -p $npm_config_cache && echo changed > $npm_config_cache/a`
    await here.inside(`${attack}; mkdir -p $CARGO_HOME/registry/src && echo changed > $CARGO_HOME/registry/src/b`)
    assert.equal(here.text("temp/ci/npm/a"), "mine\n")
    assert.equal(existsSync(join(here.repo, ".ci/cargo/registry/src")), false)
    const again = await here.inside(
      "cat $npm_config_cache/a $CARGO_HOME/registry/src/b; echo x > y; echo x > $GOPATH/z",
    )
    assert.match(again.out, /^changed\nchanged\n/, "but the workspace's own commands find it again")
    assert.equal(here.text("home/repo/y"), "x\n", "a variable that names the workspace itself moves nothing")
    assert.match(again.out, /z: (No such file|Read-only)/)
    await here.outside(attack)
    assert.equal(here.text("temp/ci/npm/a"), "changed\n", "without the sandbox it works")
  },
)

test(
  "a link or a closed folder that a command leaves in its cache does not keep the next command from starting",
  { skip },
  async (t) => {
    const here = sandboxPlace(t)
    filled(here)
    const spoil = [
      "rm -rf ~/.cache/ms-playwright; umount ~/.cache/ms-playwright/* 2>/dev/null; true",
      "cd ~/.cache && mv ms-playwright old; ln -s ../.ssh puppeteer; ln -s /etc Cypress; mkdir -p node && chmod 0 node; true",
      "chmod 0 ~/.gradle; true",
    ]
    here.put("home/.cache/puppeteer/chrome/linux-1/chrome", "mine\n")
    here.put("home/.cache/Cypress/1/Cypress", "mine\n")
    for (const command of spoil) assert.equal((await here.inside(command)).code, 0)
    assert.equal((await here.inside("echo fine")).out, "fine\n")
    assert.equal(existsSync(here.at("home/.ssh")), false)
  },
)

test("where no caches can be kept, each command begins with empty ones", { skip }, async (t) => {
  const here = sandboxPlace(t, { caches: null })
  here.put("home/.npm/a", "mine\n")
  const first = await here.inside("ls ~/.npm; echo x > ~/.npm/b && cat ~/.npm/b")
  assert.deepEqual([first.code, first.out], [0, "x\n"])
  assert.equal((await here.inside("ls ~/.npm")).out, "")
  assert.deepEqual([here.text("home/.npm/a"), existsSync(here.at("home/.npm/b"))], ["mine\n", false])
})

test(
  "a workspace that lies in a cache is a workspace, and a home in the temporary folder cannot be moved away",
  { skip },
  async (t) => {
    const here = sandboxPlace(t)
    const repo = here.at("home/.cache/checkouts/repo")
    const gong = here.at("temp/deep/er/gong")
    here.put("home/.cache/checkouts/repo/a", "mine\n")
    here.put("temp/deep/er/gong/settings.json", "mine\n")
    const host = sandboxed(
      { ...here.plain, cwd: repo },
      { ...defaults([repo, here.temp], here.at("blank")), caches: here.at("caches"), kept: [gong] },
    )
    const attack = `mv ${here.temp}/deep ${here.temp}/away; mkdir -p ${gong}; echo changed > ${gong}/settings.json; echo changed > a`
    await host.exec(attack, { cwd: repo, signal: new AbortController().signal, onData: () => undefined })
    assert.equal(here.text("home/.cache/checkouts/repo/a"), "changed\n")
    assert.equal(here.text("temp/deep/er/gong/settings.json"), "mine\n")
    await here.outside(attack)
    assert.equal(here.text("temp/deep/er/gong/settings.json"), "changed\n")
  },
)

test("a cache that the user has put elsewhere by a link is laid over there", { skip }, async (t) => {
  const here = sandboxPlace(t)
  here.put("disk/npm/a", "mine\n")
  symlinkSync(here.at("disk/npm"), join(here.home, ".npm"))
  await here.inside("echo changed > ~/.npm/a; rm ~/.npm; mkdir ~/.npm")
  assert.ok(lstatSync(join(here.home, ".npm")).isSymbolicLink())
  assert.equal(here.text("disk/npm/a"), "mine\n")
  assert.equal((await here.inside("cat ~/.npm/a")).out, "changed\n")
})

test("Gong's home in a root stays closed where a cache or a root lies deep in it", { skip }, async (t) => {
  const here = sandboxPlace(t, {}, ({ temp }) => ({ npm_config_cache: `${temp}/gong/a/npm` }))
  const gong = here.at("temp/gong")
  for (const path of ["a/npm/x", "worktrees/b/c/x"]) here.put(`temp/gong/${path}`, "mine\n")
  const roots = [here.repo, here.temp, join(gong, "worktrees/b/c")]
  const options = { ...defaults(roots, here.at("blank")), caches: here.at("caches"), kept: [gong] }
  const command = `cd ${gong}; for at in x a/x a/npm/x worktrees/x worktrees/b/x worktrees/b/c/y; do echo changed > $at; done`
  const exec = { cwd: here.repo, signal: new AbortController().signal, onData: () => undefined }
  await sandboxed(here.plain, options).exec(command, exec)
  const closed = ["x", "a/x", "worktrees/x", "worktrees/b/x"].filter((path) => existsSync(join(gong, path)))
  assert.deepEqual(closed, [])
  assert.equal(here.text("temp/gong/a/npm/x"), "mine\n")
  assert.equal(here.text("temp/gong/worktrees/b/c/y"), "changed\n")
})

import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { privateFolder } from "@gong/config/private-folder"
import { launcher } from "./harness.ts"

// Node runs the content of a compile cache without comparing it with the file: write access to the cache runs code as the user.

/** Of one length, since that is all of a source that V8 checks. */
const bundles = {
  honest: 'exports.main = async () => console.log("honest")\n',
  poison: 'exports.main = async () => console.log("poison")\n',
}

/** An installation of the launcher with a bundle of one line, a home and a temporary folder. */
interface Installation {
  readonly home: string
  readonly gongHome: string
  readonly temp: string
  readonly cwd: string
  /** Where the compile cache belongs. */
  readonly code: string
  readonly bundle: string
  run(env?: Readonly<Record<string, string>>): string
}

function install(t: TestContext): Installation {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-code-")))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [home, temp, cwd] = [join(root, "home"), join(root, "tmp"), join(root, "work")]
  const gongHome = join(home, ".gong")
  for (const folder of ["home", "tmp", "work", "gong", "gong/bin", "gong/dist"]) mkdirSync(join(root, folder))
  mkdirSync(gongHome, { mode: 0o700 })
  const bundle = join(root, "gong/dist/main.cjs")
  copyFileSync(launcher, join(root, "gong/bin/gong.js"))
  writeFileSync(bundle, bundles.honest)
  const base = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: temp }
  const run = (env: Readonly<Record<string, string>> = {}): string =>
    execFileSync(process.execPath, [join(root, "gong/bin/gong.js"), "x"], {
      cwd,
      env: { ...base, ...env },
      encoding: "utf8",
    })
  return { home, gongHome, temp, cwd, code: join(gongHome, "cache/code"), bundle, run }
}

/**
 * Replaces the content of a compile cache by another bundle, as a command with write access could: with the checksum
 * of the original source, which is in the head of each file.
 */
function poison({ bundle, temp }: Installation, folder: string): void {
  // Like the launcher: V8 accepts only code compiled under its current flags.
  const load = `require("node:module").enableCompileCache(process.argv[1]); require("node:v8").setFlagsFromString("--no-lazy"); require(process.argv[2]).main()`
  const compile = (text: string): string => {
    writeFileSync(bundle, text)
    const own = mkdtempSync(join(temp, "own-"))
    execFileSync(process.execPath, ["-e", load, own, bundle], { env: {} })
    const [file] = globSync("*/*", { cwd: own })
    assert.ok(file !== undefined, "Node has kept what it compiled")
    return join(own, file)
  }
  const [bad, good] = [compile(bundles.poison), compile(bundles.honest)]
  const bytes = readFileSync(bad)
  readFileSync(good).copy(bytes, sourceSum, sourceSum, sourceSum + 4)
  const [version = "", name = ""] = good.split("/").slice(-2)
  mkdirSync(join(folder, version), { recursive: true })
  writeFileSync(join(folder, version, name), bytes)
  const out = execFileSync(process.execPath, ["-e", load, folder, bundle], { env: {}, encoding: "utf8" })
  assert.equal(out, "poison\n", "whoever believes this folder runs what it holds")
}

/** The offset of the source's checksum in a cache file. */
const sourceSum = 12

function keeps({ code }: Installation): boolean {
  return globSync("*/*", { cwd: code }).length > 0
}

test("the compile cache is in Gong's home for the user only, and a cache in the temporary folder is not read", (t) => {
  const here = install(t)
  poison(here, join(here.temp, "node-compile-cache"))
  assert.equal(here.run(), "honest\n")
  assert.equal(lstatSync(here.code).mode & 0o777, 0o700)
  assert.ok(keeps(here))
  poison(here, here.code)
  assert.equal(here.run(), "poison\n", "it is read: the next start is quicker by it")
})

test("a missing home is not created for a cache", (t) => {
  const here = install(t)
  rmSync(here.gongHome, { recursive: true })
  assert.equal(here.run(), "honest\n")
  assert.equal(existsSync(here.gongHome), false)
})

test("GONG_HOME has its own cache, but not a relative one, which could be part of a repository", (t) => {
  const here = install(t)
  const other = join(here.home, "other")
  mkdirSync(other, { mode: 0o700 })
  here.run({ GONG_HOME: "~/other" })
  assert.ok(globSync("cache/code/*/*", { cwd: other }).length > 0)
  const brought = join(here.cwd, "brought")
  mkdirSync(join(brought, "cache/code"), { recursive: true, mode: 0o700 })
  poison(here, join(brought, "cache/code"))
  assert.equal(here.run({ GONG_HOME: "brought" }), "honest\n")
})

/** Ways in which another user could have written to the folder; each names the folder and the message of doctor. */
// oxfmt-ignore
const notPrivate: readonly { readonly name: string; readonly spoil: (here: Installation) => void; readonly problem: RegExp }[] = [
  { name: "the folder belongs to another user", problem: /\/cache\/code belongs to another user$/, spoil: ({ code }) => chownSync(code, 12345, 12345) },
  { name: "the folder above it belongs to another user", problem: /\/cache belongs to another user$/, spoil: ({ code }) => chownSync(join(code, ".."), 12345, 12345) },
  { name: "the home belongs to another user", problem: /\.gong belongs to another user$/, spoil: ({ gongHome }) => chownSync(gongHome, 12345, 12345) },
  { name: "its group can write to it", problem: /^others can write to .*\/cache\/code \(chmod go-w\)$/, spoil: ({ code }) => chmodSync(code, 0o770) },
  { name: "all can write to it", problem: /^others can write to .*\/cache\/code \(/, spoil: ({ code }) => chmodSync(code, 0o707) },
  { name: "all can write to the home", problem: /^others can write to .*\.gong \(/, spoil: ({ gongHome }) => chmodSync(gongHome, 0o1777) },
  { name: "it is a link", problem: /\/cache\/code is not a folder$/, spoil: ({ code, temp }) => { renameSync(code, join(temp, "c")); symlinkSync(join(temp, "c"), code) } },
  { name: "the folder above it is a link", problem: /\/cache is not a folder$/, spoil: ({ gongHome, temp }) => { renameSync(join(gongHome, "cache"), join(temp, "c")); symlinkSync(join(temp, "c"), join(gongHome, "cache")) } },
]

for (const { name, spoil, problem } of notPrivate) {
  test(`cached code is not read if ${name}, which doctor reports`, (t) => {
    if (/another user/.test(name) && process.getuid?.() !== 0) return t.skip("only root can give a folder away")
    const here = install(t)
    here.run()
    poison(here, here.code)
    assert.equal(here.run(), "poison\n")
    spoil(here)
    assert.equal(here.run(), "honest\n")
    const found = privateFolder(here.gongHome, ["cache", "code"], { make: false })
    assert.match(englishOf(found.problem ?? ""), problem)
  })
}

test("a home that is a link is followed", (t) => {
  const here = install(t)
  renameSync(here.gongHome, join(here.home, "dotfiles"))
  symlinkSync(join(here.home, "dotfiles"), here.gongHome)
  here.run()
  assert.ok(keeps(here))
})

test("[SAFE-26] NODE_COMPILE_CACHE is used unless commands or other users can write to it", (t) => {
  const here = install(t)
  mkdirSync(join(here.cwd, ".git"))
  mkdirSync(join(here.cwd, "sub"))
  const named = (folder: string, mode = 0o700): string => {
    mkdirSync(folder, { mode })
    chmodSync(folder, mode)
    poison(here, folder)
    return here.run({ NODE_COMPILE_CACHE: folder })
  }
  assert.equal(named(join(here.home, "own")), "poison\n")
  assert.equal(named(join(here.temp, "node")), "honest\n")
  assert.equal(named(join(here.cwd, "node")), "honest\n")
  assert.equal(named(join(here.home, "shared"), 0o777), "honest\n")
  symlinkSync(join(here.temp, "node"), join(here.home, "link"))
  assert.equal(here.run({ NODE_COMPILE_CACHE: join(here.home, "link") }), "honest\n")
})

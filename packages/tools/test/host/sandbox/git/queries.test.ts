import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { ExecOptions, Host } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import { createAskGit, wordsOf } from "../../../../src/host/sandbox/git/ask-git.ts"
import { createNamedPaths } from "../../../../src/host/sandbox/git/git-settings.ts"

/** A host with git, which answers with these pieces of output. */
function hostWith(pieces: readonly (readonly [text: string | Uint8Array, stream: "stdout" | "stderr"])[], code = 0) {
  const calls: { readonly command: unknown; readonly options: ExecOptions }[] = []
  const memory = createMemoryHost({
    exec: async (command, options) => {
      calls.push({ command, options })
      for (const [text, stream] of pieces) options.onData(Buffer.from(text), stream)
      return { code, signal: null }
    },
  })
  const searched: unknown[] = []
  const host: Host = {
    ...memory,
    which: async (...words) => {
      searched.push(words)
      return "/bin/git"
    },
  }
  return { host, calls, searched }
}

const trusted = async () => true

test("a query runs the machine's git, which starts no program and fetches nothing", async () => {
  const { host, calls, searched } = hostWith([
    ["a\0", "stdout"],
    ["warning", "stderr"],
    ["ü\0", "stdout"],
  ])
  const ask = createAskGit(host, trusted)
  assert.equal(await ask("/w", ["ls-files", "-z"]), "a\0ü\0")
  await ask("/w", ["status"])
  assert.deepEqual(searched, [["git", { own: true }]])
  const [{ command, options } = assert.fail()] = calls
  assert.deepEqual(command, ["/bin/git", "--no-optional-locks", "-c", "core.fsmonitor=false", "ls-files", "-z"])
  assert.equal(options.cwd, "/w")
  const { GIT_ALLOW_PROTOCOL, GIT_NO_LAZY_FETCH, GIT_NO_REPLACE_OBJECTS, GIT_GRAFT_FILE } = options.env ?? {}
  assert.deepEqual(
    [GIT_ALLOW_PROTOCOL, GIT_NO_LAZY_FETCH, GIT_NO_REPLACE_OBJECTS, GIT_GRAFT_FILE],
    ["none", "1", "1", "/dev/null"],
  )
})

test("a query that fails, cannot start or has too much output has no answer", async () => {
  const asked = async (host: Host, mayRun = trusted) => createAskGit(host, mayRun)("/w", ["x"])
  assert.equal(await asked(hostWith([["a", "stdout"]], 1).host), null)
  assert.equal(await asked({ ...hostWith([]).host, exec: () => Promise.reject(new Error("E2BIG")) }), null)
  assert.equal(await asked({ ...hostWith([]).host, which: async () => null }), null)
  assert.equal(await asked(hostWith([["a", "stdout"]]).host, async () => false), null)
  const limit = Buffer.alloc(8 * 1024 * 1024, "a")
  assert.equal((await asked(hostWith([[limit, "stdout"]]).host))?.length, limit.length)
  const over = [[limit, "stdout"] as const, ["a", "stdout"] as const]
  assert.equal(await asked(hostWith(over).host), null)
  assert.equal(
    await asked(
      hostWith([
        [limit, "stderr"],
        ["a", "stdout"],
      ]).host,
    ),
    "a",
  )
})

test("the output of a query with -z is split at its ends", () => {
  assert.deepEqual(wordsOf("a\0b c\0\0"), ["a", "b c", ""])
  assert.deepEqual([wordsOf(""), wordsOf(null)], [[], []])
})

/** The paths that these settings name, as `file:ORIGIN`, `name`, `value`. */
const named = (settings: readonly (readonly [origin: string, name: string, value: string])[], home = "/h") =>
  createNamedPaths(
    async () => settings.map(([origin, name, value]) => `${origin}\0${name}\n${value}\0`).join(""),
    home,
  )("/w", [])

test("the hooks folder is relative to the project, an included file to the file that names it", async () => {
  for (const [origin, name, value, path] of [
    ["file:.git/config", "core.hookspath", "hooks", "/w/hooks"],
    ["file:/h/.gitconfig", "core.hookspath", "~/hooks", "/h/hooks"],
    ["command line:", "core.hookspath", "/a/./b", "/a/b"],
    ["file:.git/config", "include.path", "more", "/w/.git/more"],
    ["file:/h/.gitconfig", "include.path", "~/more", "/h/more"],
    ["file:/h/.gitconfig", "includeif.gitdir:/w/.path", "../more", "/more"],
    ["file:/h/.gitconfig", "includeif.hasconfig:a\nb.path", "more", null],
    ["command line:", "include.path", "more", null],
    ["file:/h/.gitconfig", "includeif.path", "more", null],
    ["file:/h/.gitconfig", "xincludeif.a.path", "more", null],
    ["file:/h/.gitconfig", "includeif.a.paths", "more", null],
    ["file:/h/.gitconfig", "core.hookspaths", "more", null],
  ] as const)
    assert.deepEqual(await named([[origin, name, value]]), path === null ? [] : [path], `${name} ${value}`)
  assert.deepEqual(
    await named([
      ["file:.git/config", "core.bare", "false"],
      ["file:.git/config", "core.hookspath", "a\nb"],
      ["file:.git/config", "include.path", "c"],
    ]),
    ["/w/a\nb", "/w/.git/c"],
  )
  const failing = createNamedPaths(async () => null, "/h")
  assert.deepEqual(await failing("/w", []), [])
})

test("git is asked again if a file that it read, or the settings of a git folder, changed", async (t) => {
  const root = folder(t, { "git/config": "", more: "" })
  const at = (path: string) => join(root, path)
  const asked: unknown[] = []
  const paths = createNamedPaths(async (...words) => {
    asked.push(words)
    return `file:${at("other")}\0include.path\nmore\0`
  }, "/h")
  const names = () => paths("/w", [at("git")])
  for (const changed of [null, "git/config", "git/config.worktree", "other", "more"]) {
    if (changed !== null) writeFileSync(at(changed), "a")
    asked.length = 0
    assert.deepEqual([await names(), await names()], [[at("more")], [at("more")]])
    assert.deepEqual(asked, [["/w", ["config", "--list", "--show-origin", "-z"]]], changed ?? "first")
  }
})

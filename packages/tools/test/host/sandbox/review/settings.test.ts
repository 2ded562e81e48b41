import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecResult } from "@gong/spec"
import { withNotes } from "../../../../src/host/sandbox/review/review.ts"
import { remoteAddress, unsafeSetting } from "../../../../src/host/sandbox/review/settings.ts"

const harmless = `
  core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode
  core.symlinks core.autocrlf core.eol core.safecrlf core.longpaths core.quotepath core.abbrev core.sparsecheckout
  core.sparsecheckoutcone extensions.objectformat extensions.refstorage init.defaultbranch user.name user.email
  pull.rebase pull.ff push.default push.autosetupremote merge.conflictstyle remote.a.fetch remote.a.tagopt
  remote.a.prune branch.a.merge branch.a.rebase branch.a.description submodule.active submodule.a.active
  lfs.repositoryformatversion lfs.a.access`

test("settings as git init and git clone write them run no program; others might", () => {
  const names = harmless.trim().split(/\s+/)
  assert.equal(unsafeSetting(names.map((name) => `${name}\nvalue`)), null)
  for (const name of names) {
    assert.equal(unsafeSetting([name]), null, name)
    for (const other of [`x${name}`, `${name}x`]) assert.equal(unsafeSetting([`${other}\nvalue`]), other)
  }
  for (const name of ["remote.a\nb.fetch", "branch.a\nb.merge"]) assert.notEqual(unsafeSetting([name]), null)
  for (const name of ["core.hookspath", "core.fsmonitor", "filter.a.clean", "alias.a", "remote.fetch", "branch.merge"])
    assert.equal(unsafeSetting(["core.bare\nfalse", `${name}\na`, "core.pager\na"]), name)
  assert.equal(unsafeSetting([]), null)
})

test("the URL of a remote or submodule is an address of another machine", () => {
  for (const [url, is] of [
    ["https://example.com/a.git", true],
    ["http://example.com", true],
    ["ssh://git@example.com/a", true],
    ["git://example.com/a", true],
    ["git@example.com:a/b.git", true],
    ["example.com:a", true],
    ["me.you-x@host:a", true],
    ["https://-oProxyCommand=x", false],
    ["ssh:///a", false],
    ["ftp://example.com/a", false],
    ["file:///a", false],
    ["ext::sh -c x", false],
    ["-host:a", false],
    ["/a/b", false],
    ["./a:b", false],
    ["a", false],
    ["x https://example.com", false],
    ["", false],
  ] as const) {
    assert.equal(remoteAddress.test(url), is, url)
    for (const name of ["remote.a.url", "submodule.a.url"])
      assert.equal(unsafeSetting([`${name}\n${url}`]), is ? null : name, url)
  }
  for (const name of ["xremote.a.url", "remote.a.urlx", "remote.url"])
    assert.equal(unsafeSetting([`${name}\nhttps://example.com`]), name)
})

test("the remote of a branch is a known remote or the repository itself", () => {
  const url = "remote.a\nhttps://example.com".replace("a\n", "a.url\n")
  assert.equal(unsafeSetting(["branch.main.remote\n."]), null)
  assert.equal(unsafeSetting([url, "branch.main.remote\na"]), null)
  assert.equal(unsafeSetting(["branch.main.remote\na", url]), null)
  for (const value of ["b", "../a", "https://example.com", ""])
    assert.equal(unsafeSetting([url, `branch.main.remote\n${value}`]), "branch.main.remote")
  assert.equal(unsafeSetting([url, "xbranch.main.remote\na"]), "xbranch.main.remote")
  assert.equal(unsafeSetting([url, "branch.main.remotes\na"]), "branch.main.remotes")
  assert.equal(unsafeSetting(["xremote.a.url\nhttps://example.com", "core.bare\ntrue"]), "xremote.a.url")
})

test("of the notes about a command the first eight are shown, then that of the command", () => {
  const ended: ExecResult = { code: 0, signal: null }
  const notes = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`)
  assert.equal(withNotes(ended, []), ended)
  assert.deepEqual(withNotes(ended, ["a", "b"]), { ...ended, note: "a\nb" })
  assert.equal(withNotes({ ...ended, note: "own" }, ["a"]).note, "a\nown")
  assert.equal(withNotes({ ...ended, note: "own" }, []).note, "own")
  assert.equal(withNotes(ended, notes(8)).note, notes(8).join("\n"))
  assert.equal(withNotes(ended, notes(10)).note, [...notes(8), "[sandbox: and 2 more]"].join("\n"))
})

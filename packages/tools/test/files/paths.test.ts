import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost, type MemoryHostOptions } from "../../src/host/memory.ts"
import {
  expandPath,
  type Place,
  realPathOf,
  resolveForRead,
  resolveForWrite,
  rootsOf,
  secretsOf,
} from "../../src/paths.ts"

const host = (options: MemoryHostOptions = {}) => createMemoryHost({ cwd: "/w", ...options })
const refusal = (message: string) => ({ name: "Refusal", message })

test("a home is normalized; other forms of a path stay below the working directory", () => {
  assert.deepEqual(
    ["~", "~/", "@~/x", "@/x", "", "a~/b"].map((typed) => expandPath(typed, "/w", "/home/../h/")),
    ["/h", "/h", "/h/x", "/x", "/w", "/w/a~/b"],
  )
})

test("without a session a path may be written by its form: in the home, in the working directory, or in one of three places", async () => {
  const memory = host({ files: { "/w/a": "", "/x/a": "" } })
  const place = { cwd: "/w" }
  for (const typed of ["~", "~/new", "new", "d/../new", "/tmp/new", "/home/user/new", "/w/new"])
    await resolveForWrite(memory, place, "write", typed)
  for (const [typed, path, folder, root] of [
    ["../x/a", "/x/a", "/x", "/w"],
    ["/home/user/../../x/a", "/x/a", "/x", "/w"],
    ["~/../../x/a", "/x/a", "/x", "/home/user"],
    ["../home/user/a", "/home/user/a", "/home/user", "/w"],
    ["/wx", "/wx", "/", "/w"],
  ] as const)
    await assert.rejects(
      resolveForWrite(memory, place, "write", typed),
      refusal(
        `Refused: ${path} is outside the workspace (${root}). Allow it with --add-dir ${folder} or --allow "write(${path})".`,
      ),
    )
})

test("roots are those of now; anywhere means no check; a root may be a link", async () => {
  const memory = host({ files: { "/real/a": "" }, links: { "/link": "/real" } })
  let roots: readonly string[] = ["/w"]
  const place: Place = { cwd: "/w", roots: () => roots }
  assert.deepEqual(rootsOf(place), ["/w"])
  await assert.rejects(
    resolveForWrite(memory, place, "edit", "/real/a"),
    /\(\/w\)\. Allow it with --add-dir \/real or --allow "edit\(/,
  )
  roots = ["/w", "/link"]
  assert.equal(await resolveForWrite(memory, place, "edit", "/real/a"), "/real/a")
  assert.equal(await resolveForWrite(memory, { cwd: "/w", roots: "anywhere" }, "edit", "/x"), "/x")
  assert.deepEqual([rootsOf({ cwd: "/w" }), await secretsOf({ cwd: "/w" })], [undefined, []])
})

test("reads can be restricted to the workspace", async () => {
  const memory = host({ files: { "/x/a": "", "/w/b": "" } })
  const place: Place = { cwd: "/w", roots: ["/w"], reads: "workspace" }
  assert.equal(await resolveForRead(memory, place, "read", "b"), "/w/b")
  await assert.rejects(resolveForRead(memory, place, "read", "/x/a"), /outside the workspace .*"read\(\/x\/a\)"/)
  assert.equal(await resolveForRead(memory, { ...place, reads: "anywhere" }, "read", "/x/a"), "/x/a")
})

test("names as macOS writes them are found if the plain one is missing", async () => {
  for (const [stored, typed] of [
    ["/w/at 3.41.10\u202fPM.png", "at 3.41.10 PM.png"],
    ["/w/9\u202fam", "9 am"],
    ["/w/cafe\u0301.txt", "caf\u00e9.txt"],
    ["/w/it\u2019s", "it's"],
    ["/w/cafe\u0301\u2019s", "caf\u00e9's"],
  ] as const)
    assert.equal(await resolveForRead(host({ files: { [stored]: "" } }), { cwd: "/w" }, "read", typed), stored)
  const both = host({ files: { "/w/it's": "", "/w/it\u2019s": "" } })
  assert.equal(await resolveForRead(both, { cwd: "/w" }, "read", "it's"), "/w/it's")
  const word = host({ files: { "/w/9\u202fAMP": "" } })
  assert.equal(await resolveForRead(word, { cwd: "/w" }, "read", "9 AMP"), "/w/9 AMP")
})

test("the real path of what does not exist is that of its nearest folder; not behind a dangling link", async () => {
  const memory = host({ files: { "/real/a": "" }, links: { "/l": "/real", "/dangling": "/none", "/loop": "/loop" } })
  assert.equal(await realPathOf(memory, "/l/new/deep"), "/real/new/deep")
  assert.equal(await realPathOf(memory, "/"), "/")
  for (const path of ["/dangling", "/dangling/x"])
    await assert.rejects(
      realPathOf(memory, path),
      refusal("/dangling is a symbolic link to a place that does not exist. Use the real path."),
    )
  await assert.rejects(realPathOf(memory, "/loop/x"), { code: "ELOOP" })
})

test("secrets are refused by their real path, also below a home that is a link", async () => {
  const memory = host({
    home: "/h",
    files: {
      "/big/home/.key": "k",
      "/big/home/.x/auth.json": "k",
      "/big/home/x/auth.json": "",
      "/big/home/.keys/a": "",
    },
    links: { "/h": "/big/home" },
  })
  const secrets = async () => ["/h/.key"]
  const read = (typed: string, roots: readonly string[] = ["/w"]) =>
    resolveForRead(memory, { cwd: "/w", roots, secrets }, "read", typed)
  const hidden = (path: string) =>
    refusal(`Refused: ${path} may hold secrets. Go on without it, or ask the user for what you need.`)
  await assert.rejects(read("~/.key"), hidden("/big/home/.key"))
  await assert.rejects(read("/big/home/.key"), hidden("/big/home/.key"))
  await assert.rejects(read("~/.x/auth.json"), hidden("/big/home/.x/auth.json"))
  for (const open of ["~/x/auth.json", "~/.keys/a"]) await read(open)
  await read("/big/home/.key", ["/big/home/.key"])
  await assert.rejects(read("/big/home/.key", ["/big"]), hidden("/big/home/.key"))
})

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host } from "@gong/spec"

/** A fresh host whose `cwd` is an empty folder, with its clean-up. */
export type MakeHost = (t: { after(work: () => void): void }) => Host

/** What every place where tools act must do. */
export function hostCases(name: string, make: MakeHost): void {
  const at = (host: Host, path: string) => `${host.cwd}/${path}`
  const text = async (host: Host, path: string) => Buffer.from(await host.readRange(at(host, path), 0)).toString()
  const code = (wanted: string) => (error: unknown) =>
    error instanceof Error && "code" in error && error.code === wanted

  test(`host ${name}: a file is written, looked at and read in parts`, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a.txt"), Buffer.from("0123456789"))
    assert.equal((await host.stat(at(host, "a.txt")))?.kind, "file")
    assert.equal((await host.stat(at(host, "a.txt")))?.size, 10)
    assert.equal(Buffer.from(await host.readRange(at(host, "a.txt"), 2, 5)).toString(), "234")
    assert.equal(Buffer.from(await host.readRange(at(host, "a.txt"), 8, 50)).toString(), "89")
    assert.equal((await host.readRange(at(host, "a.txt"), 50)).length, 0)
  })

  test(`host ${name}: what is read is the same in lent room, be it too small or too large`, async (t) => {
    const host = make(t)
    const bytes = Buffer.alloc(600_000, "0123456789")
    await host.replaceFile(at(host, "a.txt"), bytes)
    for (const room of [1, 500_000, 600_000]) {
      const into = new Uint8Array(room)
      for (const from of [0, 100_007]) {
        const read = await host.readRange(at(host, "a.txt"), from, from + 500_000, { into })
        assert.ok(bytes.subarray(from, from + 500_000).equals(read))
      }
    }
  })

  test(`host ${name}: a shorter text replaces a longer one whole`, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a.txt"), Buffer.from("long text"))
    await host.replaceFile(at(host, "a.txt"), Buffer.from("new"))
    assert.equal(await text(host, "a.txt"), "new")
    assert.deepEqual(
      (await host.readdir(host.cwd)).map((entry) => entry.name),
      ["a.txt"],
    )
  })

  test(`host ${name}: what is missing is null or ENOENT`, async (t) => {
    const host = make(t)
    assert.equal(await host.stat(at(host, "nix")), null)
    assert.equal(await host.stat(at(host, "nix/nix")), null)
    await assert.rejects(host.readRange(at(host, "nix"), 0), code("ENOENT"))
    await assert.rejects(host.realpath(at(host, "nix")), code("ENOENT"))
    await assert.rejects(host.access(at(host, "nix"), "read"), code("ENOENT"))
    await assert.rejects(host.replaceFile(at(host, "nix/a"), Buffer.from("")), code("ENOENT"))
    await assert.rejects(host.remove(at(host, "nix")), code("ENOENT"))
  })

  test(`host ${name}: folders are made with their parents, and listed with kinds`, async (t) => {
    const host = make(t)
    await host.mkdir(at(host, "a/b/c"))
    await host.mkdir(at(host, "a/b/c"))
    await host.replaceFile(at(host, "a/f"), Buffer.from(""))
    const entries = await host.readdir(at(host, "a"))
    assert.deepEqual(entries.map((entry) => `${entry.name} ${entry.kind}`).sort(), ["b directory", "f file"])
    await assert.rejects(host.readdir(at(host, "a/f")), code("ENOTDIR"))
  })

  test(`host ${name}: a removed file is gone`, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a"), Buffer.from("x"))
    await host.remove(at(host, "a"))
    assert.equal(await host.stat(at(host, "a")), null)
  })

  test(`host ${name}: another file than the one that was looked at is not replaced`, async (t) => {
    const host = make(t)
    const look = () => host.stat(at(host, "a"))
    await host.replaceFile(at(host, "a"), Buffer.from("one"), { expect: null })
    const first = await look()
    await host.replaceFile(at(host, "a"), Buffer.from("two"), { expect: first })
    for (const expect of [first, null])
      await assert.rejects(host.replaceFile(at(host, "a"), Buffer.from("three"), { expect }), code("ESTALE"))
    const second = await look()
    await host.remove(at(host, "a"))
    await assert.rejects(host.replaceFile(at(host, "a"), Buffer.from("three"), { expect: second }), code("ESTALE"))
    assert.equal(await look(), null)
  })

  test(`host ${name}: a file may be read and written`, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a"), Buffer.from("x"))
    await host.access(at(host, "a"), "read")
    await host.access(at(host, "a"), "write")
    assert.equal(await host.realpath(at(host, "a")), at(host, "a"))
  })
}

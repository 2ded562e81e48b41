import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, Host } from "@gong/spec"

/** A new host whose `cwd` is an empty folder, with its cleanup. */
export type MakeHost = (t: { after(work: () => void): void }) => Host

/** Cases for every host; `commands` for hosts that run any. */
export function hostCases(name: string, make: MakeHost, options: HostCaseOptions = {}): void {
  fileCases(name, make, options)
  batchCases(name, make, options)
  if (options.commands !== false) commandCases(name, make, options)
}

export interface HostCaseOptions {
  readonly commands?: boolean
  /** Why this machine cannot provide the host. */
  readonly skip?: string | false
}

function fileCases(name: string, make: MakeHost, { skip = false }: HostCaseOptions): void {
  const at = (host: Host, path: string) => `${host.cwd}/${path}`
  const text = async (host: Host, path: string) => Buffer.from(await host.readRange(at(host, path), 0)).toString()
  const code = (wanted: string) => (error: unknown) =>
    error instanceof Error && "code" in error && error.code === wanted

  test(`host ${name}: a file is written, its stat read, and its content read in ranges`, { skip }, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a.txt"), Buffer.from("0123456789"))
    assert.equal((await host.stat(at(host, "a.txt")))?.kind, "file")
    assert.equal((await host.stat(at(host, "a.txt")))?.size, 10)
    assert.equal(Buffer.from(await host.readRange(at(host, "a.txt"), 2, 5)).toString(), "234")
    assert.equal(Buffer.from(await host.readRange(at(host, "a.txt"), 8, 50)).toString(), "89")
    assert.equal((await host.readRange(at(host, "a.txt"), 50)).length, 0)
  })

  test(
    `host ${name}: reading into a buffer gives the same bytes, be it too small or too large`,
    { skip },
    async (t) => {
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
    },
  )

  test(`host ${name}: a shorter text completely replaces a longer one`, { skip }, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a.txt"), Buffer.from("long text"))
    await host.replaceFile(at(host, "a.txt"), Buffer.from("new"))
    assert.equal(await text(host, "a.txt"), "new")
    assert.deepEqual(
      (await host.readdir(host.cwd)).map((entry) => entry.name),
      ["a.txt"],
    )
  })

  test(`host ${name}: a file is written in consecutive parts`, { skip }, async (t) => {
    const host = make(t)
    const parts = ["one ", "", "two ".repeat(30_000), "three"].map((part) => Buffer.from(part))
    for (const content of [parts, parts.slice(0, 1), []]) {
      await host.replaceFile(at(host, "a.txt"), content)
      assert.equal(await text(host, "a.txt"), Buffer.concat(content).toString())
    }
  })

  test(`host ${name}: a missing path is null or ENOENT`, { skip }, async (t) => {
    const host = make(t)
    assert.equal(await host.stat(at(host, "nix")), null)
    assert.equal(await host.stat(at(host, "nix/nix")), null)
    await assert.rejects(host.readRange(at(host, "nix"), 0), code("ENOENT"))
    await assert.rejects(host.realpath(at(host, "nix")), code("ENOENT"))
    await assert.rejects(host.access(at(host, "nix"), "read"), code("ENOENT"))
    await assert.rejects(host.replaceFile(at(host, "nix/a"), Buffer.from("")), code("ENOENT"))
    await assert.rejects(host.remove(at(host, "nix")), code("ENOENT"))
  })

  test(`host ${name}: folders are created with their parents, and listed with kinds`, { skip }, async (t) => {
    const host = make(t)
    await host.mkdir(at(host, "a/b/c"))
    await host.mkdir(at(host, "a/b/c"))
    await host.replaceFile(at(host, "a/f"), Buffer.from(""))
    const entries = await host.readdir(at(host, "a"))
    assert.deepEqual(entries.map((entry) => `${entry.name} ${entry.kind}`).sort(), ["b directory", "f file"])
    await assert.rejects(host.readdir(at(host, "a/f")), code("ENOTDIR"))
  })

  test(`host ${name}: a removed file is gone`, { skip }, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a"), Buffer.from("x"))
    await host.remove(at(host, "a"))
    assert.equal(await host.stat(at(host, "a")), null)
  })

  test(`host ${name}: a file other than the expected one is not replaced`, { skip }, async (t) => {
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

  test(`host ${name}: a replacement waits for announce, and does not happen if it fails`, { skip }, async (t) => {
    const host = make(t)
    const text = async () => String(await host.readRange(at(host, "a"), 0))
    await host.replaceFile(at(host, "a"), Buffer.from("old"))
    const seen: string[] = []
    const announce = async () => void seen.push(await text())
    await host.replaceFile(at(host, "a"), Buffer.from("new"), { announce })
    assert.deepEqual([...seen, await text()], ["old", "new"])
    const refuse = () => Promise.reject(new Error("not on the tape"))
    await assert.rejects(host.replaceFile(at(host, "a"), Buffer.from("newer"), { announce: refuse }), /not on the tape/)
    assert.equal(await text(), "new")
    assert.deepEqual(await host.readdir(host.cwd).then((all) => all.map((entry) => entry.name)), ["a"])
  })

  test(`host ${name}: a file changed during announce is kept`, { skip }, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a"), Buffer.from("old"))
    const expect = await host.stat(at(host, "a"))
    const announce = () => host.replaceFile(at(host, "a"), Buffer.from("of another"))
    const late = host.replaceFile(at(host, "a"), Buffer.from("new"), { expect, announce })
    await assert.rejects(late, code("ESTALE"))
    assert.equal(String(await host.readRange(at(host, "a"), 0)), "of another")
  })

  test(`host ${name}: an empty folder is removed, a non-empty one is not`, { skip }, async (t) => {
    const host = make(t)
    await host.mkdir(at(host, "d/inner"))
    await assert.rejects(host.remove(at(host, "d")), code("ENOTEMPTY"))
    await host.remove(at(host, "d/inner"))
    await host.remove(at(host, "d"))
    assert.equal(await host.stat(at(host, "d")), null)
  })

  test(`host ${name}: read and write access to a file`, { skip }, async (t) => {
    const host = make(t)
    await host.replaceFile(at(host, "a"), Buffer.from("x"))
    await host.access(at(host, "a"), "read")
    await host.access(at(host, "a"), "write")
    assert.equal(await host.realpath(at(host, "a")), at(host, "a"))
  })
}

/** The batch verbs, each compared with its single verb. */
function batchCases(name: string, make: MakeHost, { skip = false }: HostCaseOptions): void {
  const place = async (t: Parameters<MakeHost>[0]) => {
    const host = make(t)
    const at = (path: string) => `${host.cwd}/${path}`
    await host.mkdir(at("d/inner"))
    await host.replaceFile(at("a.txt"), Buffer.from("0123456789"))
    await host.replaceFile(at("d/b.txt"), Buffer.from(""))
    return { host, at }
  }
  const codes = (answers: readonly { readonly ok: boolean; readonly code?: string }[]) =>
    answers.map((one) => (one.ok ? "ok" : one.code))

  test(`host ${name}: many paths are checked in one call, in order, independent of each other`, { skip }, async (t) => {
    const { host, at } = await place(t)
    const paths = ["a.txt", "nix", "d", "nix/nix", "a.txt", "a.txt/x"].map(at)
    const looked = await host.look(paths)
    assert.deepEqual(codes(looked), ["ok", "ENOENT", "ok", "ENOENT", "ok", "ENOENT"])
    for (const [index, one] of looked.entries()) {
      const path = paths[index] ?? ""
      if (one.ok) assert.deepEqual(one.value, { stat: await host.stat(path), real: await host.realpath(path) })
      else assert.equal(await host.stat(path), null)
    }
    assert.deepEqual(await host.look([]), [])
  })

  test(`host ${name}: many files are read in one call, each up to the limit`, { skip }, async (t) => {
    const { host, at } = await place(t)
    const read = await host.readFiles(["a.txt", "d", "nix", "d/b.txt"].map(at), { maxBytes: 4 })
    assert.deepEqual(codes(read), ["ok", "EINVAL", "ENOENT", "ok"])
    const [first, , , empty] = read
    assert.ok(first?.ok && empty?.ok)
    assert.equal(Buffer.from(first.value.bytes).toString(), "0123")
    assert.deepEqual(first.value.stat, await host.stat(at("a.txt")))
    assert.equal(empty.value.bytes.length, 0)
    const [whole] = await host.readFiles([at("a.txt")], { maxBytes: 10 })
    assert.ok(whole?.ok)
    assert.equal(Buffer.from(whole.value.bytes).toString(), "0123456789")
  })

  test(`host ${name}: many folders are listed in one call`, { skip }, async (t) => {
    const { host, at } = await place(t)
    const [top, inner, none, file] = await host.list([host.cwd, at("d"), at("nix"), at("a.txt")])
    const printed = (one: typeof top) => one?.ok && one.value.map((entry) => `${entry.name} ${entry.kind}`).toSorted()
    assert.deepEqual(printed(top), ["a.txt file", "d directory"])
    assert.deepEqual(printed(inner), ["b.txt file", "inner directory"])
    assert.deepEqual(codes([none, file].filter((one) => one !== undefined)), ["ENOENT", "ENOTDIR"])
  })
}

interface Ran {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

async function run(host: Host, command: string | readonly string[], more: Partial<ExecOptions> = {}): Promise<Ran> {
  const printed = { stdout: "", stderr: "" }
  const { code, signal } = await host.exec(command, {
    cwd: host.cwd,
    signal: new AbortController().signal,
    onData: (bytes, stream) => void (printed[stream] += Buffer.from(bytes).toString()),
    ...more,
  })
  return { code, signal, ...printed }
}

function commandCases(name: string, make: MakeHost, { skip = false }: HostCaseOptions): void {
  test(`host ${name}: a command returns its exit code and both streams`, { skip }, async (t) => {
    const ran = await run(make(t), "echo out; echo err >&2; exit 7")
    assert.deepEqual(ran, { code: 7, signal: null, stdout: "out\n", stderr: "err\n" })
  })

  test(`host ${name}: a command runs in the given folder`, { skip }, async (t) => {
    const host = make(t)
    await host.mkdir(`${host.cwd}/sub`)
    const ran = await run(host, "pwd; echo made > file", { cwd: `${host.cwd}/sub` })
    assert.equal(ran.stdout, `${host.cwd}/sub\n`)
    assert.equal(Buffer.from(await host.readRange(`${host.cwd}/sub/file`, 0)).toString(), "made\n")
  })

  test(
    `host ${name}: an argument list is not parsed by a shell, and the environment is the given one`,
    { skip },
    async (t) => {
      const PATH = process.env["PATH"] ?? ""
      const host = make(t)
      assert.equal((await run(host, ["printf", "%s", "$HOME;*"])).stdout, "$HOME;*")
      assert.equal((await run(host, "echo $ONLY-$HOME", { env: { PATH, ONLY: "this" } })).stdout, "this-\n")
    },
  )

  test(`host ${name}: stdin is closed`, { skip }, async (t) => {
    assert.deepEqual((await run(make(t), "cat; read x || echo none")).stdout, "none\n")
  })

  test(
    `host ${name}: an abort kills a command with its descendants, and the result still arrives`,
    { skip },
    async (t) => {
      const host = make(t)
      const stop = new AbortController()
      const ran = await run(host, "sleep 1000 & echo up; wait", { signal: stop.signal, onData: () => stop.abort() })
      assert.deepEqual([ran.code, ran.signal], [null, "SIGKILL"])
      const before = await run(host, "sleep 1000", { signal: AbortSignal.abort() })
      assert.deepEqual([before.code, before.signal], [null, "SIGKILL"])
    },
  )

  test(`host ${name}: a missing program is ENOENT, one without permission EACCES`, { skip }, async (t) => {
    const host = make(t)
    const code = (wanted: string) => (error: unknown) =>
      error instanceof Error && "code" in error && error.code === wanted
    await assert.rejects(run(host, ["gong-has-no-such-program"]), code("ENOENT"))
    await host.replaceFile(`${host.cwd}/plain`, Buffer.from("x"))
    await assert.rejects(run(host, [`${host.cwd}/plain`]), code("EACCES"))
    assert.equal(await host.which("gong-has-no-such-program"), null)
    assert.match((await host.which("bash")) ?? "", /^\/.*bash$/)
  })
}

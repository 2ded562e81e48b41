import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { batchVerbs } from "../../src/host/batch-verbs.ts"
import { createLocalHost } from "../../src/host/local.ts"
import { killGroup } from "../../src/host/processes/exec.ts"
import { findRipgrep } from "../../src/host/ripgrep.ts"
import { place } from "../workspace.ts"
import { hostCases } from "./host-cases.ts"

hostCases("local", (t) => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gong-host-")))
  t.after(() => rmSync(cwd, { recursive: true, force: true }))
  return createLocalHost({ cwd })
})

test("a path below a file does not exist, as a link or what it leads to", async (t) => {
  const here = place(t)
  const host = createLocalHost({ cwd: here.cwd })
  const path = `${here.put("a.txt", "")}/below`
  assert.deepEqual([await host.stat(path), await host.stat(path, { link: true })], [null, null])
  const [looked] = await host.look([path])
  assert.deepEqual(looked, { ok: false, code: "ENOENT" })
})

test("a caller's buffer is used if it is large enough", async (t) => {
  const here = place(t)
  const path = here.put("a.txt", "0123456789")
  const into = new Uint8Array(5)
  const host = createLocalHost({ cwd: here.cwd })
  assert.equal((await host.readRange(path, 0, 5, { into })).buffer, into.buffer)
  assert.notEqual((await host.readRange(path, 0, 6, { into })).buffer, into.buffer)
})

test("a command reads its input to the end; one that ignores it does not fail", async (t) => {
  const host = createLocalHost({ cwd: place(t).cwd })
  const printed = async (command: string, input?: string) => {
    let out = ""
    const options = { cwd: host.cwd, signal: new AbortController().signal, ...(input === undefined ? {} : { input }) }
    const { code } = await host.exec(command, {
      ...options,
      onData: (bytes) => void (out += Buffer.from(bytes).toString()),
    })
    return [code, out]
  }
  const long = "工".repeat(200_000)
  assert.deepEqual(await printed("wc -c", long), [0, "600000\n"])
  assert.deepEqual(await printed("exit 3", long), [3, ""])
  assert.deepEqual(await printed("cat"), [0, ""])
})

test("output buffers are freed after the callback", async (t) => {
  const host = createLocalHost({ cwd: place(t).cwd })
  const lent: Uint8Array[] = []
  let copied = 0
  const onData = (bytes: Uint8Array) => {
    lent.push(bytes)
    copied += bytes.length
  }
  await host.exec("head -c 300000 /dev/zero; echo >&2", { cwd: host.cwd, signal: new AbortController().signal, onData })
  assert.equal(copied, 300_001)
  assert.deepEqual([...new Set(lent.map(({ length }) => length))], [0])
})

test(
  "the blocks of a replaced file are freed, and no descriptor stays open if that fails",
  { skip: process.platform !== "linux" && "only Linux shows what is open" },
  async (t) => {
    const here = place(t)
    const host = createLocalHost({ cwd: here.cwd })
    const open = () =>
      readdirSync("/proc/self/fd").filter((file) => {
        try {
          return readlinkSync(`/proc/self/fd/${file}`).startsWith(here.cwd)
        } catch {
          // The descriptor used for the listing is closed by now.
          return false
        }
      }).length
    const path = here.put("a.txt", "old")
    for (let i = 0; i < 20; i++) await host.replaceFile(path, Buffer.from("new"))
    mkdirSync(here.at("folder"))
    await assert.rejects(host.replaceFile(here.at("folder"), Buffer.from("x")), { code: "EISDIR" })
    for (let tries = 0; open() > 0 && tries < 200; tries++) await sleep(10)
    assert.equal(open(), 0)
    assert.deepEqual(readdirSync(here.cwd), ["a.txt", "folder"])
  },
)

test("the default batch verbs give the same answers as those of the local host", async (t) => {
  const here = place(t)
  const host = createLocalHost({ cwd: here.cwd })
  here.put("a.txt", "text")
  symlinkSync("a.txt", here.at("link"))
  symlinkSync("nowhere", here.at("broken"))
  symlinkSync("loop", here.at("loop"))
  mkdirSync(here.at("d"))
  execFileSync("mkfifo", [here.at("pipe")])
  const paths = ["a.txt", "link", "broken", "loop", "d", "pipe", "a.txt/x"].map(here.at)
  const single = batchVerbs(host)
  assert.deepEqual(await single.look(paths), await host.look(paths))
  assert.deepEqual(await single.readFiles(paths, { maxBytes: 2 }), await host.readFiles(paths, { maxBytes: 2 }))
  assert.deepEqual(await single.list([here.cwd, here.at("d")]), await host.list([here.cwd, here.at("d")]))
  const [, link, broken, loop] = await host.look(paths)
  assert.equal(link?.ok && link.value.real, here.at("a.txt"))
  assert.deepEqual(
    [broken, loop],
    [
      { ok: false, code: "ENOENT" },
      { ok: false, code: "ELOOP" },
    ],
  )
})

test("reading a FIFO fails without blocking", async (t) => {
  const here = place(t)
  execFileSync("mkfifo", [here.at("pipe")])
  const [read] = await createLocalHost({ cwd: here.cwd }).readFiles([here.at("pipe")], { maxBytes: 1 })
  assert.deepEqual(read, { ok: false, code: "EINVAL" })
  await assert.rejects(createLocalHost({ cwd: here.cwd }).readRange(here.at("pipe"), 0), /not a regular file/)
})

test("[EDIT-S.24] the new content is first written beside the file as .edit.tmp, then renamed over it", async (t) => {
  const here = place(t)
  const old = here.put("a.txt", "old")
  const { watch } = await import("node:fs/promises")
  const seen: string[] = []
  const stop = new AbortController()
  const watching = (async () => {
    for await (const event of watch(here.cwd, { signal: stop.signal })) {
      seen.push(event.filename ?? "")
      if (event.filename === "a.txt") return
    }
  })()
  await createLocalHost({ cwd: here.cwd }).replaceFile(old, Buffer.from("new"))
  await watching
  stop.abort()
  assert.match(seen[0] ?? "", /\.edit\.tmp$/)
  assert.deepEqual(readdirSync(here.cwd), ["a.txt"])
})

test("[EDIT-S.25] if the rename fails the original is intact and no temporary file remains", async (t) => {
  const here = place(t)
  here.put("d/inner", "x")
  await assert.rejects(createLocalHost({ cwd: here.cwd }).replaceFile(here.at("d"), Buffer.from("new")))
  assert.equal(here.text("d/inner"), "x")
  assert.deepEqual(readdirSync(here.cwd), ["d"])
})

test("a link at the path itself is refused, whatever its target", async (t) => {
  const here = place(t)
  const outside = here.put("outside.txt", "one")
  symlinkSync(outside, here.at("link"))
  const host = createLocalHost({ cwd: here.cwd })
  const stale = (error: unknown) => error instanceof Error && "code" in error && error.code === "ESTALE"
  await assert.rejects(host.replaceFile(here.at("link"), Buffer.from("new")), stale)
  await assert.rejects(host.readRange(here.at("link"), 0, undefined, { real: true }), stale)
  assert.equal(here.text("outside.txt"), "one")
})

test("[BASH-S.20] commands given as text run in bash, or in the configured shell", async (t) => {
  const here = place(t)
  writeFileSync(here.at("shell"), '#!/bin/sh\necho "shell got $1 $2"\n')
  chmodSync(here.at("shell"), 0o755)
  const run = async (shell?: string) => {
    let out = ""
    await createLocalHost({ cwd: here.cwd, ...(shell && { shell }) }).exec("echo $BASH_VERSION", {
      cwd: here.cwd,
      signal: new AbortController().signal,
      onData: (bytes) => (out += Buffer.from(bytes).toString()),
    })
    return out
  }
  assert.match(await run(), /^\d+\.\d+/)
  assert.equal(await run(here.at("shell")), "shell got -c echo $BASH_VERSION\n")
})

test("each input of a program is read from its own descriptor and has no path", async (t) => {
  const host = createLocalHost({ cwd: place(t).cwd })
  const inputs = [Buffer.from("first"), Buffer.alloc(100_000, "x"), new Uint8Array()]
  let out = ""
  const { code } = await host.exec(["/bin/sh", "-c", "cat <&4; echo; wc -c <&5; wc -c <&6; readlink /proc/self/fd/4"], {
    cwd: host.cwd,
    signal: new AbortController().signal,
    onData: (bytes) => void (out += String(bytes)),
    inputs,
  })
  assert.match(out, /^first\n100000\n0\n.*\(deleted\)\n$/)
  assert.equal(code, 0)
})

test("[BASH-S.15] without a process group the process is killed, and a dead one is not an error", () => {
  let killed = 0
  killGroup({ pid: 2 ** 22 + 12_345, kill: () => void (killed += 1) })
  assert.equal(killed, 1)
  killGroup({ pid: undefined, kill: () => assert.fail("there is nothing to kill") })
})

test("[FIND-S.04] [GREP-S.11] ripgrep: the packaged one first, then the PATH, which is used on other hosts; otherwise none", async (t) => {
  const here = place(t)
  symlinkSync("/bin/true", here.at("rg"))
  const host = createLocalHost({ cwd: here.cwd, project: here.at("project"), env: { PATH: here.cwd } })
  assert.match((await findRipgrep(host)) ?? "", /node_modules/)
  assert.equal(await findRipgrep({ ...host, id: "elsewhere" }), here.at("rg"))
  const bare = createLocalHost({ cwd: here.cwd, project: here.at("project"), env: { PATH: here.at("none") } })
  assert.equal(await findRipgrep({ ...bare, id: "elsewhere" }), null)
})

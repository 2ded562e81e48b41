import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, ftruncateSync, openSync, rmSync, symlinkSync, truncateSync } from "node:fs"
import { createServer } from "node:net"
import { test, type TestContext } from "node:test"
import { checkArguments, type Host } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { createReadTool, type ReadOptions } from "../../src/index.ts"
import { tiny } from "../image/pictures.ts"
import { abortedContext, context, lines, place, messages } from "../workspace.ts"

async function read(
  t: TestContext,
  content: string | Uint8Array,
  args: { offset?: number; limit?: number } = {},
  options: ReadOptions = {},
) {
  const here = place(t)
  here.put("a.txt", content)
  const result = await createReadTool(here.cwd, options).execute("c", { path: "a.txt", ...args }, context())
  return { result, text: messages(result), details: result.details }
}

test("[READ-1.1] [READ-C.01] a small file is returned complete, without a truncation note", async (t) => {
  const { text, details } = await read(t, "a\nb\nc\n")
  assert.equal(text, "a\nb\nc\n")
  assert.equal(details?.truncated, false)
  assert.equal(details?.truncation, undefined)
})

test("[READ-1.2] [READ-C.02] [READ-P.3] a missing file is ENOENT", async (t) => {
  const result = await createReadTool(place(t).cwd).execute("c", { path: "nix" }, context())
  assert.equal(result.isError, true)
  assert.match(messages(result), /ENOENT.*nix.*(ls|find)/)
})

test("[READ-1.3] [READ-P.4] an empty file is empty, with a note for the user", async (t) => {
  const { result, text, details } = await read(t, "")
  assert.equal(text, "")
  assert.equal(result.isError, false)
  assert.equal(details?.hint, "The file is empty.")
})

test("[READ-2.1] [READ-C.05] offset 51 of 100 lines", async (t) => {
  assert.equal((await read(t, lines(100), { offset: 51 })).text, lines(100).slice(lines(50).length))
})

test("[READ-2.2] [READ-C.06] [READ-S.14] limit 10 of 100 lines reports the rest", async (t) => {
  const { text } = await read(t, lines(100), { limit: 10 })
  assert.equal(text, `${lines(10)}\n[90 more lines in file. Use offset=11 to continue.]`)
})

test("[READ-2.3] [READ-C.07] lines 41 to 60", async (t) => {
  const { text } = await read(t, lines(100), { offset: 41, limit: 20 })
  assert.ok(text.startsWith("line 41\n") && text.includes("line 60\n\n[40 more lines"))
  assert.ok(!text.includes("line 61"))
})

test("[READ-2.4] [READ-S.26] offset 1, 0 and none are equal", async (t) => {
  for (const offset of [0, 1]) assert.equal((await read(t, lines(3), { offset })).text, lines(3))
})

test("[READ-2.5] [READ-P.6] [READ-S.22] [READ-C.08] an offset beyond the end reports the length of the file", async (t) => {
  const { result, text } = await read(t, lines(3), { offset: 100 })
  assert.equal(result.isError, true)
  assert.equal(text, "Offset 100 is beyond end of file (3 lines total)")
  assert.equal((await read(t, lines(3), { offset: 4 })).result.isError, true)
})

test("[READ-3.1] [READ-C.03] [READ-5.1] [READ-C.09] [READ-S.23] [TRUNC-4.1] 2000 of 2500 lines, and the offset of the next page", async (t) => {
  const { text, details } = await read(t, lines(2500))
  assert.equal(text, `${lines(2000)}\n[Showing lines 1-2000 of 2500. Use offset=2001 to continue.]`)
  assert.equal(details?.truncated, true)
  assert.equal(details?.truncation?.truncatedBy, "lines")
  assert.equal(details?.truncation?.totalLines, 2500)
  assert.equal(details?.truncation?.outputLines, 2000)
  assert.equal(details?.truncation?.nextOffset, 2001)
})

test("[READ-3.2] [READ-C.04] [READ-S.13] [READ-P.8] truncation by bytes names the limit", async (t) => {
  const { text } = await read(
    t,
    lines(500, () => "x".repeat(199)),
  )
  assert.ok(text.endsWith("\n\n[Showing lines 1-256 of 500 (50.0KB limit). Use offset=257 to continue.]"))
})

test("[READ-3.3] [READ-S.12] a line that is too long is reported with a command that shows it", async (t) => {
  const long = "x".repeat(60_000)
  const first = await read(t, `${long}\nb\n`)
  assert.equal(first.text, "[Line 1 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '1p' a.txt | head -c 51200]")
  assert.equal(first.details?.truncation?.firstLineExceedsLimit, true)
  const later = await read(t, `a\n${long}\nb\n`, { offset: 2 })
  assert.match(later.text, /^\[Line 2 is 58\.6KB.*sed -n '2p' a\.txt/)
})

test("[READ-3.3] the command for a line that is too long quotes a name with special characters", async (t) => {
  const here = place(t)
  for (const name of ["a b.txt", "a;b.txt", "$a.txt", "it's.txt"]) {
    here.put(name, `${"x".repeat(60_000)}\n`)
    const text = messages(await createReadTool(here.cwd).execute("c", { path: name }, context()))
    const quoted = `'${here.at(name).replaceAll("'", "'\\''")}'`
    assert.ok(text.includes(`sed -n '1p' ${quoted} | head -c`), text)
  }
})

test("[READ-4.1] [READ-C.10] [READ-S.01] [READ-S.03] [READ-S.07] PNG bytes under any name are an image", async (t) => {
  const png = Buffer.from(tiny["image/png"] ?? "")
  const { result } = await read(t, png)
  assert.match(result.details?.seen?.path ?? "", /a\.txt$/, "the session has seen it")
  assert.deepEqual(result.content, [
    { type: "text", text: "Read image file [image/png]" },
    { type: "image", mimeType: "image/png", data: png.toString("base64") },
  ])
})

test("[READ-S.02] [READ-S.04] [READ-S.05] JPEG, GIF and WebP by their first bytes", async (t) => {
  for (const [type, bytes] of Object.entries(tiny))
    assert.equal((await read(t, bytes)).text, `Read image file [${type}]\n<${type}>`)
})

test("a damaged or too large image is not sent", async (t) => {
  const { result, text } = await read(t, Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))
  assert.equal(result.isError, true)
  assert.equal(text, "a.txt is not shown: The image is damaged or of a kind that models do not take (image/png, 8B).")
  const here = place(t)
  here.put("big.png", tiny["image/png"] ?? "")
  truncateSync(here.at("big.png"), 65 * 1024 * 1024)
  const big = messages(await createReadTool(here.cwd).execute("c", { path: "big.png" }, context()))
  assert.match(big, /^big\.png is not shown: .*image\/png, 65\.0MB; at most 64\.0MB.*smaller copy/)
})

test("[READ-4.2] [READ-C.11] text named .png is text", async (t) => {
  const here = place(t)
  here.put("a.png", "just text")
  const result = await createReadTool(here.cwd).execute("c", { path: "a.png" }, context())
  assert.deepEqual(result.content, [{ type: "text", text: "just text" }])
})

test("[READ-5.2] the last line alone", async (t) => {
  assert.equal((await read(t, lines(100), { offset: 100 })).text, "line 100\n")
})

test("[READ-5.3] a symbolic link is followed", async (t) => {
  const here = place(t)
  here.put("real.txt", "target")
  symlinkSync(here.at("real.txt"), here.at("link.txt"))
  const result = await createReadTool(here.cwd).execute("c", { path: "link.txt" }, context())
  assert.equal(messages(result), "target")
  assert.equal(result.details?.seen?.path, here.at("real.txt"))
})

test("[READ-6.1] [READ-S.16] a name with spaces and Chinese characters", async (t) => {
  const here = place(t)
  here.put("截图 2026-02-11 下午3.42.10.png", "text")
  const path = "截图 2026-02-11 下午3.42.10.png"
  assert.equal(messages(await createReadTool(here.cwd).execute("c", { path }, context())), "text")
})

test("[READ-S.17] [READ-S.18] [READ-S.19] [READ-S.20] [PATH-1] [PATH-2] [PATH-3] file name variants of macOS are found", async (t) => {
  const names = {
    "Screenshot at 3.42 PM.txt": "Screenshot at 3.42\u202FPM.txt",
    "caf\u00e9.txt": "cafe\u0301.txt",
    "Capture d'ecran.txt": "Capture d\u2019ecran.txt",
    "Capture d'\u00e9cran.txt": "Capture d\u2019e\u0301cran.txt",
  }
  const here = place(t)
  for (const [typed, onDisk] of Object.entries(names)) {
    here.put(onDisk, typed)
    assert.equal(messages(await createReadTool(here.cwd).execute("c", { path: typed }, context())), typed)
  }
})

test("[READ-S.21] of five variants of a name each is read only if the earlier ones are missing", async (t) => {
  const here = place(t)
  const typed = "d'\u00e9t\u00e9 3 PM.txt"
  const spellings = [
    typed,
    "d'\u00e9t\u00e9 3\u202FPM.txt",
    "d'e\u0301te\u0301 3 PM.txt",
    "d\u2019\u00e9t\u00e9 3 PM.txt",
    "d\u2019e\u0301te\u0301 3 PM.txt",
  ]
  for (const [at, name] of spellings.entries()) here.put(name, `variant ${at + 1}`)
  for (const [at, name] of spellings.entries()) {
    assert.equal(messages(await createReadTool(here.cwd).execute("c", { path: typed }, context())), `variant ${at + 1}`)
    rmSync(here.at(name))
  }
  assert.match(messages(await createReadTool(here.cwd).execute("c", { path: typed }, context())), /ENOENT/)
})

test("[READ-6.3] a path of the wrong type fails the schema", async () => {
  for (const path of [null, 42])
    assert.equal((await checkArguments(createReadTool("/").parameters, { path })).ok, false)
})

test("[READ-P.1] [READ-P.2] line numbers and cut lines with lineNumbers", async (t) => {
  const { text } = await read(t, `a\n${"x".repeat(2001)}\n`, {}, { lineNumbers: true })
  assert.equal(text, `     1\ta\n     2\t${"x".repeat(2000)}... [truncated]`)
})

test("[READ-P.5] [READ-S.25] a NUL in the first 8 KB means binary: reported with type and size, not shown", async (t) => {
  const { result, text } = await read(t, Buffer.from("\x7fELF\0\0\0 garbage", "latin1"))
  assert.equal(result.isError, true)
  assert.match(text, /Binary file \(ELF program, 15B\): a\.txt/)
})

test("[READ-P.7] a relative path that leaves the cwd is refused with reads: workspace, and allowed otherwise", async (t) => {
  const here = place(t)
  here.put("out.txt", "x")
  here.put("work/in.txt", "x")
  const at = here.at("work")
  const confined = createReadTool(at, { reads: "workspace" })
  assert.equal((await confined.execute("c", { path: "../out.txt" }, context())).status, "refused")
  assert.equal((await confined.execute("c", { path: "in.txt" }, context())).isError, false)
  assert.equal(messages(await createReadTool(at).execute("c", { path: "../out.txt" }, context())), "x")
})

test("[READ-S.15] line numbers in the note are those of the file", async (t) => {
  const { text } = await read(t, lines(5000), { offset: 500 })
  assert.ok(text.endsWith("[Showing lines 500-2499 of 5000. Use offset=2500 to continue.]"))
})

test("[READ-S.24] an abort reads nothing", async () => {
  const host = () => Promise.reject(new Error("the host was asked"))
  const result = await createReadTool("/", { host }).execute("c", { path: "a" }, abortedContext())
  assert.equal(messages(result), "Operation aborted")
})

test("an abort ends the scan of a huge file, which yields meanwhile", async (t) => {
  const here = place(t)
  here.put("big.txt", lines(2000))
  truncateSync(here.at("big.txt"), 5 * 1024 ** 3)
  const stop = new AbortController()
  setImmediate(() => stop.abort())
  const args = { path: "big.txt", offset: 9000 }
  const result = await createReadTool(here.cwd).execute("c", args, context({ signal: stop.signal }))
  assert.equal(result.status, "aborted")
})

test("a scan uses two buffers for all reads, one megabyte together", async (t) => {
  const here = place(t)
  here.put("big.txt", lines(400_000))
  const rooms = new Set<Uint8Array | undefined>()
  const local = createLocalHost({ cwd: here.cwd })
  const host: Host = {
    ...local,
    readRange(path, from, to, options) {
      if (from > 0) rooms.add(options?.into)
      return local.readRange(path, from, to, options)
    },
  }
  await createReadTool(here.cwd, { host }).execute("c", { path: "big.txt", offset: 500_000 }, context())
  assert.deepEqual(
    Array.from(rooms, (room) => room?.length),
    [512 * 1024, 512 * 1024],
  )
})

test("for a missing file similar names are suggested", async (t) => {
  const here = place(t)
  const meant = async (path: string, more: ReadOptions = {}) => {
    const result = await createReadTool(here.cwd, more).execute("c", { path }, context())
    return /Did you mean (.*)\?$/.exec(messages(result))?.[1]
  }
  for (const path of ["src/Cart.js", "src/deep/order.ts", "test/only.spec.ts", "node_modules/x/hidden.ts", ".ssh/key"])
    here.put(path, "x")
  assert.equal(await meant("src/cart.js"), "src/Cart.js")
  assert.equal(await meant("SRC/Deep/order.ts"), "src/deep/order.ts", "in folders too")
  assert.equal(await meant("src/deep/oder.ts"), "src/deep/order.ts", "one letter is missing")
  assert.equal(await meant("src/deep/roder.ts"), "src/deep/order.ts", "two are swapped")
  assert.equal(await meant("src/deep/order.tsx"), "src/deep/order.ts")
  assert.equal(await meant("src/deep/order.js"), "src/deep/order.ts", "another extension")
  assert.equal(await meant("only.spec.ts"), "test/only.spec.ts", "elsewhere in the workspace")
  assert.equal(await meant("hidden.ts"), undefined, "nothing out of node_modules")
  assert.equal(await meant("src/dee"), undefined, "a folder is not read")
  const host = createLocalHost({ cwd: here.cwd, home: here.cwd })
  assert.equal(await meant(".ssh/kez"), ".ssh/key")
  assert.equal(
    await meant(".ssh/kez", { host, roots: [here.at("src")], secrets: async () => [here.at(".ssh")] }),
    undefined,
    "nor what holds secrets",
  )
  for (let at = 0; at < 5; at++) here.put(`many/${at}/same.ts`, "x")
  assert.equal((await meant("same.ts"))?.split(" or ").length, 3)
})

test("a FIFO and a directory are refused at once", async (t) => {
  const here = place(t)
  execFileSync("mkfifo", [here.at("pipe")])
  const tool = createReadTool(here.cwd)
  assert.match(messages(await tool.execute("c", { path: "pipe" }, context())), /Not a regular file/)
  assert.match(messages(await tool.execute("c", { path: "." }, context())), /Is a directory.*ls/)
})

test("a device and a socket are refused at once; a /proc file of size 0 is read", async (t) => {
  const here = place(t)
  const socket = createServer().listen(here.at("s.sock"))
  await once(socket, "listening")
  t.after(() => socket.close())
  const tool = createReadTool(here.cwd)
  for (const path of ["/dev/zero", "s.sock"])
    assert.match(messages(await tool.execute("c", { path }, context())), /Not a regular file/)
  if (process.platform === "linux")
    assert.match(messages(await tool.execute("c", { path: "/proc/self/status" }, context())), /^Name:/)
})

test("a file that disappears after the first check is a result, not a crash", async (t) => {
  const here = place(t)
  const path = here.put("a.txt", "x")
  const local = createLocalHost({ cwd: here.cwd })
  const access: Host["access"] = async () => rmSync(path)
  const result = await createReadTool(here.cwd, { host: { ...local, access } }).execute(
    "c",
    { path: "a.txt" },
    context(),
  )
  assert.equal(messages(result), "ENOENT: a.txt: no such file or directory. Check the path with ls or find.")
  assert.equal(result.isError, true)
})

test("the first page of a huge file does not read the whole file, and its total is not counted", async (t) => {
  const here = place(t)
  here.put("big.txt", lines(100_000))
  const file = openSync(here.at("big.txt"), "r+")
  ftruncateSync(file, 5 * 1024 ** 3)
  closeSync(file)
  const result = await createReadTool(here.cwd).execute("c", { path: "big.txt" }, context())
  assert.ok(
    messages(result).endsWith("[Showing lines 1-2000 of more than 2000 (file is 5.0GB). Use offset=2001 to continue.]"),
  )
  assert.equal(result.details?.seen?.sha256, undefined)
})

test("a file of several windows is paged and counted across them", async (t) => {
  const { text, details } = await read(t, lines(400_000), { offset: 399_999 })
  assert.equal(text, "line 399999\nline 400000\n")
  assert.equal(details?.seen?.sha256?.length, 64)
})

test("an artifact is read from the session", async () => {
  const artifacts = {
    put: async () => "",
    get: async (name: string) => (name === "sha256-1" ? Buffer.from("kept") : null),
    spillPath: async (name: string) => name,
  }
  const tool = createReadTool("/")
  assert.equal(messages(await tool.execute("c", { path: "artifact:sha256-1" }, context({ artifacts }))), "kept")
  assert.equal((await tool.execute("c", { path: "artifact:no" }, context({ artifacts }))).isError, true)
})

test("a file in an unknown encoding is shown as far as possible", async (t) => {
  const { text, details } = await read(t, Buffer.from("eff0e8e2e5f20a61", "hex"))
  assert.equal(text, `${"\uFFFD".repeat(6)}\na\n\n[encoding: unknown]`)
  assert.equal(details?.encoding, "unknown")
})

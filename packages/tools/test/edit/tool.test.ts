import { createHash } from "node:crypto"
import assert from "node:assert/strict"
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { test, type TestContext } from "node:test"
import { checkArguments, type SeenFile } from "@gong/spec"
import { createEditTool } from "../../src/index.ts"
import { abortedContext, context, lines, place, messages, type TestPlace } from "../workspace.ts"

/** Edits one file and returns the message and the content. */
async function edit(t: TestContext, content: string | Uint8Array, ...pairs: readonly [string, string, boolean?][]) {
  const here = place(t)
  here.put("a.txt", content)
  const edits = pairs.map(([oldText, newText, replaceAll]) => ({ oldText, newText, ...(replaceAll && { replaceAll }) }))
  const result = await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context())
  return { result, text: messages(result), bytes: here.bytes("a.txt"), file: here.text("a.txt"), here }
}

test("[EDIT-1.1] [EDIT-A.01] one exact text is replaced", async (t) => {
  const { result, text, file } = await edit(t, "Hello, world!", ["world", "testing"])
  assert.equal(file, "Hello, testing!")
  assert.match(text, /Successfully replaced/)
  assert.equal(result.details?.diff, "- 1 Hello, world!\n+ 1 Hello, testing!")
  assert.deepEqual(result.files, [{ path: "a.txt", change: "modified", added: 1, removed: 1 }])
})

test("[EDIT-1.2] [EDIT-A.02] [EDIT-S.18] a missing text changes nothing", async (t) => {
  const { result, text, file } = await edit(t, "Hello, world!", ["nonexistent", "x"])
  assert.equal(result.isError, true)
  assert.equal(
    text.split("\n")[0],
    "Could not find the exact text in a.txt. The old text must match exactly including all whitespace and newlines.",
  )
  assert.equal(file, "Hello, world!")
})

test("[EDIT-1.3] [EDIT-A.03] [EDIT-S.17] [EDIT-P.1] several matches change nothing and are listed", async (t) => {
  const { text, file } = await edit(t, "foo bar\nfoo baz\n\nfoo", ["foo", "qux"])
  const [first, second] = text.split("\n")
  assert.equal(
    first,
    "Found 3 occurrences of the text in a.txt. The text must be unique. Please provide more context to make it unique.",
  )
  assert.match(second ?? "", /lines 1, 2, 4\./)
  assert.equal(file, "foo bar\nfoo baz\n\nfoo")
})

test("[EDIT-P.3] replaceAll replaces every match and reports the number", async (t) => {
  const { text, file } = await edit(t, "foo bar foo baz foo", ["foo", "qux", true])
  assert.equal(file, "qux bar qux baz qux")
  assert.match(text, /3 occurrences/)
})

test("several replacements are matched against the original and applied together", async (t) => {
  const { file } = await edit(t, "a b c", ["c", "a"], ["a", "b"], ["b", "c"])
  assert.equal(file, "b c a")
})

test("one failing replacement prevents all of them", async (t) => {
  const { text, file } = await edit(t, "a b c", ["a", "x"], ["nix", "y"])
  assert.equal(file, "a b c")
  assert.match(text, /\(edits\[1\]\)$/)
})

test("overlapping replacements are refused", async (t) => {
  const { text, file } = await edit(t, "a b c", ["a b", "x"], ["b c", "y"])
  assert.equal(file, "a b c")
  assert.match(text, /edits\[0\] and edits\[1\] overlap/)
})

test("[EDIT-3.1] [EDIT-3.2] [EDIT-A.12] [EDIT-A.13] [BDD-EDIT-017] [BDD-EDIT-018] a CRLF file matches LF text and keeps CRLF", async (t) => {
  const { file } = await edit(t, "one\r\ntwo\r\nthree\r\n", ["one\ntwo", "1\n2\n2b"])
  assert.equal(file, "1\r\n2\r\n2b\r\nthree\r\n")
})

test("[EDIT-3.3] [EDIT-A.14] [EDIT-S.09] [BDD-EDIT-019] an LF file stays LF, also when the new text has CRLF", async (t) => {
  const { file } = await edit(t, "one\ntwo\n", ["one\r\ntwo", "1\r\n2"])
  assert.equal(file, "1\n2\n")
})

test("[EDIT-3.4] [EDIT-A.15] [BDD-EDIT-020] both line endings count as equal", async (t) => {
  const { text } = await edit(t, "hello\r\nworld\r\n\r\nhello\nworld\n", ["hello\nworld", "x"])
  assert.match(text, /^Found 2 occurrences/)
})

test("[EDIT-3.5] [EDIT-A.16] [EDIT-P.6] [BDD-EDIT-021] byte order mark and CRLF are kept", async (t) => {
  const { bytes } = await edit(t, "\uFEFFone\r\ntwo\r\n", ["one", "1"])
  assert.deepEqual(bytes, Buffer.from("\uFEFF1\r\ntwo\r\n"))
})

test("[EDIT-S.06] a mixed file that starts with CRLF gets CRLF for inserted lines only", async (t) => {
  const { file } = await edit(t, "a\r\nb\nc\r\nd\n", ["b\nc", "b\nnew\nc"])
  assert.equal(file, "a\r\nb\nnew\r\nc\r\nd\n")
})

test("[EDIT-S.07] a mixed file that starts with LF gets LF for inserted lines only", async (t) => {
  const { file } = await edit(t, "a\nb\r\nc\nd\r\n", ["b\nc", "b\nnew\nc"])
  assert.equal(file, "a\nb\r\nnew\nc\nd\r\n")
})

test("[EDIT-S.06] [EDIT-S.07] lines inside a match keep their line endings, also between changed lines", async (t) => {
  const old = "one\nkept\ntwo"
  const some = await edit(t, "a\r\none\nkept\ntwo\r\n", [old, "1\nkept\n2"])
  assert.equal(some.file, "a\r\n1\nkept\n2\r\n")
  const other = await edit(t, "a\none\r\nkept\rtwo\n", [old, "1\nkept\n2"])
  assert.equal(other.file, "a\n1\r\nkept\r2\n")
  const bytes = Buffer.from("\uFEFFa\r\none\nkept\ntwo\r\n", "utf16le")
  const wide = await edit(t, bytes, [old, "1\nkept\n2"])
  assert.equal(wide.bytes.toString("utf16le"), "\uFEFFa\r\n1\nkept\n2\r\n")
})

test("[EDIT-S.08] a lone CR matches a newline", async (t) => {
  const { file } = await edit(t, "a\rb\rc", ["a\nb", "a\nx"])
  assert.equal(file, "a\rx\rc")
})

test("[EDIT-S.08] lines inserted into a file with lone CRs end with CR, and the diff numbers its lines", async (t) => {
  const alone = await edit(t, "a\rb\rc\r", ["b", "b\nnew"])
  assert.equal(alone.file, "a\rb\rnew\rc\r")
  assert.equal(alone.result.details?.diff, "  1 a\n  2 b\n+ 3 new\n  4 c")
  assert.deepEqual(alone.result.files, [{ path: "a.txt", change: "modified", added: 1, removed: 0 }])
  const later = await edit(t, "a\rb\r\nc\nd", ["a", "a\nnew"])
  assert.equal(later.file, "a\rnew\rb\r\nc\nd", "the first ending is the file's")
  const wide = await edit(t, Buffer.from("\uFEFFa\rb\rc", "utf16le"), ["b", "b\nnew"])
  assert.equal(wide.bytes.toString("utf16le"), "\uFEFFa\rb\rnew\rc")
  assert.equal(wide.result.details?.diff, "  1 a\n  2 b\n+ 3 new\n  4 c")
})

test("[EDIT-4.1] an empty oldText fills an empty file and is refused otherwise", async (t) => {
  assert.equal((await edit(t, "", ["", "content"])).file, "content")
  const { result, file } = await edit(t, "x", ["", "content"])
  assert.equal(result.isError, true)
  assert.equal(file, "x")
})

test("[EDIT-4.2] ten megabytes in under five seconds", async (t) => {
  const big = `${lines(150_000, (line) => `line ${line} ${"x".repeat(60)}`)}target\n`
  const started = performance.now()
  const { result, bytes } = await edit(t, big, ["target", "replaced"])
  assert.ok(performance.now() - started < 5000)
  assert.equal(result.details?.firstChangedLine, 150_001)
  assert.equal(bytes.length, big.length + 2)
})

test("[EDIT-4.3] [EDIT-P.4] [EDIT-S.19] an unchanged text is an error", async (t) => {
  const { result, text } = await edit(t, "hello", ["hello", "hello"])
  assert.equal(result.isError, true)
  assert.equal(text, "No changes made to a.txt. The replacement produced identical content.")
})

test("[EDIT-4.4] two concurrent edits of one file both take effect", async (t) => {
  const here = place(t)
  here.put("a.txt", "one two")
  const change = (oldText: string, newText: string) =>
    createEditTool(here.cwd).execute("c", { path: "a.txt", edits: [{ oldText, newText }] }, context())
  const both = await Promise.all([change("one", "1"), change("two", "2")])
  assert.deepEqual(
    both.map((result) => result.isError),
    [false, false],
  )
  assert.equal(here.text("a.txt"), "1 2")
})

test("[EDIT-4.5] a PNG is refused and keeps its bytes", async (t) => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("IHDR text")])
  const { result, bytes } = await edit(t, png, ["text", "x"])
  assert.equal(result.isError, true)
  assert.deepEqual(bytes, png)
})

test("[EDIT-4.6] [EDIT-P.7] a relative path that leaves the cwd is refused", async (t) => {
  const here = place(t)
  here.put("secret.txt", "root")
  mkdirSync(here.at("work"))
  const edits = [{ oldText: "root", newText: "hacked" }]
  for (const path of ["../secret.txt", "../../etc/passwd"]) {
    const result = await createEditTool(here.at("work")).execute("c", { path, edits }, context())
    assert.equal(result.status, "refused")
    assert.match(messages(result), /is outside the workspace/)
  }
  assert.equal(here.text("secret.txt"), "root")
  // Without the guard the same call succeeds.
  const open = createEditTool(here.at("work"), { roots: "anywhere" })
  assert.equal((await open.execute("c", { path: "../secret.txt", edits }, context())).isError, false)
})

test("[EDIT-4.7] a directory is reported as such", async (t) => {
  const here = place(t)
  const result = await createEditTool(here.cwd).execute(
    "c",
    { path: ".", edits: [{ oldText: "x", newText: "y" }] },
    context(),
  )
  assert.match(messages(result), /Is a directory/)
})

test("[EDIT-5.2] [EDIT-S.28] missing arguments and wrong types fail the schema", async () => {
  const tool = createEditTool("/")
  const edits = [{ oldText: "a", newText: "b" }]
  for (const path of [null, 123]) assert.equal((await checkArguments(tool.parameters, { path, edits })).ok, false)
  const missing = await checkArguments(tool.parameters, { path: "a", edits: [{ oldText: "a" }] })
  assert.match(missing.ok ? "" : missing.errors.join(), /newText/)
})

test("[EDIT-5.3] [BDD-EDIT-022] the diff has the file's line numbers", async (t) => {
  const file = lines(500, (line) => (line === 338 ? "target" : `line ${line}`))
  const { result } = await edit(t, file, ["target", "replaced"])
  assert.match(result.details?.diff ?? "", /^- 338 target\n\+ 338 replaced$/m)
})

test("[EDIT-S.22] [EDIT-S.23] the diff has four lines around each change and marks gaps", async (t) => {
  const { result } = await edit(t, lines(40), ["line 12\n", "new 12\nnew 13\n"], ["line 30", "new 31"])
  assert.equal(
    result.details?.diff,
    [
      "       ...",
      "   8 line 8",
      "   9 line 9",
      "  10 line 10",
      "  11 line 11",
      "- 12 line 12",
      "+ 12 new 12",
      "+ 13 new 13",
      "  14 line 13",
      "  15 line 14",
      "  16 line 15",
      "  17 line 16",
      "       ...",
      "  27 line 26",
      "  28 line 27",
      "  29 line 28",
      "  30 line 29",
      "- 30 line 30",
      "+ 31 new 31",
      "  32 line 31",
      "  33 line 32",
      "  34 line 33",
      "  35 line 34",
      "       ...",
    ].join("\n"),
  )
  assert.equal(result.details?.firstChangedLine, 12)
  assert.deepEqual(
    result.files?.map(({ added, removed }) => [added, removed]),
    [[3, 2]],
  )
})

test("[EDIT-P.5] [EDIT-P.8] patterns and replacement signs are plain text", async (t) => {
  const { file } = await edit(t, "x a.*(b)[c]$ y", ["a.*(b)[c]$", "$& $1 \\1 $$"])
  assert.equal(file, "x $& $1 \\1 $$ y")
})

test("[EDIT-S.01] [EDIT-S.02] [EDIT-S.03] an @, a Unicode space and a relative path are accepted", async (t) => {
  const here = place(t)
  here.put("sub/my file.txt", "one")
  const edits = [{ oldText: "one", newText: "two" }]
  const result = await createEditTool(here.cwd).execute("c", { path: "@sub/my\u00A0file.txt", edits }, context())
  assert.equal(result.details?.path, here.at("sub/my file.txt"))
  assert.equal(here.text("sub/my file.txt"), "two")
})

test("[EDIT-S.04] a missing file", async (t) => {
  const here = place(t)
  const edits = [{ oldText: "x", newText: "y" }]
  const result = await createEditTool(here.cwd).execute("c", { path: "no/such.txt", edits }, context())
  assert.equal(messages(result), "File not found: no/such.txt")
})

test("[EDIT-S.20] an abort before the write leaves the file unchanged", async (t) => {
  const here = place(t)
  here.put("a.txt", "one")
  const controller = new AbortController()
  const edits = [{ oldText: "one", newText: "two" }]
  const stopping = context({ signal: controller.signal, record: async () => controller.abort() })
  const result = await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, stopping)
  assert.equal(messages(result), "Operation aborted")
  assert.equal(here.text("a.txt"), "one")
})

test("[EDIT-S.21] an abort before the start touches nothing", async () => {
  const host = () => Promise.reject(new Error("the host was asked"))
  const edits = [{ oldText: "one", newText: "two" }]
  const result = await createEditTool("/", { host }).execute("c", { path: "a.txt", edits }, abortedContext())
  assert.equal(messages(result), "Operation aborted")
  assert.equal(result.status, "aborted")
})

test("[EDIT-S.26] argument names of other agents are mapped", () => {
  const map = createEditTool("/").mapArguments ?? assert.fail()
  const plain = { path: "p", edits: [{ oldText: "a", newText: "b" }] }
  assert.deepEqual(map({ file_path: "p", old_string: "a", new_string: "b" }), plain)
  assert.deepEqual(map({ path: "p", old_text: "a", new_text: "b" }), plain)
  assert.deepEqual(map({ path: "p", old: "a", new: "b" }), plain)
  assert.deepEqual(map({ path: "p", oldText: "a", newText: "b" }), plain)
  assert.deepEqual(map({ path: "p", edits: [{ old_string: "a", new_string: "b", replace_all: true }] }), {
    path: "p",
    edits: [{ oldText: "a", newText: "b", replaceAll: true }],
  })
  assert.deepEqual(map({ path: "p" }), { path: "p" })
})

test("bytes outside the change are kept, whatever they are", async (t) => {
  const odd = Buffer.from([0xe9, 0x20, 0xff, 0x0d, 0x0a, 0x61, 0x0a, 0xc3, 0x28])
  const { bytes } = await edit(t, odd, ["a\n", "bc\n"])
  assert.deepEqual(bytes, Buffer.from([0xe9, 0x20, 0xff, 0x0d, 0x0a, 0x62, 0x63, 0x0a, 0xc3, 0x28]))
})

async function editIn(here: TestPlace, path: string, more: Parameters<typeof context>[0] = {}) {
  const edits = [{ oldText: "one", newText: "two" }]
  return createEditTool(here.cwd).execute("c", { path, edits }, context(more))
}

test("mode, symbolic link and hard link are kept; no temporary file remains", async (t) => {
  const here = place(t)
  here.put("real.txt", "one")
  writeFileSync(here.at("script.sh"), "one", { mode: 0o750 })
  symlinkSync("real.txt", here.at("link.txt"))
  linkSync(here.put("hard.txt", "one"), here.at("hard2.txt"))
  for (const path of ["link.txt", "script.sh", "hard.txt"]) assert.equal((await editIn(here, path)).isError, false)
  assert.equal(readlinkSync(here.at("link.txt")), "real.txt")
  assert.equal(here.text("real.txt"), "two")
  assert.equal(statSync(here.at("script.sh")).mode & 0o777, 0o750)
  assert.equal(here.text("hard2.txt"), "two")
  assert.equal(lstatSync(here.at("hard.txt")).nlink, 2)
  assert.deepEqual(readdirSync(here.cwd).sort(), ["hard.txt", "hard2.txt", "link.txt", "real.txt", "script.sh"])
})

test("the change with its before-image is on the tape before the file is written", async (t) => {
  const here = place(t)
  const long = "one".padEnd(20_000, "x")
  // Short text is stored in the change itself. Long or invalid text is an artifact, synced before the change refers to
  // it.
  for (const [before, kept, image] of [
    ["one", [], { before: `sha256-${sha256("one")}`, beforeText: "one" }],
    [long, [`${long} true`], { before: "sha256-1" }],
    [Buffer.from("one \xff", "latin1"), ["one \ufffd true"], { before: "sha256-1" }],
  ] as const) {
    const result = await recordedEdit(here, before)
    assert.deepEqual(result.kept, kept)
    assert.deepEqual(result.recorded, [{ path: here.at("a.txt"), ...image, after: result.after }])
    assert.match(here.text("a.txt"), /^two/)
  }
})

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

async function recordedEdit(here: TestPlace, before: string | Buffer) {
  here.put("a.txt", before)
  const kept: string[] = []
  const recorded: unknown[] = []
  const result = await editIn(here, "a.txt", {
    artifacts: {
      put: async (bytes, options) => {
        kept.push(`${Buffer.from(bytes).toString()} ${String(options?.sync)}`)
        return "sha256-1"
      },
      get: async () => null,
      spillPath: async (name) => name,
    },
    record: async (change) => {
      recorded.push(change)
      assert.match(here.text("a.txt"), /^one/)
    },
  })
  return { kept, recorded, after: result.details?.seen?.sha256 }
}

test("a file that changed since it was read is not edited", async (t) => {
  const here = place(t)
  here.put("a.txt", "one")
  const seen: SeenFile = { path: here.at("a.txt"), sha256: "0".repeat(64), size: 3, mtimeMs: 0 }
  const result = await editIn(here, "a.txt", { seen: { files: new Map([[seen.path, seen]]), commands: [] } })
  assert.match(messages(result), /changed on disk since it was read; read it again/)
  assert.equal(here.text("a.txt"), "one")
})

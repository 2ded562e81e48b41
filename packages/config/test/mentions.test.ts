import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { expandMentions, type PromptImage, textOrFile } from "../src/mentions.ts"
import { decodeText } from "@gong/tools/decode"
import { createLocalHost } from "@gong/tools/host/local"
import { folder } from "@gong/testing/folder"

/** Simulates the image codec: files that begin with P are images. */
async function openImage(bytes: Uint8Array): Promise<PromptImage | null> {
  const text = Buffer.from(bytes).toString()
  if (!text.startsWith("P")) return null
  if (text === "P broken") return { ok: false, problem: "The image is damaged." }
  const image = { type: "image", mimeType: "image/png", data: text } as const
  return { ok: true, image, note: text === "P large" ? "[it was large]" : "" }
}

const decode = async (bytes: Uint8Array) => decodeText(bytes)

async function expanded(cwd: string, words: readonly string[], images: readonly string[] = []) {
  const mentions = await expandMentions({
    words,
    images,
    cwd,
    host: createLocalHost({ cwd, home: cwd }),
    openImage,
    decode,
  })
  assert.ok(mentions.ok, mentions.ok ? "" : mentions.error.lines.join("\n"))
  return mentions.value
}

async function mistake(cwd: string, words: readonly string[], images: readonly string[] = []): Promise<string> {
  const mentions = await expandMentions({
    words,
    images,
    cwd,
    host: createLocalHost({ cwd, home: cwd }),
    openImage,
    decode,
  })
  assert.ok(!mentions.ok)
  assert.equal(mentions.error.exit, 2)
  return mentions.error.lines.join("\n")
}

test("a text file is appended as one block, and counts as seen", async (t) => {
  const cwd = folder(t, { "src/a.ts": "let a\n" })
  const mentions = await expanded(cwd, ["@src/a.ts", "why", "@src/a.ts", "~ @~/src/a.ts?"])
  assert.equal(
    mentions.text,
    '@src/a.ts why @src/a.ts ~ @~/src/a.ts?\n\n<file path="src/a.ts">\nlet a\n</file>\n\n<file path="~/src/a.ts">\nlet a\n</file>',
  )
  assert.equal(mentions.seen[0]?.path, `${cwd}/src/a.ts`)
  assert.equal(mentions.seen[0]?.sha256, "ac1bc6b81949c06305e0ef4aee37eaaeeac80552254200063b395fc2e20d7b60")
})

test("a path with blanks is quoted, and @ may be full-width", async (t) => {
  const cwd = folder(t)
  writeFileSync(join(cwd, "my file.txt"), "blank\n")
  writeFileSync(join(cwd, "文.txt"), "wide\n")
  const { text, seen } = await expanded(cwd, ['see @"my file.txt" and ＠文.txt, and @"none here"'])
  assert.match(text, /blank[^]*wide/)
  assert.equal(seen.length, 2)
})

test("images are recognized by content, not by name", async (t) => {
  const cwd = folder(t, { "shot.txt": "P small", "fake.png": "text", "large.png": "P large", "broken.png": "P broken" })
  const mentions = await expanded(cwd, ["look", "@shot.txt"])
  assert.deepEqual(mentions.images, [{ type: "image", mimeType: "image/png", data: "P small" }])
  assert.equal(mentions.text, "look @shot.txt")
  assert.equal((await expanded(cwd, ["x"], ["shot.txt"])).images.length, 1)
  assert.equal(
    (await expanded(cwd, ["x"], ["large.png"])).text,
    'x\n\n<file path="large.png">\n[it was large]\n</file>',
  )
  assert.equal(await mistake(cwd, ["x"], ["broken.png"]), "gong: broken.png: The image is damaged.")
  assert.equal(
    await mistake(cwd, ["x"], ["fake.png"]),
    "gong: fake.png is not an image in a supported format (PNG, JPEG, GIF, WebP).",
  )
  assert.equal(await mistake(cwd, ["x"], ["no.png"]), "gong: no.png: cannot read this file (ENOENT).")
})

test("a word that names no file is rejected; inside a sentence @ may be anything", async (t) => {
  const cwd = folder(t, { "a.ts": "1", "b.ts": "2" })
  assert.equal(
    await mistake(cwd, ["@nope.ts", "why"]),
    "gong: @nope.ts: no such file. To send the word itself, quote it together with the message.",
  )
  assert.equal((await mistake(cwd, ["@."])).startsWith("gong: @. is a folder."), true)
  const sentence = "ask @alice about @types/node, me@a.ts and (@a.ts), then @b.ts."
  assert.equal(
    (await expanded(cwd, [sentence])).text,
    `${sentence}\n\n<file path="a.ts">\n1\n</file>\n\n<file path="b.ts">\n2\n</file>`,
  )
})

test("a FIFO or a device named by @ or -i is rejected without opening it, which would block forever", async (t) => {
  const cwd = folder(t, {})
  execFileSync("mkfifo", [join(cwd, "pipe")])
  assert.match(await mistake(cwd, ["@pipe"]), /^gong: @pipe is not a regular file\./)
  assert.equal((await expanded(cwd, ["see @pipe"])).text, "see @pipe")
  assert.equal(await mistake(cwd, ["x"], ["pipe"]), "gong: pipe is not a regular file.")
  assert.equal(await mistake(cwd, ["x"], ["/dev/zero"]), "gong: /dev/zero is not a regular file.")
})

test("a long file is truncated at a line with a note about the rest; a binary one is only named", async (t) => {
  const cwd = folder(t, { "long.txt": "0123456789\n".repeat(10_000), "x.bin": Uint8Array.from([1, 0, 2]) })
  const long = await expanded(cwd, ["@long.txt"])
  assert.match(long.text, /0123456789\n\[110000 bytes in all; read long\.txt from line 4655 for the rest\]\n<\/file>$/)
  assert.equal(long.seen[0]?.sha256, undefined, "only a part was seen")
  assert.match((await expanded(cwd, ["@x.bin"])).text, /\[binary, 3 bytes\]/)
})

test("text options take text, or a file as @path", async (t) => {
  const cwd = folder(t, { "p.md": "be brief" })
  const where = { cwd, host: createLocalHost({ cwd, home: cwd }) }
  assert.deepEqual(await textOrFile("system-prompt", "hello", where), { ok: true, value: "hello" })
  assert.deepEqual(await textOrFile("system-prompt", "@p.md", where), { ok: true, value: "be brief" })
  const missing = await textOrFile("system-prompt", "@no.md", where)
  assert.ok(!missing.ok)
  assert.deepEqual(missing.error.lines, ["gong: --system-prompt @no.md: cannot read this file (ENOENT)."])
})

test("a mentioned file is decoded as by the read tool, and its encoding is named", async (t) => {
  const cwd = folder(t, {})
  writeFileSync(join(cwd, "gbk.txt"), Buffer.from("2f2f20b7b5bbd8d3c3bba7b5c4cafdbedd0a", "hex"))
  writeFileSync(join(cwd, "wide.txt"), Buffer.from("\ufeffone\n", "utf16le"))
  writeFileSync(join(cwd, "bom.txt"), Buffer.from("\ufeffone\n"))
  assert.equal(
    (await expanded(cwd, ["@gbk.txt"])).text,
    '@gbk.txt\n\n<file path="gbk.txt">\n// 返回用户的数据\n[encoding: gb18030]\n</file>',
  )
  assert.match((await expanded(cwd, ["@wide.txt"])).text, /\none\n\[encoding: utf-16le\]\n/)
  assert.match((await expanded(cwd, ["@bom.txt"])).text, /">\none\n<\/file>$/)
})

test("a folder, a pipe and a missing path are named: an error alone, a note inside a sentence", async (t) => {
  const cwd = folder(t, { "src/a.ts": "a\n" })
  execFileSync("mkfifo", [join(cwd, "pipe")])
  assert.match(await mistake(cwd, ["@src"]), /@src is a folder\. Name a file in it/)
  assert.match(await mistake(cwd, ["@pipe"]), /@pipe is not a regular file\./)
  assert.match(await mistake(cwd, ["@no.ts"]), /@no\.ts: no such file\./)
  const notes = async (text: string) => (await expanded(cwd, [text])).notes.map(englishOf)
  assert.deepEqual(await notes("look at @src and @pipe please"), [
    "@src is a folder and is sent as a word; the model can list it.",
    "@pipe is not a regular file and is sent as a word.",
  ])
  for (const name of ["no.ts", "src/no.md", "./x", "~/x", "/x/y"])
    assert.deepEqual(await notes(`look at @${name}, please`), [`@${name} is no file and is sent as a word.`])
  for (const word of ["@alice", "@types/node", "@angular/core@17", "@media", "@2x", "a@b.com"])
    assert.deepEqual(await notes(`about ${word} here`), [], word)
  assert.deepEqual(await notes("read @src/a.ts"), [])
})

test("a file of 51,200 bytes is whole, a longer one is cut at a line; without a line end at its limit", async (t) => {
  const cwd = folder(t, {
    "fits.txt": "x".repeat(51_199) + "\n",
    "long.txt": `${"y".repeat(51_000)}\n${"z".repeat(300)}\n`,
    "line.txt": "w".repeat(51_201),
  })
  const block = (name: string, ...lines: readonly string[]) =>
    [`@${name}\n\n<file path="${name}">`, ...lines, "</file>"].join("\n")
  const fits = await expanded(cwd, ["@fits.txt"])
  assert.equal(fits.text, block("fits.txt", "x".repeat(51_199)))
  assert.equal(typeof fits.seen[0]?.sha256, "string")
  const note = (bytes: number, name: string, line: number) =>
    `[${bytes} bytes in all; read ${name} from line ${line} for the rest]`
  const long = await expanded(cwd, ["@long.txt"])
  assert.equal(long.text, block("long.txt", "y".repeat(51_000), note(51_302, "long.txt", 2)))
  assert.equal(long.seen[0]?.sha256, undefined)
  assert.equal(
    (await expanded(cwd, ["@line.txt"])).text,
    block("line.txt", "w".repeat(51_200), note(51_201, "line.txt", 2)),
  )
})

test("resources of servers stay words, images of -i replace the same mention, and words are joined by blanks", async (t) => {
  const cwd = folder(t, { "a.txt": "text", "shot.png": "P small", "x y.txt": "blank" })
  const words = ["@docs:file://readme", "@my-server:note+1.x://a/b"]
  assert.deepEqual((await expanded(cwd, words)).text, words.join(" "))
  assert.match(await mistake(cwd, ["@docs:1x://a"]), /@docs:1x:\/\/a: no such file/)
  assert.match(await mistake(cwd, ["@docs:file:/a"]), /no such file/)
  const images = await expanded(cwd, ["see", "@shot.png"], ["shot.png"])
  assert.deepEqual([images.images.length, images.text], [1, "see @shot.png"])
  assert.equal(images.seen.length, 1)
  assert.equal(typeof images.seen[0]?.sha256, "string")
  const none = await expanded(cwd, [])
  assert.deepEqual(none, { text: "", images: [], seen: [], notes: [] })
  for (const [text, names] of [
    ["(@a.txt)", 1],
    ['"@a.txt"', 0],
    ["x@a.txt", 0],
    ["see @a.txt.,;:!?'\"", 1],
    ["see @a.txt\nand\t@a.txt", 1],
    ['@"x y.txt" and @"x y.txt', 1],
    ["@", 0],
    ['see @"" x', 0],
  ] as const)
    assert.equal((await expanded(cwd, [`${text} `])).seen.length, names, text)
})

test("a file over 64 MB is refused with its size", async (t) => {
  const cwd = folder(t, {})
  for (const [name, size] of [
    ["most.bin", 64 * 1024 * 1024],
    ["more.bin", 64 * 1024 * 1024 + 1],
  ] as const) {
    writeFileSync(join(cwd, name), "")
    truncateSync(join(cwd, name), size)
  }
  assert.match((await expanded(cwd, ["@most.bin"])).text, /\[binary, 67108864 bytes\]/)
  const refused = "gong: more.bin has 67108865 bytes; the maximum for a file in the prompt is 64 MB."
  assert.equal(await mistake(cwd, ["@more.bin"]), refused)
})

test("names in the form of a path are reported, whatever their ending", async (t) => {
  const cwd = folder(t, {})
  const notes = async (name: string) => (await expanded(cwd, [`see @${name} there`])).notes.length
  for (const name of ["../x", "~/x", "a/b.c", "a.ts", "a-b.cjs", "x.mtsx", "y.yml", "y.yaml", "h.htm", "m.md", "s.sh"])
    assert.equal(await notes(name), 1, name)
  for (const name of ["a/b", ".ts", "a.tsy", "x.mdx", "user.name", ".../x"]) assert.equal(await notes(name), 0, name)
})

test("a text option keeps a byte order mark, and may name a file in the home", async (t) => {
  const cwd = folder(t, { "p.md": "\ufeffhi" })
  const where = { cwd: "/", host: createLocalHost({ cwd: "/", home: cwd }) }
  assert.deepEqual(await textOrFile("append", "@~/p.md", where), { ok: true, value: "\ufeffhi" })
  assert.deepEqual(await textOrFile("append", "a @p.md", where), { ok: true, value: "a @p.md" })
})

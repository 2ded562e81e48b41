import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { contentType, pageOf } from "../../src/fetch/page.ts"

const signal = new AbortController().signal

/** The page of a response with this content and type. */
const page = (content: string | Uint8Array, type?: string, cut = false) =>
  pageOf(
    {
      url: new URL("https://a.example/dir/page"),
      status: 200,
      headers: type === undefined ? {} : { "content-type": type },
      bytes: typeof content === "string" ? Buffer.from(content) : content,
      cut,
    },
    { ...manualClock(), sleep: async () => undefined },
    signal,
  )

const textOf = async (...given: Parameters<typeof page>) => {
  const found = await page(...given)
  assert.equal(found.kind, "text")
  return found.text
}
const formOf = async (...given: Parameters<typeof page>) => {
  const found = await page(...given)
  return found.kind === "text" ? found.form : found.kind
}

test("the type of a response is lower case without parameters", () => {
  for (const [header, type] of [
    [" Text/HTML ; charset=utf-8", "text/html"],
    ["application/json", "application/json"],
    ["", ""],
  ] as const)
    assert.equal(contentType({ headers: { "content-type": header } }), type)
  assert.equal(contentType({ headers: {} }), "")
})

test("a page is HTML by its type, or without a type by its beginning", async () => {
  for (const [content, type, form] of [
    ["<p>x</p>", "text/html", "markdown"],
    ["<p>x</p>", "application/xhtml+xml; charset=utf-8", "markdown"],
    ["<html>", "text/plain", "as it is"],
    ["<p>x</p>", "text/html2", "as it is"],
    ["<p>x</p>", "xtext/html", "as it is"],
    [" \n<!DOCTYPE html><p>x", undefined, "markdown"],
    ["<HTML>x", undefined, "markdown"],
    ["<head>x", undefined, "markdown"],
    ["<body>x", undefined, "markdown"],
    ["<htmlx>x", undefined, "as it is"],
    ["x<html>", undefined, "as it is"],
    ["<p>x</p>", undefined, "as it is"],
  ] as const)
    assert.equal(await formOf(content, type), form, `${content} ${type}`)
})

test("links of a page are whole addresses of the web; others lose their target", async () => {
  const links =
    '<a href="../x">a</a> <a href="#y">b</a> <a href="javascript:1">c</a> <a href="mailto:m@a.example">d</a>'
  assert.equal(
    await textOf(`<p>${links}</p><svg><text>left out</text></svg>`, "text/html"),
    "[a](https://a.example/x) [b](#y) [c]() [d](mailto:m@a.example)",
  )
  assert.equal(
    await textOf('<base href="/base/"><p><a href=" z ">e</a></p>', "text/html"),
    "[e](https://a.example/base/z)",
  )
})

test("JSON on one line of at least 10,000 characters is written in lines", async () => {
  const list = (length: number) => `["${"x".repeat(length - 4)}"]`
  assert.equal(await textOf(list(9_999), "application/json"), list(9_999))
  assert.equal(await textOf(list(10_000), "application/json"), `[\n "${"x".repeat(9_996)}"\n]`)
  assert.equal(await textOf(` {"a":"${"x".repeat(10_000)}"}`, ""), `{\n "a": "${"x".repeat(10_000)}"\n}`)
  for (const text of [`[1,\n"${"x".repeat(10_000)}"]`, `["${"x".repeat(10_000)}`, `"${"x".repeat(10_000)}"`])
    assert.equal(await textOf(text, "application/json"), text)
})

test("the encoding is that of the header, of the page, or detected", async () => {
  const latin = Buffer.from("<meta charset=iso-8859-2>caf\u00b3", "latin1")
  assert.equal(await textOf(Buffer.from("caf\u00b3", "latin1"), "text/plain; charset=iso-8859-2"), "caf\u0142")
  assert.equal(await textOf(Buffer.from("caf\u00b3", "latin1"), "text/plain; CharSet = 'ISO-8859-2'"), "caf\u0142")
  assert.match(await textOf(latin, "text/html"), /^caf\u0142$/)
  assert.equal(await textOf(Buffer.from("caf\u00e9"), "text/plain; charset=none-such"), "caf\u00e9")
  assert.equal(await textOf(Buffer.from("\ufeffcaf\u00e9", "utf16le"), "text/plain; charset=utf-8"), "caf\u00e9")
  assert.equal(await textOf(Buffer.from("a\u00e9").subarray(0, 2), "text/plain", true), "a")
})

test("an encoding is read from the first 2048 bytes of a page", async () => {
  const meta = "<meta charset=iso-8859-2>"
  const at = (bytes: number) =>
    Buffer.concat([Buffer.from(" ".repeat(bytes - meta.length) + meta), Buffer.from("caf\u00b3", "latin1")])
  assert.equal(await textOf(at(2_048), "text/html"), "caf\u0142")
  assert.notEqual(await textOf(at(2_049), "text/html"), "caf\u0142")
})

test("images and other bytes are recognized by their content", async () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
  assert.deepEqual(await page(png, "text/html"), { kind: "image", mimeType: "image/png" })
  assert.deepEqual(await page(Buffer.from("\0\x01\x02x"), "application/x-own; a=b"), {
    kind: "binary",
    type: "application/x-own",
  })
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { contentType, pageOf } from "../../src/fetch/page.ts"
import { systemClock } from "../../src/host/clock.ts"

function page(bytes: string | Uint8Array, type?: string, cut = false) {
  const headers: Readonly<Record<string, string>> = type === undefined ? {} : { "content-type": type }
  const got = { url: new URL("http://a.com/"), status: 200, headers, bytes: Buffer.from(bytes as string), cut }
  return pageOf(got, systemClock, new AbortController().signal)
}

async function textOf(bytes: string | Uint8Array, type?: string, cut = false): Promise<string> {
  const found = await page(bytes, type, cut)
  return found.kind === "text" ? `${found.form}: ${found.text}` : found.kind
}

test("a page is HTML by its type, or by its start if it has none", async () => {
  const body = "<b>a</b>"
  for (const type of ["text/html", " Text/HTML ; charset=utf-8", "application/xhtml+xml"])
    assert.match(await textOf(body, type), /^markdown: /, type)
  for (const type of ["text/plain", "text/htmlx", "x-text/html", "application/xhtml+xmlx"])
    assert.equal(await textOf(body, type), `as it is: ${body}`, type)
  for (const begin of [" <!DOCTYPE html>", "<html>", "<head >", "\n<body\n>"])
    assert.match(await textOf(`${begin}a`), /^markdown: /, begin)
  for (const begin of ["a<html>", "<bodyless>", "<p>", " ".repeat(1000) + "<html>"])
    assert.match(await textOf(`${begin}a`), /^as it is: /, begin)
  assert.equal(contentType({ headers: {} }), "")
})

test("only JSON on a single long line is formatted", async () => {
  const list = JSON.stringify(Array.from({ length: 4000 }, (_, at) => at))
  assert.equal(await textOf(list), `as it is: ${JSON.stringify(JSON.parse(list), null, 1)}`)
  assert.equal(await textOf(` {"a":${list}}`), `as it is: ${JSON.stringify({ a: JSON.parse(list) }, null, 1)}`)
  const long = (length: number) => `["${"x".repeat(length - 4)}"]`
  assert.equal(await textOf(long(10_000)), `as it is: [\n "${"x".repeat(9996)}"\n]`)
  for (const other of [long(9999), `x${long(10_000)}`, long(10_000).slice(0, -1), `[\n${long(10_000).slice(1)}`])
    assert.equal(await textOf(other), `as it is: ${other}`, other.slice(0, 9))
})

test("the encoding comes from the mark, then the header, then the page, then detection", async () => {
  const latin = Buffer.from("d\xe9j\xe0", "latin1")
  assert.equal(await textOf(latin, "text/plain; charset=ISO-8859-1"), "as it is: déjà")
  assert.equal(await textOf(latin, 'text/plain; CHARSET = "latin1"'), "as it is: déjà")
  assert.equal(await textOf(latin, "text/plain; charset=unheard-of"), "as it is: déjà")
  assert.equal(await textOf(latin), "as it is: déjà")
  assert.equal(await textOf(Buffer.from("\ufeffé", "utf16le"), "text/plain; charset=latin1"), "as it is: é")
  const printed = Buffer.from('<meta charset="koi8-r">\xc1', "latin1")
  assert.equal(await textOf(printed, "text/plain"), 'as it is: <meta charset="koi8-r">а')
  const late = Buffer.concat([Buffer.from(" ".repeat(2048)), printed])
  assert.ok(!(await textOf(late, "text/plain")).endsWith("а"))
  assert.equal(await textOf(Buffer.from("aé").subarray(0, 2), "text/plain", true), "as it is: a")
})

test("an image is recognized by its bytes, a binary file by its bytes or type", async () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
  assert.deepEqual(await page(png, "text/html"), { kind: "image", mimeType: "image/png" })
  assert.deepEqual(await page(Buffer.from([0, 1, 2, 0]), "application/x-own"), {
    kind: "binary",
    type: "application/x-own",
  })
  assert.equal((await page("PK\x03\x04\0\0\0", "text/plain")).kind, "binary")
})

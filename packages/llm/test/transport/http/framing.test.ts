import assert from "node:assert/strict"
import { test } from "node:test"
import { failureOf } from "@gong/spec"
import { createChunkFraming } from "../../../src/transport/http/chunked.ts"
import { readHeader } from "../../../src/transport/http/header.ts"
import { requestHead } from "../../../src/transport/http/request.ts"
import { createResponseReader } from "../../../src/transport/http/response.ts"

/** The data of the chunks; a number: the bytes after the body; null: incomplete. */
function unchunked(text: string): { readonly data: string; readonly end: number | null } | string {
  const bytes = Buffer.from(text, "latin1")
  const framing = createChunkFraming()
  let data = ""
  try {
    let at = framing.skip(bytes, 0)
    while (at < bytes.length && !framing.done()) {
      const taken = framing.take(bytes.length - at)
      data += bytes.toString("latin1", at, at + taken)
      at = framing.skip(bytes, at + taken)
    }
    return { data, end: framing.done() ? at : null }
  } catch (error) {
    return (error as Error).message
  }
}

const extra = 16 * 1024

test("chunk sizes have at most eleven digits, extensions and trailers sixteen kilobytes", () => {
  const whole = [
    ["a\r\n0123456789\r\n0\r\n\r\n", "0123456789"],
    ["0F\r\n0123456789abcde\r\n0\r\n\r\n", "0123456789abcde"],
    ["00000000001\r\nx\r\n00000000000\r\n\r\n", "x"],
    [`${"1\r\nx\r\n".repeat(20)}0\r\n\r\n`, "x".repeat(20)],
    [`1;${"e".repeat(extra - 1)}\r\nx\r\n1;${"e".repeat(extra - 1)}\r\ny\r\n0\r\n\r\n`, "xy"],
    [`0\r\nA: ${"a".repeat(extra - 5)}\r\n\r\n`, ""],
    ["0\r\nA: 1\r\nB: 2\r\n\r\n", ""],
  ] as const
  for (const [text, data] of whole) assert.deepEqual(unchunked(text), { data, end: text.length }, text.slice(0, 40))
  assert.deepEqual(unchunked("0\r\n\r\nmore"), { data: "", end: 5 })
  assert.deepEqual(unchunked("3\r\nab"), { data: "ab", end: null })
  const noSize = "a chunk of the response has no size"
  for (const text of ["000000000001", "\r\n", ";", "g", "G", "/", ":", "@", "`", " 1", "1 ", "-1"])
    assert.equal(unchunked(`${text}\r\nx\r\n`), noSize, text)
  const noEnd = "a chunk of the response does not end where it should"
  for (const text of ["1\rx", "1\r\nxy\n", "1\r\nx\rx", "0\r\n\rx"]) assert.equal(unchunked(text), noEnd, text)
  const tooLong = "what stands between the chunks of the response is too long"
  assert.equal(unchunked(`1;${"e".repeat(extra + 1)}`), tooLong)
  assert.equal(unchunked(`0\r\nA: ${"a".repeat(extra)}`), tooLong)
  assert.equal(unchunked("1;e\n"), "a line of the response ends without CR LF")
  const trailers = ["A\r\n", "A: 1\n", "Content-Length: 1\r\n", "transfer-encoding: x\r\n", "A: \0\r\n"]
  for (const line of trailers) assert.equal(unchunked(`0\r\n${line}`), "the end of the response cannot be read", line)
})

test("a header has a name of token characters, and a value without surrounding spaces", () => {
  const rows = [
    ["A:b", { name: "a", value: "b" }],
    ["A-1_~!: \t b c \t", { name: "a-1_~!", value: "b c" }],
    ["A:", { name: "a", value: "" }],
    ["A: \t ", { name: "a", value: "" }],
    ["A: b:c", { name: "a", value: "b:c" }],
    ["A: \u00a0b", { name: "a", value: "\u00a0b" }],
    ["A", null],
    ["", null],
    [": a", null],
    [" A: b", null],
    ["A : b", null],
    ["(A: b", null],
    ["A(: b", null],
    ["A: b\rc", null],
    ["A: b\nc", null],
    ["A: b\0", null],
  ] as const
  for (const [line, header] of rows) assert.deepEqual(readHeader(line), header, JSON.stringify(line))
})

test("a request head has each header once, and no invalid one", () => {
  const headers = { Host: "a", host: "b", X: "\t ~\u0080\u00ff" }
  const head = requestHead({ method: "GET", target: "/a", headers })
  assert.equal(head, "GET /a HTTP/1.1\r\nhost: b\r\nX: \t ~\u0080\u00ff\r\n\r\n")
  const failing = (name: string, value: string) => {
    try {
      return requestHead({ method: "GET", target: "/", headers: { [name]: value } })
    } catch (error) {
      return failureOf(error).message
    }
  }
  for (const value of ["a\n", "\rb", "\x1f", "\x7f", "\u0100", "\0"])
    assert.equal(failing("X", value), "the header X holds a character that cannot be sent", JSON.stringify(value))
  for (const name of ["", "a b", "a:", "\u00e4"])
    assert.equal(failing(name, "x"), `${JSON.stringify(name)} is no name of a header`)
})

const ok = "HTTP/1.1 200 OK\r\n"

function fed(...texts: readonly string[]): string {
  const reader = createResponseReader()
  try {
    for (const text of texts) reader.feed(Buffer.from(text, "latin1"))
    return String(reader.head()?.status ?? "more")
  } catch (error) {
    return (error as Error).message
  }
}

test("a head may have its maximum length, in one piece or several, and interim responses together theirs", () => {
  const head = (length: number) => `${ok}A: `.padEnd(length, "x")
  const limit = 16 * 1024
  const tooLong = "the headers of the response are too long"
  assert.equal(fed(`${head(limit)}\r\n\r\n`), "200")
  assert.equal(fed(`${head(limit + 1)}\r\n\r\n`), tooLong)
  assert.equal(fed(head(limit)), "more")
  assert.equal(fed(head(limit + 1)), tooLong)
  const pieces = (text: string) => [text.slice(0, 20), text.slice(20)]
  assert.equal(fed(...pieces(`${head(limit)}\r\n\r\n`)), "200")
  assert.equal(fed(...pieces(`${head(limit + 1)}\r\n\r\n`)), tooLong)
  const early = "HTTP/1.1 103 Early\r\nA: ".padEnd(8188, "x") + "\r\n\r\n"
  assert.equal(fed(early.repeat(8) + ok + "\r\n"), "200")
  const endless = "the server announces a response again and again and sends none"
  assert.equal(fed(`${early.repeat(8)}HTTP/1.1 100 C\r\n\r\n`), endless)
})

test("the end of a head is found in any pieces, and invalid HTTP at its first letter", () => {
  const text = `${ok}A: b\r\n\r\n`
  for (let at = 1; at < text.length; at++) assert.equal(fed(text.slice(0, at), text.slice(at)), "200", String(at))
  for (let length = 1; length <= 7; length++) assert.equal(fed("HTTP/1.1".slice(0, length)), "more")
  assert.equal(fed("X"), 'the answer is not HTTP: "X"')
  assert.equal(fed("HTTP/2"), 'the answer is not HTTP: "HTTP/2"')
  assert.equal(fed(`X${"y".repeat(80)}`), `the answer is not HTTP: "X${"y".repeat(59)}"`)
  const firsts = [
    "HTTP/1.2 200 OK",
    "HTTP/1.1 099 A",
    "HTTP/1.1 20 A",
    "HTTP/1.1 2000 A",
    "HTTP/1.1 200OK",
    "HTTP/1.1  200",
    "HTTP/1.1 200 a\0b",
  ]
  for (const first of firsts)
    assert.equal(fed(`${first}\r\n\r\n`), `the answer is not HTTP: ${JSON.stringify(first)}`, first)
  assert.equal(fed("HTTP/1.1 101 Switch\r\n\r\n"), "the server changed to another protocol")
  assert.equal(fed("HTTP/1.1 199 A\r\n\r\n"), "more")
  assert.equal(fed("HTTP/1.1 200\r\n\r\n"), "200")
  assert.equal(fed(`${ok}A\r\n\r\n`), 'a header cannot be read: "A"')
})

test("a length has at most fifteen digits, and no other framing beside it", () => {
  const rows = [
    [`Content-Length: ${"9".repeat(15)}`, "200"],
    [`Content-Length: ${"9".repeat(16)}`, `the response has no length: "${"9".repeat(16)}"`],
    ["Content-Length: x1", 'the response has no length: "x1"'],
    ["Content-Length: 1x", 'the response has no length: "1x"'],
    ["Content-Length: 1\r\nContent-Length: 1", 'the response has no length: "1, 1"'],
    ["Transfer-Encoding: CHUNKED", "200"],
    ["Transfer-Encoding: gzip, chunked", 'the response is transferred as "gzip, chunked"'],
    ["Transfer-Encoding: chunked\r\nContent-Length: 1", "the response has a length and comes in chunks"],
  ] as const
  for (const [header, status] of rows) assert.equal(fed(`${ok}${header}\r\n\r\n`), status, header)
})

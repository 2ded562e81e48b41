import assert from "node:assert/strict"
import { test } from "node:test"
import { HEAD_MAX_BYTES, readRequestHead } from "../../../src/host/gateway/protocols/request-head.ts"

const read = (text: string) => readRequestHead(Buffer.from(text, "latin1"))
const bad = { read: "bad", status: 400 }

test("a complete request head is read, with the offset of the body", () => {
  const text = "POST /a HTTP/1.0\r\nhost:\t a.com.:81 \t\r\nContent-Length: 12\r\nX: y \r\n\r\n"
  const head = {
    method: "POST",
    host: "a.com",
    port: 81,
    path: "/a",
    headers: ["Content-Length: 12", "X: y "],
    length: 12,
    end: text.length,
  }
  assert.deepEqual(read(`${text}body`), { read: "head", head })
  const bare = read("GET / HTTP/1.1\r\nHost: a.com\r\n\r\n")
  assert.equal(bare.read === "head" && bare.head.length, 0)
})

test("forms of targets and hosts, each at its limits", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["OPTIONS * HTTP/1.1\r\nHost: a.com", "a.com:80 *"],
    ["GET HTTP://a.com/b HTTP/1.1", "a.com:80 /b"],
    ["GET http://a.com HTTP/1.1\r\nHost: A.com.:80", "a.com:80 /"],
    ["GET / HTTP/1.1\r\nHost: a.com:65535", "a.com:65535 /"],
    ["GET / HTTP/1.1\r\nHost:a.com:1", "a.com:1 /"],
    [`GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: ${"9".repeat(15)}`, "a.com:80 /"],
  ]
  for (const [text, place] of rows) {
    const found = read(`${text}\r\n\r\n`)
    assert.equal(found.read === "head" && `${found.head.host}:${found.head.port} ${found.head.path}`, place, text)
  }
  const refused = [
    "",
    `\r\n\r\n${"x".repeat(HEAD_MAX_BYTES)}`,
    "GET /\r\nHost: a.com\r\nTransfer-Encoding: chunked",
    "GET / HTTP/1.1\r\nHost: ]a.com",
    "GET / HTTP/1.1\r\nHost: a.com:65536",
    "GET / HTTP/1.1\r\nHost: a.com:",
    "GET / HTTP/1.1\r\nHost: a.com:1:2",
    "GET / HTTP/1.1x\r\nHost: a.com",
    "1GET / HTTP/1.1\r\nHost: a.com",
    "GET x/ HTTP/1.1\r\nHost: a.com",
    "GET xhttp://a.com/ HTTP/1.1\r\nHost: a.com",
    "GET http://a.com/#b HTTP/1.1",
    "GET http://a.com:81/ HTTP/1.1\r\nHost: a.com",
    "GET http://a.com/ HTTP/1.1\r\nHost: 127.0.0.1",
    "GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1",
    "CONNECT a.com:443 HTTP/1.1\r\nHost: a.com\r\nHost: a.com",
    "GET / HTTP/1.1\r\nHost: a.com\r\nX",
    "GET / HTTP/1.1\r\nHost: a.com\r\nX y: 1",
    "GET / HTTP/1.1\r\nHost: a.com\r\nX: \0",
    "GET / HTTP/1.1\r\nHost: a.com\r\nX: a\nb",
    `GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: ${"9".repeat(16)}`,
    "GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: 1x",
    "GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: 1 2",
    "GET / HTTP/1.1\r\nHost: a .com",
    "GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: 1\r\nContent-Length: 1",
  ]
  for (const text of refused) assert.deepEqual(read(`${text}\r\n\r\n`), bad, text)
})

test("a head may be as long as the limit and no longer, complete or not", () => {
  const begin = "GET / HTTP/1.1\r\nHost: a.com\r\nX: "
  const long = (length: number) => begin.padEnd(length, "x")
  assert.equal(read(`${long(HEAD_MAX_BYTES)}\r\n\r\n`).read, "head")
  assert.deepEqual(read(`${long(HEAD_MAX_BYTES + 1)}\r\n\r\n`), { read: "bad", status: 431 })
  assert.deepEqual(read(long(HEAD_MAX_BYTES)), { read: "more" })
  assert.deepEqual(read(long(HEAD_MAX_BYTES + 1)), { read: "bad", status: 431 })
  assert.equal(HEAD_MAX_BYTES, 16_384)
})

test("hop-by-hop headers are removed", () => {
  const names = [
    "Proxy-Connection",
    "Keep-Alive",
    "TE",
    "Trailer",
    "Upgrade",
    "Proxy-Authorization",
    "Proxy-Authenticate",
  ]
  const found = read(
    `GET / HTTP/1.1\r\nHost: a.com\r\n${names.map((name) => `${name}: 1\r\n`).join("")}Connection: A ,\tB\r\na: 1\r\nb: 2\r\nc: 3\r\n\r\n`,
  )
  assert.deepEqual(found.read === "head" && found.head.headers, ["c: 3"])
})

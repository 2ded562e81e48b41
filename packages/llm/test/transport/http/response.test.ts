import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { test, type TestContext } from "node:test"
import fc from "fast-check"
import { createResponseReader } from "../../../src/transport/http/response.ts"

interface Read {
  readonly status: number
  readonly body: string
  readonly reusable: boolean
}

/** The result of these pieces, or why they are no response. */
function read(pieces: readonly Buffer[], closes = false): Read | string {
  const reader = createResponseReader()
  let body = ""
  try {
    for (const piece of pieces) body += Buffer.from(reader.feed(Buffer.from(piece))).toString("latin1")
    if (closes && !reader.done()) reader.close()
  } catch (error) {
    return (error as Error).message
  }
  const head = reader.head()
  if (!reader.done() || head === null) return "not whole"
  return { status: head.status, body, reusable: reader.reusable() }
}

function readText(text: string, closes = false): Read | string {
  return read([Buffer.from(text, "latin1")], closes)
}

const ok = "HTTP/1.1 200 OK\r\n"

test("bodies with a length, in chunks, until the end of the connection, and none", () => {
  for (const [text, closes, body, reusable] of [
    [`${ok}Content-Length: 5\r\n\r\nhello`, false, "hello", true],
    [`${ok}Content-Length: 0\r\n\r\n`, false, "", true],
    [
      `${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x="y"\r\n0123456789\r\n0\r\nT: 1\r\n\r\n`,
      false,
      "abc0123456789",
      true,
    ],
    [`${ok}transfer-encoding: Chunked\r\n\r\n000\r\n\r\n`, false, "", true],
    [`${ok}\r\nall of it`, true, "all of it", false],
    ["HTTP/1.1 204 No Content\r\n\r\n", false, "", true],
    ["HTTP/1.1 304\r\nContent-Length: 5\r\n\r\n", false, "", true],
    [
      `HTTP/1.1 103 Early\r\nX: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 1\r\n\r\nx`,
      false,
      "x",
      true,
    ],
    [`${ok}Connection: x, Close\r\nContent-Length: 1\r\n\r\nx`, false, "x", false],
    ["HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", false, "x", false],
    ["HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx", false, "x", true],
    [`${ok}Content-Length: 1\r\n\r\nxHTTP/1.1 200 OK`, false, "x", false],
  ] as const) {
    const found = readText(text, closes)
    assert.ok(typeof found === "object", `${text}: ${JSON.stringify(found)}`)
    assert.deepEqual([found.body, found.reusable], [body, reusable], text)
  }
})

test("an invalid or ambiguous response is an error", () => {
  for (const [text, why] of [
    ["SSH-2.0-x\r\n", /the answer is not HTTP/],
    ["HTTP/2 200\r\n\r\n", /not HTTP/],
    ["HTTP/1.1 20 OK\r\n\r\n", /not HTTP/],
    ["HTTP/1.1 101 Switching Protocols\r\n\r\n", /another protocol/],
    [`${ok}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`, /no length: .*5, 5/],
    [`${ok}Content-Length: -1\r\n\r\n`, /no length/],
    [`${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, /a length and comes in chunks/],
    [`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`, /transferred as/],
    [`${ok}X: 1\r\n folded\r\n\r\n`, /a header cannot be read: .* folded/],
    [`${ok}X : 1\r\n\r\n`, /a header cannot be read/],
    [`${ok}X: a\nb\r\n\r\n`, /a header cannot be read/],
    [`${ok}X: ${"x".repeat(17_000)}\r\n\r\n`, /too long/],
    [`${ok}${"x".repeat(17_000)}`, /too long/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\nx\r\n`, /no size/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n\r\n`, /no size/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n${"1".repeat(12)}\r\n`, /no size/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n1\nx`, /no size/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n1;a\nx`, /without CR LF/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(17_000)}\r\n`, /too long/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n`, /does not end where it should/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n${"T: 1\r\n".repeat(4000)}`, /too long/],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n\rx`, /does not end where it should/],
  ] as const)
    assert.match(JSON.stringify(readText(text)), why, JSON.stringify(text.slice(0, 100)))
})

test("an extension after each chunk size: the limit is per chunk, since a long reply has thousands", () => {
  const chunk = `1;chunk-signature=${"0".repeat(64)}\r\nx\r\n`
  const found = readText(`${ok}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(2000)}0\r\n\r\n`)
  assert.deepEqual(found, { status: 200, body: "x".repeat(2000), reusable: true })
})

test("a connection that ends early is distinguished from the end of a body", () => {
  for (const text of [
    "",
    "HTTP/1.1 200 OK\r\nX",
    `${ok}Content-Length: 5\r\n\r\nhell`,
    `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`,
  ])
    assert.equal(readText(text, true), "the connection was closed", JSON.stringify(text))
})

test("repeated headers are joined, except for those of which the first counts", () => {
  const reader = createResponseReader()
  const lines = ["Vary: a", "VARY: b", "Location: /1", "Location: /2", "__proto__: x", "Content-Length: 0"]
  reader.feed(Buffer.from(`${ok}${lines.join("\r\n")}\r\n\r\n`))
  assert.deepEqual(Object.entries(reader.head()?.headers ?? {}), [
    ["vary", "a, b"],
    ["location", "/1"],
    ["__proto__", "x"],
    ["content-length", "0"],
  ])
})

const bodies = fc.array(fc.string({ maxLength: 40, unit: "binary-ascii" }), { maxLength: 6 })
const digits = fc.nat({ max: 3 }).map((count) => "0".repeat(count))

/** Real responses, with extensions and trailers, which are ignored. */
const responsesWith = (extensions: readonly string[], trailers: readonly string[]) =>
  fc
    .record({
      bodies,
      zeros: digits,
      extension: fc.constantFrom(...extensions),
      trailer: fc.constantFrom(...trailers),
      kind: fc.nat({ max: 2 }),
    })
    .map(({ bodies, zeros, extension, trailer, kind }) => {
      const body = bodies.join("")
      const chunk = (text: string) => `${zeros}${text.length.toString(16)}${extension}\r\n${text}\r\n`
      const chunks = bodies.filter((text) => text !== "").map(chunk)
      if (kind === 0) return { text: `${ok}Content-Length: ${body.length}\r\n\r\n${body}`, body, closes: false }
      if (kind === 1) return { text: `${ok}\r\n${body}`, body, closes: true }
      return {
        text: `${ok}Transfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n${trailer}\r\n`,
        body,
        closes: false,
      }
    })

test("the same response in any pieces", () => {
  fc.assert(
    fc.property(
      responsesWith(["", ";a=b", ";c"], ["", "T: x\r\n"]),
      fc.array(fc.nat({ max: 300 }), { maxLength: 12 }),
      ({ text, body, closes }, cuts) => {
        const bytes = Buffer.from(text, "latin1")
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        assert.deepEqual(read(pieces, closes), { status: 200, body, reusable: !closes })
      },
    ),
    { seed: 13, numRuns: 300 },
  )
  const bytes = Buffer.from(`${ok}Transfer-Encoding: chunked\r\n\r\n3;e\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n`)
  for (let cut = 0; cut <= bytes.length; cut++)
    assert.deepEqual(read([bytes.subarray(0, cut), bytes.subarray(cut)]), {
      status: 200,
      body: "abcde",
      reusable: true,
    })
})

/** A server that sends a given text and closes. */
async function parrot(t: TestContext) {
  let says = ""
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(says, "latin1"))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    /** The result of Node's own client for a text; null for none. */
    readByNode(text: string): Promise<Pick<Read, "status" | "body"> | null> {
      says = text
      const { promise, resolve } = Promise.withResolvers<Pick<Read, "status" | "body"> | null>()
      const request = process.getBuiltinModule("node:http").get({ port, host: "127.0.0.1", agent: false })
      request
        .on("error", () => resolve(null))
        .on("response", (response) => {
          let body = ""
          response.setEncoding("latin1").on("data", (piece: string) => (body += piece))
          response.on("error", () => resolve(null))
          response.on("end", () => resolve({ status: response.statusCode ?? 0, body }))
        })
      return promise
    },
  }
}

test("of damaged responses nothing is accepted that Node's own client would reject", async (t) => {
  const { readByNode } = await parrot(t)
  const damage = fc.record({
    response: responsesWith([""], [""]),
    at: fc.nat({ max: 120 }),
    put: fc.constantFrom(
      "",
      "\r",
      "\n",
      "\r\n",
      " ",
      "0",
      "f",
      ":",
      "\0",
      "Content-Length: 3\r\n",
      "Transfer-Encoding: chunked\r\n",
    ),
    cut: fc.nat({ max: 3 }),
  })
  let both = 0
  await fc.assert(
    fc.asyncProperty(damage, async ({ response, at, put, cut }) => {
      const text = response.text.slice(0, at) + put + response.text.slice(at + cut)
      const own = readText(text, true)
      // Data after a response is an error for Node, even after a complete response.
      if (typeof own === "string" || (!own.reusable && /length|chunked/i.test(text))) return
      assert.deepEqual({ status: own.status, body: own.body }, await readByNode(text), JSON.stringify(text))
      both++
    }),
    { seed: 12, numRuns: 400 },
  )
  assert.ok(both > 20, "most damage leaves something to read")
})

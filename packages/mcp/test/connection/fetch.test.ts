import assert from "node:assert/strict"
import { test } from "node:test"
import type { TransportRequest } from "@gong/spec"
import { fetchOver } from "../../src/connection/fetch.ts"

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly pieces?: readonly (string | Uint8Array)[]
}

/** A network that records its requests, and answers all of them in the same way. */
function network({ status = 200, headers = {}, pieces = [] }: Reply = {}) {
  const requests: { readonly to: string; readonly request: TransportRequest }[] = []
  let returned = 0
  const to = (name: string) => ({
    async send(request: TransportRequest) {
      requests.push({ to: name, request })
      return { status, headers, body: body() }
    },
  })
  async function* body() {
    try {
      for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece
    } finally {
      returned += 1
    }
  }
  const fetch = fetchOver({ server: to("server"), elsewhere: to("elsewhere") }, new URL("https://a.example/mcp"), {
    "X-Key": "k",
    Accept: "configured",
  })
  return { fetch, requests, returned: () => returned }
}

const bodyOf = (request: TransportRequest | undefined) =>
  (request?.body ?? []).map((bytes) => Buffer.from(bytes).toString())

test("the configured headers go to the server's origin only, below those of the request", async () => {
  const { fetch, requests } = network()
  await fetch("https://a.example/other", { headers: { accept: "of the request" } })
  await fetch("https://b.example/mcp")
  await fetch(new URL("http://a.example/mcp"))
  assert.deepEqual(
    requests.map(({ to, request: { url, method, headers, body } }) => ({ to, url, method, headers, body })),
    [
      {
        to: "server",
        url: "https://a.example/other",
        method: "GET",
        headers: { "x-key": "k", accept: "of the request" },
        body: [],
      },
      { to: "elsewhere", url: "https://b.example/mcp", method: "GET", headers: {}, body: [] },
      { to: "elsewhere", url: "http://a.example/mcp", method: "GET", headers: {}, body: [] },
    ],
  )
})

test("a body is text or a form; only GET, POST and DELETE are sent", async () => {
  const { fetch, requests } = network()
  const url = "https://b.example/"
  await fetch(url, { method: "POST", body: "a\u00e9" })
  await fetch(url, { method: "POST", body: new URLSearchParams({ a: "b c" }) })
  await fetch(url, { method: "DELETE" })
  await fetch(url, { method: "POST", body: "" })
  assert.deepEqual(
    requests.map(({ request }) => [request.method, bodyOf(request), request.headers]),
    [
      ["POST", ["a\u00e9"], {}],
      ["POST", ["a=b+c"], { "content-type": "application/x-www-form-urlencoded" }],
      ["DELETE", [], {}],
      ["POST", [""], {}],
    ],
  )
  await assert.rejects(async () => fetch(url, { body: new Uint8Array(1), method: "POST" }), {
    name: "TypeError",
    message: "the body of a request is text",
  })
  await assert.rejects(async () => fetch(url, { method: "PUT" }), { name: "TypeError", message: "PUT is not sent" })
  assert.equal(requests.length, 4)
})

test("the signal of the request is passed on", async () => {
  const { fetch, requests } = network()
  const stop = new AbortController()
  await fetch("https://a.example/", { signal: stop.signal })
  await fetch("https://a.example/")
  stop.abort()
  assert.deepEqual(
    requests.map(({ request }) => request.signal.aborted),
    [true, false],
  )
})

test("a response has its status, its body, and the headers that do not describe the bytes on the wire", async () => {
  const headers = {
    "content-type": "text/plain",
    "content-encoding": "gzip",
    "content-length": "1",
    "transfer-encoding": "chunked",
  }
  const { fetch } = network({ status: 404, headers, pieces: ["one, ", "two"] })
  const response = await fetch("https://a.example/")
  assert.deepEqual(
    [response.status, Object.fromEntries(response.headers), await response.text()],
    [404, { "content-type": "text/plain" }, "one, two"],
  )
})

test("a status without a body ends the connection", async () => {
  for (const status of [204, 205, 304]) {
    const { fetch, returned } = network({ status, pieces: ["x"] })
    const response = await fetch("https://a.example/")
    assert.deepEqual([response.status, response.body, returned()], [status, null, 0])
  }
})

test("a body that is not read to its end is ended", async () => {
  const { fetch, returned } = network({ pieces: ["a", "b"] })
  const reader = (await fetch("https://a.example/")).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  assert.equal(returned(), 1)
})

const most = 10_485_760

test("a message of exactly 10 MB is read, one of a byte more ends the response", async () => {
  const half = Buffer.alloc(most / 2, "x")
  const fits = await network({ pieces: [half, half] }).fetch("https://a.example/")
  assert.equal((await fits.arrayBuffer()).byteLength, most)
  const over = network({ pieces: [half, half, "x", "y"] })
  const response = await over.fetch("https://a.example/")
  await assert.rejects(response.arrayBuffer(), { message: "a message is larger than 10485760 bytes" })
  assert.equal(over.returned(), 1)
})

test("an empty line of an event stream begins a new message, wherever the pieces are cut", async () => {
  const half = Buffer.alloc(most / 2, "x")
  const read = async (...pieces: readonly (string | Uint8Array)[]) => {
    const response = await network({ pieces }).fetch("https://a.example/")
    return response.arrayBuffer().then(
      ({ byteLength }) => byteLength,
      () => "too large",
    )
  }
  for (const [between, isEnd] of [
    [["\n\n"], true],
    [["\r\n\r\n"], true],
    [["\n", "\n"], true],
    [["x\n", "\nx"], true],
    [["\r\n", "\r\n"], true],
    [["a\n\nb"], true],
    [["a\n\nb\nc"], true],
    [["\n"], false],
    [["\n", "a\n"], false],
    [["\nx\n"], false],
    [["\r\r"], false],
    [["\n", "a", "\n"], false],
  ] as const) {
    const length = between.join("").length
    const whole = await read(half, ...between, half)
    assert.equal(whole, isEnd ? most + length : "too large", JSON.stringify(between))
  }
  // The empty line belongs to the message behind it.
  assert.equal(await read(half, "\n\n", Buffer.alloc(most - 1, "x")), most / 2 + 2 + most - 1)
  assert.equal(await read(half, "\n\n", Buffer.alloc(most, "x")), "too large")
})

import assert from "node:assert/strict"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { createServer as createRawServer } from "node:net"
import { test, type TestContext } from "node:test"
import {
  brotliCompressSync,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib"
import { type Failure, FailureError, type TransportResponse } from "@gong/spec"
import { type ClosableTransport, createTransport, type TransportOptions } from "../../src/transport/transport.ts"

const { createServer } = process.getBuiltinModule("node:http")

type Listener = (request: IncomingMessage, response: ServerResponse) => void

function transportFor(t: TestContext, options: TransportOptions = {}): ClosableTransport {
  const transport = createTransport(options)
  t.after(() => transport.close())
  return transport
}

async function serve(t: TestContext, listener: Listener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

function send(
  transport: ClosableTransport,
  url: string,
  signal = new AbortController().signal,
  ...body: readonly string[]
) {
  const bytes = body.map((text) => Buffer.from(text))
  return transport.send({ url, method: "POST", headers: { "x-test": "1" }, body: bytes, signal })
}

async function textOf(response: TransportResponse): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const bytes of response.body) parts.push(bytes)
  return Buffer.concat(parts).toString()
}

async function failureIn(work: Promise<unknown>): Promise<Failure> {
  const thrown = await work.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error,
  )
  assert.ok(thrown instanceof FailureError, String(thrown))
  return thrown.failure
}

test("a body is sent as one with its length; the response has lower-case headers", async (t) => {
  const { url } = await serve(t, (request, response) => {
    let body = ""
    const { method, url, headers } = request
    request.on("data", (chunk) => (body += chunk))
    request.on("end", () =>
      response
        .setHeader("X-Reply", "yes")
        .end([method, url, headers["content-length"], headers["x-test"], body].join(" ")),
    )
  })
  const response = await send(transportFor(t), `${url}/v1/x`, undefined, '{"a":', "1}")
  assert.equal(response.status, 200)
  assert.equal(response.headers["x-reply"], "yes")
  assert.equal(await textOf(response), 'POST /v1/x 7 1 {"a":1}')
})

test("connections are reused", async (t) => {
  const sockets = new Set<Socket>()
  const { url } = await serve(t, (request, response) => {
    sockets.add(request.socket)
    request.resume().on("end", () => response.end("ok"))
  })
  const transport = transportFor(t)
  for (let i = 0; i < 3; i++) await textOf(await send(transport, url, undefined, "x"))
  assert.equal(sockets.size, 1)
})

test("a kept connection that the server closed is replaced silently", async (t) => {
  let requests = 0
  const raw = createRawServer((socket) => {
    socket.on("error", () => {})
    socket.on("data", () => {
      // The second request on a connection meets a server that has just closed it.
      if (requests++ === 1) socket.resetAndDestroy()
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok")
    })
    t.after(() => socket.destroy())
  })
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve))
  t.after(() => raw.close())
  const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`
  const transport = transportFor(t)
  assert.equal(await textOf(await send(transport, url, undefined, "x")), "ok")
  assert.equal(await textOf(await send(transport, url, undefined, "x")), "ok")
  assert.equal(requests, 3)
})

test("compressed replies are decompressed as they arrive", async (t) => {
  for (const [encoding, pack] of [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["identity", (text: string) => text],
  ] as const) {
    const { url } = await serve(t, (_request, response) => {
      response.setHeader("content-encoding", encoding)
      response.end(pack("data: hello\n\n"))
    })
    assert.equal(await textOf(await send(transportFor(t), url)), "data: hello\n\n")
  }
})

test("an unknown encoding is a failure that names it, and its connection is closed", async (t) => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve(t, (_request, response) => {
    response.on("close", closed.resolve).setHeader("content-encoding", "lzma").write("?")
  })
  const failure = await failureIn(send(transportFor(t), url))
  assert.deepEqual(
    [failure.kind, failure.message],
    ["bad-reply", 'the reply is packed as "lzma", which Gong cannot read'],
  )
  await closed.promise
})

test("each part of a compressed stream arrives when it was sent, not at the end", async (t) => {
  for (const [encoding, pack] of [
    ["gzip", createGzip],
    ["br", createBrotliCompress],
    ["zstd", createZstdCompress],
  ] as const) {
    const { url } = await serve(t, (_request, response) => {
      response.setHeader("content-encoding", encoding)
      const packer = pack()
      packer.pipe(response)
      packer.write("data: first\n\n")
      packer.flush()
    })
    // The server never ends its reply.
    for await (const bytes of (await send(transportFor(t), url)).body) {
      assert.equal(Buffer.from(bytes).toString(), "data: first\n\n", encoding)
      break
    }
  }
})

test("connection refused: one line with the address", async (t) => {
  const { url, server } = await serve(t, () => {})
  await new Promise((resolve) => server.close(resolve))
  const failure = await failureIn(send(transportFor(t), url))
  assert.equal(failure.kind, "network")
  assert.equal(failure.message, `ECONNREFUSED ${url.slice("http://".length)}`)
})

test("an unknown name, and an invalid address", async (t) => {
  const transport = transportFor(t)
  assert.match(
    (await failureIn(send(transport, "http://no-such-host.invalid/"))).message,
    /^(ENOTFOUND|EAI_AGAIN) no-such-host\.invalid$/,
  )
  assert.equal((await failureIn(send(transport, "nonsense"))).message, "nonsense is not an http or https address")
})

test("an invalid header is named without its value", async (t) => {
  const { signal } = new AbortController()
  const headers = { authorization: "Bearer secret\nkey" }
  const request = { url: "http://127.0.0.1:1/", method: "POST", headers, body: [], signal } as const
  const failure = await failureIn(transportFor(t).send(request))
  assert.equal(failure.kind, "bad-request")
  assert.match(failure.message, /authorization/)
  assert.doesNotMatch(failure.message, /secret/)
})

test("a server that does not speak HTTP", async (t) => {
  const raw = createRawServer((socket) => socket.on("error", () => {}).end("SSH-2.0-x\r\n"))
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve))
  t.after(() => raw.close())
  const failure = await failureIn(send(transportFor(t), `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`))
  assert.equal(failure.kind, "network")
  assert.equal(failure.message, 'the answer is not HTTP: "SSH-2.0-x\\r\\n"')
})

test("https to a port without TLS: a remedy, and no retry", async (t) => {
  const { url } = await serve(t, (_, response) => response.end("plain"))
  const failure = await failureIn(send(transportFor(t), url.replace("http:", "https:")))
  assert.deepEqual(
    [failure.kind, failure.message, failure.retryable],
    ["network", "no TLS is spoken there; try http:// in place of https://", false],
  )
})

test("a connection that breaks in the middle of the reply", async (t) => {
  const { url } = await serve(t, (_request, response) => {
    response.write("half")
    setImmediate(() => response.destroy())
  })
  const response = await send(transportFor(t), url)
  const failure = await failureIn(textOf(response))
  assert.equal(failure.kind, "network")
  assert.match(failure.message, /^ECONNRESET/)
})

test("an abort before, while waiting, and in the middle of the reply", async (t) => {
  const transport = transportFor(t)
  assert.equal((await failureIn(send(transport, "http://127.0.0.1:1/", AbortSignal.abort()))).kind, "aborted")

  const waiting = new AbortController()
  const silent = await serve(t, () => waiting.abort())
  assert.equal((await failureIn(send(transport, silent.url, waiting.signal))).kind, "aborted")

  const streaming = new AbortController()
  const slow = await serve(t, (_request, response) => void response.write("half"))
  const response = await send(transport, slow.url, streaming.signal)
  const rest = failureIn(textOf(response))
  streaming.abort()
  assert.equal((await rest).kind, "aborted")
})

test("an abort with a failure throws that failure", async (t) => {
  const { url } = await serve(t, (_request, response) => void response.write("half"))
  const controller = new AbortController()
  const response = await send(transportFor(t), url, controller.signal)
  const rest = failureIn(textOf(response))
  controller.abort(new FailureError({ kind: "stalled", message: "silent", retryable: true }))
  assert.equal((await rest).kind, "stalled")
})

test("an early return of a reply closes its connection", async (t) => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve(t, (_request, response) => {
    response.on("close", closed.resolve)
    response.write("first")
  })
  for await (const _ of (await send(transportFor(t), url)).body) break
  await closed.promise
})

test("a proxy from the given environment, and NO_PROXY", async (t) => {
  const seen: string[] = []
  const proxy = await serve(t, (request, response) => {
    seen.push(request.url ?? "")
    response.end("by proxy")
  })
  const through = transportFor(t, { env: { http_proxy: proxy.url } })
  assert.equal(await textOf(await send(through, "http://model.invalid/v1")), "by proxy")
  assert.deepEqual(seen, ["http://model.invalid/v1"])
  const direct = await serve(t, (_request, response) => response.end("direct"))
  const around = transportFor(t, { env: { ALL_PROXY: proxy.url, NO_PROXY: "127.0.0.1" } })
  assert.equal(await textOf(await send(around, direct.url)), "direct")
})

test("a connection whose server answers before it has read the request is not reused", async (t) => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve(t, (request, response) => {
    request.socket.on("close", () => closed.resolve())
    response.writeHead(413).end("too large")
  })
  const response = await send(transportFor(t), url, undefined, "x".repeat(30_000_000))
  assert.equal(response.status, 413)
  await textOf(response).catch(() => {})
  await closed.promise
})

test("an early return of a compressed reply closes its connection too", async (t) => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve(t, (_request, response) => {
    response.on("close", closed.resolve)
    response.setHeader("content-encoding", "gzip")
    response.write(gzipSync("first"))
  })
  for await (const _ of (await send(transportFor(t), url)).body) break
  await closed.promise
})

import assert from "node:assert/strict"
import { test } from "node:test"
import {
  type Artifacts,
  type Clock,
  failure,
  FailureError,
  type TransportRequest,
  type TransportResponse,
} from "@gong/spec"
import type { FetchOptions } from "../../src/fetch/ports.ts"
import { systemClock } from "../../src/host/clock.ts"
import { createFetchTool } from "../../src/fetch/tool.ts"
import { fetchMaxBytes, fetchTime } from "../../src/fetch/get.ts"
import { tiny } from "../image/pictures.ts"
import { abortedContext, context, lines, messages } from "../workspace.ts"

type Answer = Partial<Omit<TransportResponse, "body">> & {
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** An internet with a few addresses; all others are unknown hosts. */
function internet(answers: Readonly<Record<string, Answer>>, options: Partial<FetchOptions> = {}) {
  const asked: TransportRequest[] = []
  const transport = {
    close: () => undefined,
    async send(request: TransportRequest): Promise<TransportResponse> {
      asked.push(request)
      const answer = answers[request.url]
      if (answer === undefined) throw new FailureError(failure("network", "ENOTFOUND no.such.host"))
      return { status: 200, headers: { "content-type": "text/html" }, ...answer, body: bodyOf(answer.body ?? "") }
    },
  }
  const kept = new Map<string, string>()
  const artifacts: Artifacts = {
    put: async (bytes) => {
      kept.set("sha256-1", new TextDecoder().decode(bytes))
      return "sha256-1"
    },
    get: async () => null,
    spillPath: async () => "",
  }
  const tool = createFetchTool({
    network: async () => transport,
    clock: systemClock,
    userAgent: "gong/test",
    ...options,
  })
  return { asked, kept, get: (url: string) => tool.execute("c", { url }, context({ artifacts })), tool }
}

async function* bodyOf(body: string | Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (typeof body === "string") yield new TextEncoder().encode(body)
  else if (body instanceof Uint8Array) yield body
  else yield* body
}

const page = "https://docs.example.com/guide/start"

test("a page becomes Markdown with absolute links, without scripts, and is marked as untrusted", async () => {
  const html = `<html><head><title>T</title><script>evil()</script><base href="/base/"></head><body>
    <h1>Start</h1><p>Read <a href="next?a=1">the next</a>, <a href="javascript:x()">not this</a>, <a href="#top">up</a>.</p>
    <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
    <pre><code class="language-js">a &lt; b</code></pre><img src="data:image/png;base64,AAAA" alt="dot"></body></html>`
  const { get, asked } = internet({ [page]: { body: html, headers: { "content-type": "text/html; charset=utf-8" } } })
  const result = await get(`${page}#install`)
  const text = messages(result)
  assert.match(
    text,
    /^\[https:\/\/docs\.example\.com\/guide\/start#install, text\/html, \d+B, as Markdown\. .*no word of the user's\.\]/,
  )
  assert.match(text, /# Start/)
  assert.match(text, /\[the next\]\(https:\/\/docs\.example\.com\/base\/next\?a=1\)/)
  assert.match(text, /\| A \| B \|\n\| --- \| --- \|\n\| 1 \| 2 \|/)
  assert.match(text, /```js\na < b\n```/)
  assert.doesNotMatch(text, /evil|javascript|AAAA/)
  assert.deepEqual(result.details, {
    url: `${page}#install`,
    status: 200,
    content_type: "text/html",
    size: new TextEncoder().encode(html).length,
    truncated: false,
  })
  const [{ url, method, headers } = {}] = asked
  assert.deepEqual([url, method, headers?.["user-agent"]], [page, "GET", "gong/test"])
  assert.deepEqual(Object.keys(headers ?? {}).toSorted(), ["accept", "accept-encoding", "user-agent"])
})

test("text and JSON are returned unchanged; JSON on a single long line is split into lines", async () => {
  const long = JSON.stringify({ rows: Array.from({ length: 3000 }, (_, at) => at) })
  const json = { headers: { "content-type": "application/json" } }
  const { get } = internet({
    [page]: { body: "a < b\n<p>not a page</p>\n", headers: { "content-type": "text/plain" } },
    [`${page}/small`]: { body: '{"a": 1}', ...json },
    [`${page}/long`]: { body: long, ...json },
  })
  assert.match(messages(await get(page)), /as it is\..*\]\n\na < b\n<p>not a page<\/p>\n$/s)
  assert.match(messages(await get(`${page}/small`)), /\n\n\{"a": 1\}$/)
  const shown = await get(`${page}/long`)
  assert.match(messages(shown), /\n\{\n "rows": \[\n {2}0,\n {2}1,/)
  assert.match(
    messages(shown),
    /\[Showing lines 1-2000 of 3004 .*limit 2000 lines\)\. All of it: read artifact:sha256-1 with offset=2001\]$/,
  )
})

test("without a type a page is HTML if it starts like HTML; with another type it is text", async () => {
  const shown = async (body: string, headers: Readonly<Record<string, string>>) =>
    messages(await internet({ [page]: { body, headers } }).get(page))
  const rest = "<p>It is <b>bold</b>.</p>"
  for (const begin of ["<!DOCTYPE html>", "\n  <html lang=en>", "<head>", "<BODY>"]) {
    const bare = await shown(`${begin}${rest}`, {})
    assert.match(bare, /^\[https:[^,]*, no type, .*Markdown/, begin)
    assert.match(bare, /It is \*\*bold\*\*\./, begin)
    assert.match(await shown(`${begin}${rest}`, { "content-type": "text/plain" }), /<p>It is <b>bold/, begin)
  }
  for (const begin of ["", "<htmlx>", "text <html>", "<p>", `${" ".repeat(1000)}<html>`])
    assert.ok((await shown(`${begin}${rest}`, {})).endsWith(`${begin}${rest}`), begin)
  for (const type of ["text/html", "Text/HTML ; charset=utf-8", "application/xhtml+xml"])
    assert.match(await shown(rest, { "content-type": type }), /It is \*\*bold\*\*\./, type)
})

test("a long text is cut at 50 KB; the full text is an artifact that read opens", async () => {
  const text = lines(4000, (line) => `line ${line} ${"x".repeat(40)}`)
  const { get, kept } = internet({
    [page]: { body: text, headers: { "content-type": "text/plain" } },
    [`${page}/line`]: { body: "é".repeat(60_000), headers: { "content-type": "text/plain" } },
  })
  const result = await get(page)
  assert.ok(Buffer.byteLength(messages(result)) < 52_500)
  const [, last] =
    /Showing lines 1-(\d+) of 4000 .*limit 50\.0KB\)\. All of it: read artifact:sha256-1 with offset=(\d+)/.exec(
      messages(result),
    ) ?? []
  assert.ok(messages(result).includes(`line ${last} `) && !messages(result).includes(`line ${Number(last) + 1} `))
  assert.equal(result.details?.artifact, "sha256-1")
  assert.equal(kept.get("sha256-1"), text)
  const one = messages(await get(`${page}/line`))
  assert.match(one, /é\n\n\[Showing the beginning of the first line of 1 .* read artifact:sha256-1\]$/)
  assert.equal(one.match(/é/g)?.length, 25_600)
})

test("the encoding is that of the header or the page, otherwise detected", async () => {
  const gbk = new Uint8Array([
    0x3c, 0x70, 0x3e, 0xd6, 0xd0, 0xce, 0xc4, 0xcf, 0xb5, 0xcd, 0xb3, 0xce, 0xc4, 0xb5, 0xb5, 0x3c, 0x2f, 0x70, 0x3e,
  ])
  const meta = Buffer.concat([Buffer.from('<html><head><meta charset="gbk"></head><body>'), gbk])
  const { get } = internet({
    [page]: { body: gbk, headers: { "content-type": "text/html; charset=GBK" } },
    [`${page}/meta`]: { body: meta },
    [`${page}/none`]: { body: gbk },
    [`${page}/odd`]: { body: "<p>plain</p>", headers: { "content-type": "text/html; charset=nonsense" } },
    [`${page}/wide`]: { body: Buffer.from("\uFEFFwide text", "utf16le"), headers: { "content-type": "text/plain" } },
  })
  for (const path of ["", "/meta", "/none"]) assert.match(messages(await get(page + path)), /中文系统文档/, path)
  assert.match(messages(await get(`${page}/odd`)), /plain/)
  assert.match(messages(await get(`${page}/wide`)), /wide text$/)
})

test("images are returned as images, whatever their Content-Type; other bytes are named", async () => {
  const { get } = internet({
    [page]: { body: tiny["image/png"] ?? "", headers: { "content-type": "application/octet-stream" } },
    [`${page}.zip`]: { body: new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), headers: { "content-type": "text/html" } },
  })
  const image = await get(page)
  assert.deepEqual(
    image.content.map(({ type }) => type),
    ["text", "image"],
  )
  const zip = await get(`${page}.zip`)
  assert.equal(zip.isError, true)
  assert.match(messages(zip), /is a binary file \(ZIP archive, 6B\)/)
})

test("five redirects on the same host are followed; another host, port or plain http is reported", async () => {
  const to = (location: string): Answer => ({ status: 302, headers: { location } })
  const { get, asked } = internet({
    [page]: to("/1"),
    "https://docs.example.com/1": to("https://docs.example.com/2"),
    "https://docs.example.com/2": { body: "<p>here</p>" },
    "https://docs.example.com/other": to("https://evil.example.org/x?stolen=1"),
    "https://docs.example.com/down": to("http://docs.example.com/"),
    "https://docs.example.com/port": to("https://docs.example.com:8443/"),
    "https://docs.example.com/file": to("file:///etc/passwd"),
    "https://docs.example.com/ring": to("/ring"),
    "https://docs.example.com/odd": to("http://["),
    "http://docs.example.com/up": to("https://docs.example.com/2"),
  })
  const found = await get(page)
  assert.match(messages(found), /^\[https:\/\/docs\.example\.com\/2,.*here$/s)
  assert.equal(found.details?.url, "https://docs.example.com/2")
  assert.match(messages(await get("http://docs.example.com/up")), /here$/)
  const other = await get("https://docs.example.com/other")
  assert.equal(other.details?.redirect, "https://evil.example.org/x?stolen=1")
  assert.match(
    messages(other),
    /redirects to another place \(302\): https:\/\/evil\.example\.org\/x\?stolen=1\nNothing was fetched/,
  )
  for (const path of ["down", "port", "file"]) {
    const notified = messages(await get(`https://docs.example.com/${path}`))
    assert.match(notified, /redirects to another place/, path)
  }
  assert.match(messages(await get("https://docs.example.com/ring")), /redirected more than 5 times/)
  assert.match(messages(await get("https://docs.example.com/odd")), /redirects to what is no address/)
  assert.deepEqual(
    asked.filter(({ url }) => !url.includes("docs.example.com")),
    [],
  )
  assert.equal(asked.filter(({ url }) => url.endsWith("/ring")).length, 6)
})

test("an invalid address is refused before a request, with advice", async () => {
  const { get, asked } = internet({})
  assert.match(messages(await get("not an address")), /is no address\. Write it whole, as https:/)
  assert.match(messages(await get("file:///etc/passwd")), /file: addresses are not fetched; only http and https/)
  assert.match(messages(await get("https://user:pass@docs.example.com/")), /holds a user or a password/)
  const off = internet({}, { refusal: () => "The network is off." })
  const refused = await off.get(page)
  assert.deepEqual([messages(refused), refused.status], ["The network is off.", "refused"])
  assert.deepEqual([asked, off.asked], [[], []])
})

test("other argument names are accepted", () => {
  const { mapArguments, title } = internet({}).tool
  assert.deepEqual(mapArguments?.({ uri: page }), { url: page })
  assert.equal(title({ url: page }), page)
})

test("a server error is returned with its status and the start of its text", async () => {
  const { get } = internet({ [page]: { status: 404, body: `<h1>Nothing here</h1><p>${"long ".repeat(1000)}</p>` } })
  const result = await get(page)
  assert.equal(result.isError, true)
  assert.match(messages(result), /answered 404\.\n\n# Nothing here/)
  assert.ok(messages(result).length < 1200)
  assert.equal(result.details?.status, 404)
})

test("a refusal of the network is reported with advice", async () => {
  const closed = internet(
    {},
    {
      network: async () => ({
        close: () => undefined,
        send: () => Promise.reject(new FailureError(failure("denied", "10.0.0.1 is private"))),
      }),
    },
  )
  assert.match(
    messages(await closed.get("http://10.0.0.1/")),
    /was not fetched: 10\.0\.0\.1 is private\. Only addresses of the public/,
  )
  assert.match(
    messages(await internet({}).get(page)),
    /was not fetched: ENOTFOUND no\.such\.host\. Check the address\./,
  )
})

test("at most 10 MB are read, then the connection is closed", async () => {
  let left = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(1024 * 1024, "x\n")
    } finally {
      left = true
    }
  }
  const { get } = internet({ [page]: { body: endless(), headers: { "content-type": "text/plain" } } })
  const result = await get(page)
  assert.equal(result.details?.size, fetchMaxBytes)
  assert.match(messages(result), /The answer was longer than 10\.0MB; what came after is not here\]$/)
  assert.equal(left, true)
})

test("a silent server is abandoned after 30 s; an abort ends the request at once", async () => {
  const rings: { ms: number; ring(): void }[] = []
  const clock: Clock = {
    now: () => 0,
    sleep: async () => undefined,
    timer(ms, ring) {
      rings.push({ ms, ring })
      return () => undefined
    },
  }
  const silent: Awaited<ReturnType<FetchOptions["network"]>> = {
    close: () => undefined,
    send: ({ signal }) =>
      new Promise((_, reject) => {
        const why = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error("stopped"))
        if (signal.aborted) why()
        else signal.addEventListener("abort", why)
        queueMicrotask(() => rings[0]?.ring())
      }),
  }
  const late = internet({}, { network: async () => silent, clock })
  assert.match(messages(await late.get(page)), /no whole answer within 30 s/)
  assert.equal(rings[0]?.ms, fetchTime)
  const stopped = await late.tool.execute("c", { url: page }, abortedContext())
  assert.equal(stopped.status, "aborted")
})

import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, type TransportRequest, type TransportResponse } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { checkedUrl, get } from "../../src/fetch/get.ts"

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly parts?: readonly Uint8Array[]
}

/** Fetches from servers that answer each address like this. */
function fetched(address: string, answer: (url: string, signal: AbortSignal) => Answer | Promise<Answer>) {
  const requests: TransportRequest[] = []
  let returned = 0
  const clock = manualClock()
  const stop = new AbortController()
  const transport = {
    async send(request: TransportRequest): Promise<TransportResponse> {
      requests.push(request)
      const { status = 200, headers = {}, parts = [] } = await answer(request.url, request.signal)
      const all = parts[Symbol.iterator]()
      const body: AsyncIterableIterator<Uint8Array> = {
        [Symbol.asyncIterator]: () => body,
        next: async () => all.next(),
        async return() {
          returned += 1
          return { done: true, value: undefined }
        },
      }
      return { status, headers, body }
    },
  }
  const done = get({ transport, clock, userAgent: "agent" }, new URL(address), stop.signal)
  done.catch(() => undefined)
  return { done, requests, clock, stop, returned: () => returned }
}

const redirect = (location: string, status = 302): Answer => ({ status, headers: { location } })
const refusal = (message: string) => ({ message })

test("a request names the program and the wanted forms, and nothing else", async () => {
  const { done, requests, clock } = fetched("https://a.example/x?y#z", () => ({ parts: [Buffer.from("text")] }))
  assert.deepEqual(await done, {
    url: new URL("https://a.example/x?y#z"),
    status: 200,
    headers: {},
    bytes: Buffer.from("text"),
    cut: false,
  })
  assert.deepEqual(
    requests.map(({ url, method, headers, body }) => [url, method, headers, body]),
    [
      [
        "https://a.example/x?y",
        "GET",
        {
          accept: "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5",
          "accept-encoding": "gzip, deflate, br",
          "user-agent": "agent",
        },
        [],
      ],
    ],
  )
  assert.equal(clock.waiting, 0)
})

test("exactly 10 MB are read whole; of a longer answer the first 10 MB, and it is ended", async () => {
  const half = Buffer.alloc(5 * 1024 * 1024)
  const whole = await fetched("https://a.example/", () => ({ parts: [half, half] })).done
  assert.ok("bytes" in whole)
  assert.deepEqual([whole.bytes.length, whole.cut], [10_485_760, false])
  const more = fetched("https://a.example/", () => ({ parts: [half, half, Buffer.from("x"), Buffer.from("y")] }))
  const cut = await more.done
  assert.ok("bytes" in cut)
  assert.deepEqual([cut.bytes.length, cut.cut, more.returned()], [10_485_760, true, 1])
})

test("redirects to the same host are followed, five times", async () => {
  const chain = (count: number) =>
    fetched("https://a.example/0", (url) => {
      const at = Number(new URL(url).pathname.slice(1))
      return at < count ? redirect(`/${at + 1}`) : {}
    })
  const five = chain(5)
  const page = await five.done
  assert.ok("bytes" in page)
  assert.deepEqual([page.url.href, five.requests.length, five.returned()], ["https://a.example/5", 6, 5])
  await assert.rejects(chain(6).done, refusal("https://a.example/0 was redirected more than 5 times."))
})

test("each status of a redirect is one; others with a location are answers", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const page = await fetched("https://a.example/", (url) => (url.endsWith("/new") ? {} : redirect("new", status)))
      .done
    assert.equal(page.url.href, "https://a.example/new")
  }
  for (const status of [200, 300, 304, 201, 404]) {
    const page = await fetched("https://a.example/", () => redirect("new", status)).done
    assert.deepEqual([page.url.href, page.status], ["https://a.example/", status])
  }
  const bare = await fetched("https://a.example/", () => ({ status: 302 })).done
  assert.equal(bare.status, 302)
})

test("another host, another port and a fall back to http are another place", async () => {
  for (const [from, to, isSame] of [
    ["https://a.example/", "https://b.example/", false],
    ["https://a.example/", "https://a.example:8443/", false],
    ["https://a.example/", "http://a.example/", false],
    ["http://a.example/", "https://a.example/", true],
    ["https://a.example/", "https://a.example:443/x", true],
    ["https://a.example/", "https://www.a.example/", false],
  ] as const) {
    const got = fetched(from, (url) => (url === from ? redirect(to) : {}))
    const page = await got.done
    if (isSame) assert.equal(page.url.href, new URL(to).href)
    else assert.deepEqual(page, { url: new URL(from), status: 302, elsewhere: new URL(to) }, to)
    assert.deepEqual([got.requests.length, got.returned()], [isSame ? 2 : 1, 1])
  }
})

test("a redirect to no address, or to one with credentials, is refused", async () => {
  await assert.rejects(
    fetched("https://a.example/", () => redirect("http://")).done,
    refusal("https://a.example/ redirects to what is no address: http://"),
  )
  await assert.rejects(
    fetched("https://a.example/", () => redirect("https://u:p@a.example/")).done,
    /holds a user or a password/,
  )
})

test("a failure says what to do; an abort is passed on", async () => {
  const failing = (kind: "denied" | "network") => () => {
    throw new FailureError(failure(kind, "it is not there"))
  }
  await assert.rejects(
    fetched("https://a.example/", failing("network")).done,
    refusal("https://a.example/ was not fetched: it is not there. Check the address."),
  )
  await assert.rejects(
    fetched("https://a.example/", failing("denied")).done,
    refusal("https://a.example/ was not fetched: it is not there. Only addresses of the public internet are fetched."),
  )
  const aborted = fetched("https://a.example/", async (_, signal) => {
    await Promise.resolve()
    aborted.stop.abort(new Error("enough"))
    throw signal.reason
  })
  await assert.rejects(aborted.done, { message: "enough" })
})

test("an answer has 30 seconds", async () => {
  const slow = fetched(
    "https://a.example/",
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  )
  let ended = false
  slow.done.then(
    () => undefined,
    () => (ended = true),
  )
  await slow.clock.advance(29_999)
  assert.equal(ended, false)
  await slow.clock.advance(1)
  await assert.rejects(
    slow.done,
    refusal("https://a.example/ was not fetched: no whole answer within 30 s. Check the address."),
  )
})

test("only whole addresses of http and https without credentials are fetched", () => {
  for (const url of ["https://a.example/x", "http://127.0.0.1:1/"]) assert.equal(checkedUrl(url).href, url)
  for (const [text, message] of [
    ["a.example/page", '"a.example/page" is no address. Write it whole, as https://example.com/page.'],
    ["file:///etc/passwd", "file: addresses are not fetched; only http and https."],
    ["https://u@a.example/", /holds a user or a password/],
    ["https://:p@a.example/", /holds a user or a password/],
  ] as const)
    assert.throws(() => checkedUrl(text), typeof message === "string" ? { message } : message)
})

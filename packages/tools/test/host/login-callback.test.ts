import assert from "node:assert/strict"
import { test } from "node:test"
import { openCallback } from "../../src/host/login-callback.ts"

/** The status and text of the answer to a request. */
async function ask(url: string, { method = "GET", host }: { method?: string; host?: string } = {}) {
  const { request } = process.getBuiltinModule("node:http")
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const sent = request(url, { method, ...(host !== undefined && { headers: { host } }) }, (response) => {
    let text = ""
    response.on("data", (bytes: Buffer) => void (text += bytes.toString()))
    response.on("end", () => resolve(`${response.statusCode} ${text.trim()}`))
  })
  sent.on("error", reject)
  sent.end()
  return promise
}

test("the return of a browser is received by its state, at this address and path only", async (t) => {
  const callback = await openCallback()
  t.after(() => callback.close())
  assert.match(callback.url, /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const { port } = new URL(callback.url)
  const waiting = callback.wait("s", new AbortController().signal)
  for (const [url, more] of [
    [`${callback.url}?state=other`, {}],
    [callback.url, {}],
    [`${callback.url}?state=s`, { method: "POST" }],
    [`${callback.url}?state=s`, { host: "evil.example" }],
    [`${callback.url}?state=s`, { host: `evil.example:${port}` }],
    [`${callback.url}/x?state=s`, {}],
    [`http://127.0.0.1:${port}/?state=s`, {}],
  ] as const)
    assert.equal(await ask(url, more), "404 not found", url)
  assert.equal(
    await ask(`${callback.url}?state=s&code=c`, { host: `localhost:${port}` }),
    "200 Gong has received the answer. You can close this page.",
  )
  assert.equal((await waiting).get("code"), "c")
})

test("two callbacks have ports of their own, and an abort ends the wait with its reason", async (t) => {
  const [one, other] = [await openCallback(), await openCallback()]
  t.after(() => [one, other].forEach((callback) => callback.close()))
  assert.notEqual(one.url, other.url)
  const stop = new AbortController()
  const waiting = one.wait("s", stop.signal)
  stop.abort(new Error("enough"))
  await assert.rejects(waiting, { message: "enough" })
  await assert.rejects(one.wait("s", AbortSignal.abort(new Error("before"))), { message: "before" })
})

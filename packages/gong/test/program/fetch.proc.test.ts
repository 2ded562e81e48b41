import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test, type TestContext } from "node:test"
import { textOf } from "@gong/spec"
import type { PlayedCall, Turn } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage, resultOf, type Run } from "./harness.ts"

const { createServer } = process.getBuiltinModule("node:http")

/** The internet, simulated by a proxy on this machine: the model's own server bypasses it. */
async function internet(t: TestContext, pages: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ""
    asked.push(`${url} ${Object.keys(request.headers).toSorted().join(",")}`)
    const page = pages[url]
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, env: { HTTP_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }
}

const docs = "http://docs.example.com/start"
const done: Turn = { text: "done" }

function fetching(...urls: readonly string[]): Turn {
  return { calls: urls.map((url): PlayedCall => ({ name: "fetch", args: { url } })) }
}

function endsOf(run: Run) {
  return ofType(eventsOf(run), "tool_execution_end")
}

test("fetch is offered only if it is enabled, and returns a page as Markdown", async (t) => {
  const { asked, env } = await internet(t, { [docs]: "<h1>Start</h1><p>See <a href='/next'>next</a>.</p>" })
  const stage = await openStage(t, { turns: [fetching(docs), done] })
  const run = await stage.gong(["--output", "events", "--tools", "+fetch", "--yolo", "read the docs"], { env })
  assert.equal(run.status, 0, run.err)
  const [session] = ofType(eventsOf(run), "session")
  assert.deepEqual(session?.tools, ["read", "write", "edit", "bash", "grep", "find", "ls", "fetch"])
  const [end] = endsOf(run)
  assert.match(end ? textOf(end) : "", /# Start\n\nSee \[next\]\(http:\/\/docs\.example\.com\/next\)\./)
  assert.equal(end?.details?.["url"], docs)
  assert.deepEqual(asked, [`${docs} accept,accept-encoding,connection,host,user-agent`])

  stage.server.begin([fetching(docs), done])
  const without = await stage.gong(["--output", "events", "--yolo", "read the docs"], { env })
  assert.match(textOf(endsOf(without)[0] ?? { content: [] }), /no tool.*fetch/i)
  const sent = stage.server.requests.at(-1)?.body
  assert.ok(!JSON.stringify((sent as { tools: unknown }).tools).includes("fetch"))
  assert.equal(asked.length, 1)
})

test("headless fetch is refused with its host, --allow permits the host, --deny forbids it at every level", async (t) => {
  const { asked, env } = await internet(t, { [docs]: "page" })
  const stage = await openStage(t)
  const other = "http://docs.example.org/"
  const outcome = async (...args: readonly string[]) => {
    stage.server.begin([fetching(docs, other), done])
    const run = await stage.gong(["--output", "events", "--no-session", "--tools", "read,fetch", ...args, "go"], {
      env,
    })
    assert.equal(resultOf(run).denials.length, endsOf(run).filter(({ status }) => status === "refused").length)
    return endsOf(run).map(({ status }) => status)
  }
  assert.deepEqual(await outcome(), ["refused", "refused"])
  assert.deepEqual(await outcome("--permission", "plan"), ["refused", "refused"])
  assert.deepEqual(asked, [])
  assert.deepEqual(await outcome("--allow", "fetch(docs.example.com)"), ["ok", "refused"])
  assert.deepEqual(await outcome("--yolo"), ["ok", "error"])
  assert.deepEqual(await outcome("--yolo", "--deny", "fetch(docs.example.com)"), ["refused", "error"])
})

test("fetch never connects to this machine or private networks, at any level and with any rule", async (t) => {
  const stage = await openStage(t)
  const secret = createServer((_request, response) => void response.end("metadata"))
  let asked = 0
  secret.on("request", () => (asked += 1))
  await new Promise<void>((resolve) => secret.listen(0, "127.0.0.1", resolve))
  t.after(() => secret.close())
  const { port } = secret.address() as AddressInfo
  const urls = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    `http://user:pass@127.0.0.1:${port}/`,
    "file:///etc/passwd",
  ]
  for (const args of [["--yolo"], ["--allow", "fetch"], ["--yolo", "--allow", "fetch(127.0.0.1)"]]) {
    stage.server.begin([fetching(...urls), done])
    const run = await stage.gong(["--output", "events", "--tools", "+fetch", ...args, "go"])
    assert.deepEqual(
      endsOf(run).map(({ status }) => status),
      urls.map(() => "error"),
    )
    for (const end of endsOf(run)) assert.match(textOf(end), /public internet|password|only http/)
  }
  assert.equal(asked, 0)
})

import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openProgram } from "./program.ts"

const http = process.getBuiltinModule("node:http")

/** Fetches a catalogue from a server that answers with this text. */
async function refreshed(t: TestContext, text: string, status = 200) {
  const server = http.createServer((_, response) => void response.writeHead(status).end(text))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`
  const program = openProgram(t, { GONG_CATALOG_URL: url })
  const { status: exit, out, err } = await program.gong(["models", "--refresh"])
  const folder = join(program.gongHome, "catalogue")
  return { exit, text: (out + err).replaceAll(url, "URL").replaceAll(program.gongHome, "$GONG"), folder }
}

const model = { tool_call: true, limit: { context: 100_000, output: 8_000 }, modalities: { input: ["text"] } }

test("a fetched catalogue is stored by provider, and its models are counted", async (t) => {
  const document = {
    openai: { models: { one: model, two: model } },
    xai: { models: { three: model } },
    unknown: { models: { four: model } },
  }
  const { exit, text, folder } = await refreshed(t, JSON.stringify(document))
  assert.deepEqual([exit, text], [0, "3 models of 2 providers, from URL, are stored in $GONG/catalogue.\n"])
  const stored = JSON.parse(readFileSync(join(folder, "openai.json"), "utf8")) as { models: object }
  assert.deepEqual(Object.keys(stored.models), ["one", "two"])
  assert.deepEqual([existsSync(join(folder, "xai.json")), existsSync(join(folder, "unknown.json"))], [true, false])
})

test("what is no catalogue, or comes with an error, changes nothing", async (t) => {
  for (const [text, status, expected] of [
    ["{}", 200, "gong: URL is not a catalogue in the format of models.dev; nothing was changed.\n"],
    ["<html>", 200, "gong: URL is not a catalogue in the format of models.dev; nothing was changed.\n"],
    [
      JSON.stringify({ openai: { models: { one: model } } }),
      404,
      "gong: URL responded with status 404; nothing was changed.\n",
    ],
  ] as const) {
    const found = await refreshed(t, text, status)
    assert.deepEqual([found.exit, found.text, existsSync(found.folder)], [2, expected, false])
  }
})

test("a server that cannot be reached is an error", async (t) => {
  const program = openProgram(t, { GONG_CATALOG_URL: "http://127.0.0.1:1/api.json" })
  const { status, err } = await program.gong(["models", "--refresh"])
  assert.equal(status, 2)
  assert.match(err, /^gong: http:\/\/127\.0\.0\.1:1\/api\.json cannot be fetched \(.+\); nothing was changed\.\n$/)
})

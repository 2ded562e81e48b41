import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"
import { type TestContext } from "node:test"
import { attack } from "@gong/testing/attacks"
import { openStage } from "../program/harness.ts"

/** Bytes after which a response is given up. */
const plenty = 1024 * 1024

/** A server that announces a response as fast as it is read, and never sends one; its port. */
async function announcer(t: TestContext): Promise<number> {
  const interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n".repeat(1000)
  const server = createServer((socket) => {
    t.after(() => socket.destroy())
    const go = () => {
      while (!socket.destroyed && socket.write(interim));
    }
    socket
      .on("error", () => undefined)
      .on("drain", go)
      .once("data", go)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function readOn(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined)
  socket.write("POST /v1/chat/completions HTTP/1.1\r\n\r\n")
  let size = 0
  for await (const bytes of socket) if ((size += (bytes as Buffer).length) > plenty) return true
  return false
}

attack(
  "a server that only announces its reply, again and again: the run ends, with its reason and status 1",
  async (t, guard) => {
    const port = await announcer(t)
    if (guard === "off") return { reached: await readOn(port) }
    const stage = await openStage(t)
    const env = { GONG_BASE_URL: `http://127.0.0.1:${port}/v1` }
    const { status, out, err } = await stage.gong(["-p", "--set", "retry.baseMs=1", "hi"], { env })
    assert.equal(out, "")
    return { reached: status !== 1 || !/announces a response again and again and sends none/.test(err), printed: err }
  },
)

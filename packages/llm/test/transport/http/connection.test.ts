import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { Socket } from "node:net"
import { test } from "node:test"
import { openConnection, StaleConnection } from "../../../src/transport/http/connection.ts"

/** A connection over a socket that the test plays. */
function opened() {
  const calls: string[] = []
  const written: string[] = []
  let take = (_: Buffer): void => undefined
  let idle = 0
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    writable: true,
    writableLength: 0,
    write: (bytes: string | Uint8Array) =>
      written.push(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString()),
    destroy() {
      socket.destroyed = true
    },
    ...Object.fromEntries(
      ["ref", "unref", "cork", "uncork", "pause", "resume"].map((name) => [name, () => void calls.push(name)]),
    ),
  })
  const raw = { socket: socket as unknown as Socket, listen: (listener: typeof take) => void (take = listener) }
  const connection = openConnection(raw, () => void (idle += 1))
  const controller = new AbortController()
  const send = (body: readonly Uint8Array[] = []) =>
    connection.send({
      head: "POST / HTTP/1.1\r\n\r\n",
      body,
      signal: controller.signal,
      watched: () => true,
      thrown: (error) => new Error(`thrown: ${error.message}`),
    })
  return {
    connection,
    socket,
    calls,
    written,
    controller,
    send,
    say: (text: string) => take(Buffer.from(text)),
    idle: () => idle,
  }
}

const head = (...headers: readonly string[]) => ["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n")
const empty = head("content-length: 0")

async function piecesOf(body: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const pieces: string[] = []
  for await (const bytes of body) pieces.push(Buffer.from(bytes).toString())
  return pieces
}

test("a connection is usable before a request and after its response, not during it", async () => {
  const { connection, send, say, calls, written, idle } = opened()
  assert.equal(connection.usable, true)
  const answer = send([Buffer.from("a"), Buffer.from("b")])
  assert.deepEqual([connection.usable, written], [false, ["POST / HTTP/1.1\r\n\r\n", "a", "b"]])
  assert.deepEqual(calls, ["ref", "cork", "uncork"])
  say(head("content-length: 2"))
  assert.deepEqual([(await answer).status, connection.usable, idle()], [200, false, 0])
  say("ok")
  assert.deepEqual([connection.usable, idle(), calls.at(-1)], [true, 1, "unref"])
  assert.deepEqual(await piecesOf((await answer).body), ["ok"])
})

test("a closed connection, and one whose other end is closed, are not usable", () => {
  for (const change of [{ destroyed: true }, { writable: false }]) {
    const { connection, socket } = opened()
    Object.assign(socket, change)
    assert.equal(connection.usable, false, JSON.stringify(change))
  }
  const { connection, socket } = opened()
  connection.close()
  assert.deepEqual([socket.destroyed, connection.usable], [true, false])
})

test("a connection is used until a second before the time that the server announces", async () => {
  for (const [announced, usable] of [
    ["timeout=1", false],
    ["timeout=0", false],
    ["timeout=5, max=100", true],
    ["max=100, timeout=1", false],
    ["max=100", true],
  ] as const) {
    const { connection, send, say } = opened()
    const answer = send()
    say(head("content-length: 0", `keep-alive: ${announced}`))
    await answer
    assert.equal(connection.usable, usable, announced)
  }
})

test("a response without an end of its own, with a request that is not read, or with `close`, ends the connection", async () => {
  const closing = opened()
  const closed = closing.send()
  closing.say(head("content-length: 0", "connection: close"))
  await closed
  const early = opened()
  early.socket.writableLength = 1
  const answered = early.send()
  early.say(empty)
  await answered
  const open = opened()
  const unbounded = open.send()
  open.say(`${head()}ab`)
  open.socket.emit("end")
  assert.deepEqual(await piecesOf((await unbounded).body), ["ab"])
  for (const { connection, socket, idle } of [closing, early, open])
    assert.deepEqual([socket.destroyed, connection.usable, idle()], [true, false, 0])
})

test("a body has no empty pieces, and one that is cut fails", async () => {
  const { send, say, socket } = opened()
  const answer = send()
  say(head("content-length: 3"))
  say("a")
  const { body } = await answer
  const pieces = piecesOf(body)
  say("b")
  socket.emit("close")
  await assert.rejects(pieces, { message: "thrown: the connection was closed" })
})

test("data that nobody asked for closes the connection", () => {
  const { socket, say } = opened()
  say("x")
  assert.equal(socket.destroyed, true)
})

test("a connection that ends before a response is stale if it was used before, and nothing was received", async () => {
  const first = opened()
  const failed = first.send()
  first.socket.emit("close")
  await assert.rejects(failed, { message: "thrown: the connection was closed" })
  const again = async (end: (played: ReturnType<typeof opened>) => void) => {
    const played = opened()
    const answer = played.send()
    played.say(empty)
    await answer
    const next = played.send().catch((error: unknown) => error)
    end(played)
    return (await next) as Error
  }
  const closed = await again(({ socket }) => socket.emit("close"))
  assert.ok(closed instanceof StaleConnection && closed.message === "the connection was closed")
  assert.ok((await again(({ socket }) => socket.emit("error", new Error("reset")))) instanceof StaleConnection)
  const heard = await again(({ say, socket }) => {
    say("HTTP/1.1 2")
    socket.emit("close")
  })
  assert.equal(heard.message, "thrown: the connection was closed")
  const aborted = await again(({ controller }) => controller.abort(new Error("stopped")))
  assert.equal(aborted.message, "thrown: stopped")
})

test("an aborted request is not written, and an abort ends the connection", async () => {
  const before = opened()
  before.controller.abort(new Error("stopped"))
  await assert.rejects(before.send(), { message: "thrown: stopped" })
  const during = opened()
  const answer = during.send()
  during.controller.abort(new Error("stopped"))
  await assert.rejects(answer, { message: "thrown: stopped" })
  assert.deepEqual([before.written, before.socket.destroyed, during.socket.destroyed], [[], true, true])
})

test("an abort after the response has no effect", async () => {
  const { send, say, controller, socket, connection } = opened()
  const answer = send()
  say(empty)
  await answer
  controller.abort()
  assert.deepEqual([socket.destroyed, connection.usable], [false, true])
})

test("a response that cannot be read is an error, and ends the connection", async () => {
  const { send, say, socket } = opened()
  const answer = send()
  say("no http\r\n\r\n")
  await assert.rejects(answer, /^Error: thrown: /)
  assert.equal(socket.destroyed, true)
})

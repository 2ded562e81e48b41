import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { test } from "node:test"
import { execByServer } from "../../../src/host/processes/exec.ts"
import { createProcessTree } from "../../../src/host/processes/process-tree.ts"

const skip = process.platform !== "linux" && "a socket without a name in the file system"

/** Two ends of a connection within this process. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const path = `\0gong-exec-${process.pid}`
  const server = createServer().listen(path)
  await once(server, "listening")
  const near = connect(path)
  const [far] = (await once(server, "connection")) as [Socket]
  server.close()
  return [near, far]
}

test("output is not lost if the event loop is blocked after the exit of a program", { skip }, async () => {
  const [near, far] = await pair()
  const exited = Promise.withResolvers<{ code: number; signal: null }>()
  const closed = once(near, "close").then(() => undefined)
  const started = { pid: 1, stdout: near, stderr: null, status: null, kill: () => undefined, unref: () => undefined }
  const server = { start: async () => ({ ...started, exited: exited.promise, closed }) }
  let out = ""
  const running = execByServer(
    server,
    ["program"],
    {
      cwd: "/",
      env: {},
      signal: new AbortController().signal,
      onData: (bytes) => void (out += Buffer.from(bytes).toString()),
    },
    createProcessTree(""),
  )
  await new Promise((resolve) => setImmediate(resolve))
  exited.resolve({ code: 0, signal: null })
  // What follows the exit runs first, then the block, and only then the loop can read.
  await exited.promise
  await new Promise((resolve) => process.nextTick(resolve))
  far.write("late")
  for (const end = Date.now() + 200; Date.now() < end;);
  setImmediate(() => setImmediate(() => far.end()))
  assert.equal((await running).code, 0)
  assert.equal(out, "late")
})

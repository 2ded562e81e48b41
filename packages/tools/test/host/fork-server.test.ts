import assert from "node:assert/strict"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import type { ExecOptions, Host } from "@gong/spec"
import { alive, killDescendant } from "@gong/testing/processes"
import { createForkServer } from "../../src/host/fork-server/fork-server.ts"
import { acceptStreams } from "../../src/host/fork-server/accept-streams.ts"
import { headerOf } from "../../src/host/fork-server/messages.ts"
import { createLocalHost } from "../../src/host/local.ts"
import { createSpawnQueue } from "../../src/host/processes/spawn-queue.ts"
import { createSharedSpawns, type SharedSpawns } from "../../src/host/shared-spawns.ts"
import { eventually } from "../bash/leftovers.ts"
import { hostCases } from "./host-cases.ts"

const skip = process.platform !== "linux" && "only Linux copies a process to make another one"
/** The server starts all commands, from the first one on. */
function always(): SharedSpawns {
  const server = createForkServer()
  return { queue: createSpawnQueue(4), join: () => undefined, server: () => server }
}

const spawns = always()

function forked(t: Pick<TestContext, "after">, own = spawns): Host {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gong-fork-")))
  t.after(() => rmSync(cwd, { recursive: true, force: true }))
  return createLocalHost({ cwd, spawns: async () => own })
}

hostCases("local over the fork server", (t) => forked(t), { skip })

async function run(host: Host, command: string | readonly string[], more: Partial<ExecOptions> = {}) {
  let [out, err] = ["", ""]
  const result = await host.exec(command, {
    cwd: host.cwd,
    signal: new AbortController().signal,
    onData: (bytes, stream) => {
      if (stream === "stdout") out += Buffer.from(bytes).toString()
      else err += Buffer.from(bytes).toString()
    },
    ...more,
  })
  return { ...result, out, err }
}

test("commands are children of the fork server, one per process for all hosts", { skip }, async (t) => {
  const parents = await Promise.all([forked(t), forked(t)].map((host) => run(host, "echo $PPID; echo two >&2; exit 3")))
  const [first, second] = parents
  assert.deepEqual([first?.code, first?.err], [3, "two\n"])
  assert.notEqual(Number(first?.out), process.pid)
  assert.equal(first?.out, second?.out)
})

test(
  "a command gets its input, descriptor 3 and further descriptors, and long output arrives complete",
  { skip },
  async (t) => {
    let status = ""
    const { out, code } = await run(forked(t), "cat; cat <&4; echo state >&3; head -c 3000000 /dev/zero | tr '\\0' x", {
      input: "input,",
      inputs: [Buffer.from("file,")],
      onStatus: (bytes) => void (status += Buffer.from(bytes).toString()),
    })
    assert.deepEqual([code, status, out.slice(0, 12), out.length], [0, "state\n", "input,file,x", 3_000_011])
  },
)

test("if the fork server dies, its commands are killed, and the next command starts a new one", { skip }, async (t) => {
  const host = forked(t, always())
  const { promise: begun, resolve } = Promise.withResolvers<string>()
  const running = run(host, "echo $$ $PPID; exec sleep 1000", {
    onData: (bytes) => resolve(Buffer.from(bytes).toString()),
  })
  const [command = 0, server = 0] = (await begun).split(" ").map(Number)
  assert.equal(killDescendant(server), true)
  const { code, signal } = await running
  assert.deepEqual([code, signal], [null, "SIGKILL"])
  // On a busy machine a killed process takes its time.
  assert.equal(await eventually(() => !alive(command)), true)
  const after = await run(host, "echo $PPID")
  assert.equal(after.code, 0)
  assert.notEqual(Number(after.out), server)
})

test("a connection without the token is not taken for output of a command", { skip }, async (t) => {
  const path = `\0gong-test-${process.pid}`
  const accepted: [number, string, Socket][] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = acceptStreams("secret", (...one) => {
    accepted.push(one)
    resolve()
  })
  t.after(() => server.close())
  await once(server.listen(path), "listening")
  for (const line of ["guess 1 stdout\n", "secret 1 stdin\n", "secret 1 stdout", `${"x".repeat(500)}\n`]) {
    const stranger = connect(path)
    stranger.on("error", () => undefined).write(line)
    await once(stranger, "close")
  }
  assert.deepEqual(accepted, [])
  connect(path).end(`${headerOf("secret", 7, "stderr")}output`)
  await promise
  const [id, stream, socket] = accepted[0] ?? []
  assert.deepEqual([id, stream], [7, "stderr"])
  const [bytes] = (await once(socket ?? server, "data")) as [Buffer]
  assert.equal(bytes.toString(), "output")
})

test(
  "the server is started by the commands of a second host, and starts those of all from then on",
  { skip },
  async (t) => {
    const own = createSharedSpawns(4)
    const [one, two] = [forked(t, own), forked(t, own)]
    const parentOf = async (host: Host): Promise<number> => Number((await run(host, "echo $PPID")).out)
    assert.deepEqual([await parentOf(one), await parentOf(one), own.server()], [process.pid, process.pid, null])
    const server = await parentOf(two)
    assert.notEqual(server, process.pid)
    assert.equal(await parentOf(one), server)
  },
)

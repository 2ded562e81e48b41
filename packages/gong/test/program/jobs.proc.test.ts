import assert from "node:assert/strict"
import { createServer, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { openStage, ofType, eventsOf } from "./harness.ts"
import { openTerminal, skip } from "./terminal.ts"
import { tether } from "./tether.ts"

/** Seconds after which a command becomes a job: the minimum. */
const soon = ["--set", "bash.timeout=1"]

test("a background job ends with the answer of -p, which is reported", async (t) => {
  const held = await tether(t)
  const stage = await openStage(t, {
    turns: [{ calls: [{ name: "bash", args: { command: held.command } }] }, { text: "It runs." }],
  })
  const run = await stage.gong(["-pq", "--yolo", ...soon, "start it"])
  await held.released
  const title = held.command.slice(0, 30)
  assert.deepEqual([run.status, run.out], [0, "It runs.\n"])
  assert.ok(run.err.startsWith(`gong: ended job 1 (${title}`), run.err)
  assert.equal(run.err.split("\n").length, 2)
})

test("the model reads and ends a job; the events report the job", async (t) => {
  const held = await tether(t)
  const stage = await openStage(t, {
    turns: [
      { calls: [{ name: "bash", args: { command: `echo up; ${held.command}` } }] },
      { calls: [{ name: "bash", args: { job: 1, stop: true } }] },
      { text: "done" },
    ],
  })
  const run = await stage.gong(["--output", "events", "--yolo", ...soon, "go"])
  await held.released
  assert.deepEqual([run.status, run.err], [0, ""])
  const ends = ofType(eventsOf(run), "tool_execution_end")
  assert.deepEqual(
    ends.map(({ status, details }) => [status, details?.["job"]]),
    [
      ["background", 1],
      ["ok", 1],
    ],
  )
  const started = ofType(eventsOf(run), "tool_execution_start")
  assert.equal(started[1]?.title, "end job 1")
})

test("[SAFE-18] all processes of a command end when Gong is killed", async (t) => {
  const held = await tether(t)
  const command = `setsid bash -c '${held.command}' & wait`
  const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command } }] }] })
  const live = stage.start(["-p", "--yolo", "go"])
  await held.held
  live.child.kill("SIGKILL")
  await held.released
})

test("[SAFE-18] processes left by a command end with the session", async (t) => {
  const held = await tether(t)
  const command = `setsid bash -c '${held.command}' >/dev/null 2>&1 & until [ -e /proc/$!/fd/9 ]; do :; done`
  const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command } }] }, { text: "left" }] })
  const run = await stage.gong(["-pq", "--yolo", "go"])
  await held.released
  assert.deepEqual([run.status, run.out, run.err], [0, "left\n", ""])
})

test("exiting a conversation with a job asks; s stays, Enter ends the job", { skip }, async (t) => {
  const held = await tether(t)
  const stage = await openStage(t, {
    turns: [
      { calls: [{ name: "bash", args: { command: held.command } }] },
      { text: "It runs." },
      { text: "Still here." },
    ],
  })
  const terminal = openTerminal(t, stage, ["--yolo", ...soon, "start it"])
  await terminal.until("It runs.")
  await terminal.until("> ")
  terminal.type("\u0004")
  await terminal.until("1 job is running: ")
  await terminal.until("[e]nd it  [k]eep it running  [s]tay: ")
  terminal.type("s\r")
  await terminal.until("> ")
  terminal.type("and now?\r")
  await terminal.until("Still here.")
  await terminal.until("> ")
  terminal.type("\u0004")
  await terminal.until("[s]tay: ")
  terminal.type("\r")
  await held.released
  await terminal.until("gong: ended job 1 (")
  assert.equal(await terminal.ended, 0)
})

test("a kept job continues after the conversation, and its output does not end it", { skip }, async (t) => {
  const beats = await heartbeat(t)
  const stage = await openStage(t, {
    turns: [{ calls: [{ name: "bash", args: { command: beats.command } }] }, { text: "It runs." }],
  })
  const terminal = openTerminal(t, stage, ["--yolo", ...soon, "start it"])
  await terminal.until("It runs.")
  await terminal.until("> ")
  terminal.type("\u0004")
  await terminal.until("[s]tay: ")
  terminal.type("k\r")
  await terminal.until("keeps running; its output is discarded")
  assert.equal(await terminal.ended, 0)
  await beats.more(20)
})

/** A command that prints for ever, and tells us each time that it has done so. */
async function heartbeat(t: TestContext) {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on("error", () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    // Its next heartbeat has no receiver, and it ends.
    for (const socket of sockets) socket.resetAndDestroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    command: `exec 9<>/dev/tcp/127.0.0.1/${port}; while echo beat && echo err >&2 && echo beat >&9; do sleep 0.02; done`,
    /** Resolves after so many more beats; rejects when it ends before. */
    async more(count: number): Promise<void> {
      const [socket] = sockets
      assert.ok(socket, "it has begun")
      let seen = 0
      for await (const piece of socket) {
        seen += String(piece).split("\n").length - 1
        if (seen >= count) return
      }
      assert.fail(`it ended after ${seen} beats`)
    },
  }
}

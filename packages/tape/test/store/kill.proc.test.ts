import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { createTape } from "../../src/index.ts"
import { nodeDisk, nodeMachine, openStore } from "../../src/store/file.ts"
import { testClock, testIds, user } from "../world.ts"

/** Appends for ever and prints each id once it is acknowledged. */
const writer = `
  import { createTape } from ${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)}
  import { createStore, nodeDisk, nodeMachine } from ${JSON.stringify(new URL("../../src/store/file.ts", import.meta.url).href)}
  import { writeSync } from "node:fs"
  import { testIds, testClock, user } from ${JSON.stringify(new URL("../world.ts", import.meta.url).href)}
  const ports = { disk: nodeDisk(), clock: testClock(Date.now()), ids: testIds(), machine: nodeMachine() }
  const tape = createTape(createStore(ports, { sessions: process.argv[1], id: "s1", cwd: "/", workspace: "/" }), ports)
  for (;;) for (const entry of tape.append([user("x".repeat(500)), user("y")], { sync: true })) writeSync(1, entry.id + "\\n")
`

test("a process killed while it writes: its lock is taken at once and every acknowledged entry is present", async () => {
  const sessions = mkdtempSync(join(tmpdir(), "gong-tape-"))
  try {
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", writer, sessions], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    // Its pipe closes a moment before the process is gone, and only then is its lock free.
    const gone = once(child, "exit")
    let printed = ""
    let looked: string | null = null
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      if (looked !== null || printed.length < 13 * 20) continue
      const look = openStore(portsOfTest(), { path: `${sessions}/s1` })
      looked = look.readOnly && englishOf(look.readOnly)
      look.close()
      child.kill("SIGKILL")
    }
    await gone
    assert.match(looked ?? "", new RegExp(`pid ${child.pid}, this machine`))
    const tape = createTape(openStore(portsOfTest(), { path: `${sessions}/s1` }), portsOfTest())
    assert.equal(tape.store.readOnly, null)
    const acknowledged = printed.split("\n").filter((line) => line.length === 12)
    for (const id of acknowledged) assert.ok(tape.has(id), id)
    assert.ok(acknowledged.length >= 20)
    const [next] = tape.append([user("goes on")], { sync: true })
    assert.equal(tape.leaf, next?.id)
    tape.close()
  } finally {
    rmSync(sessions, { recursive: true })
  }
})

function portsOfTest(): Parameters<typeof openStore>[0] {
  return { disk: nodeDisk(), clock: testClock(Date.now()), ids: testIds("b"), machine: nodeMachine() }
}

import assert from "node:assert/strict"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { englishOf } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { extensionHost, type ExtensionHost } from "../src/host/host.ts"
import type { ThreadEvent } from "../src/reporter.ts"
import { ExtensionError } from "../src/host/open-calls.ts"
import { createSharedHosts, type Notify } from "../src/host/shared-hosts.ts"
import { threadOpener } from "../src/host/thread.ts"

const counter = `
let count = 0
export default (gong) => {
  const tool = (name, execute) => gong.tool({ name, description: "d", parameters: { type: "object", properties: {} }, execute })
  tool("count", () => {
    count += 1
    gong.say("counted " + count)
    console.log("printed " + count)
    return String(count)
  })
  tool("wait", (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))))
}
`

/** Sessions over one extension; each has a host of its own to call, and hears its own news. */
function shared(t: TestContext, text = counter) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-shared-")))
  const path = join(folder, "counter.ts")
  writeFileSync(path, text)
  const clock = manualClock()
  const extension = { id: 0, name: "counter", path, folder, boundary: null, settings: {} }
  const begin = { gong: "0", cwd: folder, workspace: folder, cache: null, memory: null, extensions: [extension] }
  const hosts = createSharedHosts()
  const begun: ExtensionHost[] = []
  const open = threadOpener({ clock, env: () => ({}) })
  const make = (notify: Notify): ExtensionHost => {
    const host = extensionHost({ clock, begin, knownTimeouts: [], open, notify })
    begun.push(host)
    return host
  }
  t.after(() => {
    for (const host of begun) host.end()
    rmSync(folder, { recursive: true, force: true })
  })
  const session = (key = "same", fresh = false) => {
    const news: ThreadEvent[] = []
    const host = hosts.attach({ key, fresh, start: make, notify: (one) => void news.push(one) })
    host.begin()
    const call = (tool: string) => host.call({ extension: 0, target: { kind: "tool", key: tool }, args: [{}] })
    return { host, news, call }
  }
  return { session, begun }
}

/** The texts of notices and printed output. */
function textsOf(news: readonly ThreadEvent[]): readonly string[] {
  return news.flatMap((one) => ("text" in one ? [one.text.trim()] : []))
}

test("sessions with the same extensions share a thread, and each receives events of its own calls", async (t) => {
  const { session, begun } = shared(t)
  const [one, two] = [session(), session()]
  assert.deepEqual([await one.call("count"), await two.call("count"), await one.call("count")], ["1", "2", "3"])
  assert.equal(begun.length, 1)
  assert.deepEqual(textsOf(one.news), ["counted 1", "printed 1", "counted 3", "printed 3"])
  assert.deepEqual(textsOf(two.news), ["counted 2", "printed 2"])
})

test("another key and a fresh start have separate threads; later sessions share the newest", async (t) => {
  const { session, begun } = shared(t)
  const first = session()
  await first.call("count")
  assert.equal(await session("other").call("count"), "1")
  const fresh = session("same", true)
  assert.equal(await fresh.call("count"), "1")
  assert.equal(await session().call("count"), "2")
  assert.equal(await first.call("count"), "2")
  assert.equal(begun.length, 3)
})

test("the end of a session aborts its own calls, and the end of the last one ends the thread", async (t) => {
  const { session, begun } = shared(t)
  const [one, two] = [session(), session()]
  await one.call("count")
  const waiting = one.call("wait").catch((error: unknown) => error)
  await one.call("count")
  one.host.end()
  const error = await waiting
  assert.ok(error instanceof ExtensionError && error.exited)
  await assert.rejects(one.call("count"), /the session has ended/)
  assert.deepEqual([one.host.ended, two.host.ended, begun[0]?.ended], [true, false, false])
  assert.equal(await two.call("count"), "3")
  two.host.end()
  assert.equal(begun[0]?.ended, true)
  assert.equal(await session().call("count"), "1")
  assert.equal(begun.length, 2)
})

test("a session that attaches later is notified of extensions that are off", async (t) => {
  const { session } = shared(t, "throw new Error('broken')")
  const first = session()
  await first.host.registrations
  const second = session()
  for (const { news, host } of [first, second]) {
    const [off] = news
    assert.ok(off?.kind === "off" && host.isOff(0))
    assert.match(englishOf(off.problem.message), /broken/)
  }
})

test("a call whose extension ignores the abort ends with its session", async (t) => {
  const deaf = counter.replace('signal.addEventListener("abort", () => resolve("stopped"))', "undefined")
  const { session } = shared(t, deaf)
  const [one, two] = [session(), session()]
  const waiting = one.call("wait").catch((error: unknown) => error)
  await one.call("count")
  one.host.end()
  const error = await waiting
  assert.ok(error instanceof ExtensionError && error.exited)
  assert.equal(await two.call("count"), "2")
})

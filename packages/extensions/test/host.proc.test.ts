import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { englishOf } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { extensionHost } from "../src/host/host.ts"
import type { ThreadEvent } from "../src/reporter.ts"
import type { CallTarget } from "../src/protocol.ts"
import { threadOpener } from "../src/host/thread.ts"

/** Real threads with a manual clock, so that no test waits for a hang. */
function openHost(t: TestContext, files: Readonly<Record<string, string>>, cache: string | null = null) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-extensions-")))
  const extensions = Object.entries(files).map(([name, text], id) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return { id, name: name.replace(/\..*/, ""), path, folder, boundary: null, settings: {} }
  })
  const clock = manualClock()
  const news: ThreadEvent[] = []
  const waiting = new Map<string, () => void>()
  const host = extensionHost({
    clock,
    begin: { gong: "0", cwd: folder, workspace: folder, cache: cache && join(folder, cache), memory: null, extensions },
    knownTimeouts: [],
    open: threadOpener({ clock, env: () => ({}) }),
    notify(one) {
      news.push(one)
      if (one.kind === "notice") waiting.get(one.text)?.()
    },
  })
  host.begin()
  t.after(() => {
    host.end()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    clock,
    host,
    news,
    /** Extensions that are off, with location and the start of the reason. */
    off: () =>
      news.flatMap((one) => {
        if (one.kind !== "off") return []
        const { path, line, message } = one.problem
        return [
          `${one.extension.name} ${path?.slice(folder.length + 1) ?? "?"}:${line ?? "?"} ${englishOf(message).slice(0, 24)}`,
        ]
      }),
    stray: () => news.flatMap((one) => (one.kind === "unhandled" ? [englishOf(one.problem.message)] : [])),
    /** Resolves when an extension has printed this line. */
    output: (text: string) =>
      new Promise<void>((resolve) => {
        if (news.some((one) => one.kind === "notice" && one.text === text)) resolve()
        else waiting.set(text, resolve)
      }),
    call: (extension: number, key: string, args: readonly unknown[] = [{}]) =>
      host.call({ extension, target: { kind: "tool", key }, args }),
  }
}

/** The load outcome of each extension that is off. */
function loadsOf(news: readonly ThreadEvent[]) {
  return news.flatMap((one) => (one.kind === "off" ? [`${one.extension.name} ${one.load}`] : []))
}

/** An extension with one tool with this body. */
const withTool = (name: string, body: string) =>
  `export default (gong) => { gong.tool({ name: "${name}", description: "d", parameters: { type: "object" },\n  async execute(args, { signal }) {\n${body}\n} }) }\n`

/** An extension with a command with this body, which answers. */
const withCommand = (body: string) =>
  `export default (gong) => { gong.command({ name: "x", about: "x", run() { ${body}; return "ok" } }) }\n`

const exited = { name: "ExtensionError", exited: true }

test("an endless loop on load: the thread is ended, the extension is named with its line, the others are loaded", async (t) => {
  const at = openHost(t, {
    "first.js": withTool("one", "return 1"),
    "hangs.ts": `export default function (gong: { say(text: string): void }): void {\n  gong.say("now")\n  for (;;) {}\n}\n`,
    "last.js": withTool("two", "return 2"),
  })
  await at.output("now")
  await at.clock.advance(7_000)
  const offers = await at.host.registrations
  assert.deepEqual([...offers.keys()], [0, 2])
  assert.deepEqual(at.off(), ["hangs hangs.ts:3 it gave no sign for 5 s "])
  assert.deepEqual(loadsOf(at.news), ["hangs timeout"])
  assert.deepEqual([await at.call(0, "one"), await at.call(2, "two")], [1, 2])
})

test("an endless loop in a call turns that extension off; open calls fail, later ones are answered by the new thread", async (t) => {
  const at = openHost(t, {
    "good.js": withTool("wait", "await new Promise((resolve) => setTimeout(resolve, args.ms))\nreturn args.ms"),
    "hangs.js": `export default (gong) => {\n  gong.tool({ name: "spin", description: "d", parameters: { type: "object" }, execute() {\n    gong.say("now")\n    let i = 0\n    while (i >= 0) i = (i + 1) % 7\n  } })\n}\n`,
  })
  await at.host.registrations
  const waits = at.call(0, "wait", [{ ms: 1e8 }])
  const spins = at.call(1, "spin")
  const failed = Promise.all([
    assert.rejects(spins, { ...exited, message: /^it gave no sign for 5 s/ }),
    assert.rejects(waits, { ...exited, message: "another extension ended the thread that it shares" }),
  ])
  await at.output("now")
  await at.clock.advance(7_000)
  await failed
  assert.deepEqual(at.off(), ["hangs hangs.js:5 it gave no sign for 5 s "])
  assert.deepEqual(loadsOf(at.news), ["hangs null"])
  assert.equal(await at.call(0, "wait", [{ ms: 1 }]), 1)
  await assert.rejects(at.call(1, "spin"), { ...exited, message: "the extension hangs is off; /reload loads it again" })
  assert.deepEqual([at.host.isOff(0), at.host.isOff(1)], [false, true])
})

test("an answer or registration that is nested too deep is refused, and the extensions keep working", async (t) => {
  const at = openHost(t, {
    "deep.js": withTool("nest", "let value = []\nfor (let i = 0; i < args.levels; i++) value = [value]\nreturn value"),
    "offers.js": `export default (gong) => {\n  let schema = {}\n  for (let i = 0; i < 3000; i++) schema = { items: schema }\n  gong.tool({ name: "x", description: "d", parameters: { type: "object", properties: { a: schema } }, execute: () => 1 })\n}\n`,
  })
  assert.deepEqual([...(await at.host.registrations).keys()], [0])
  assert.deepEqual(at.off(), ["offers ?:? what it registers is nes"])
  const says = (message: RegExp) => ({ name: "ExtensionError", message })
  await assert.rejects(at.call(0, "nest", [{ levels: 3000 }]), says(/^its answer is nested more than 500 levels deep$/))
  await assert.rejects(at.call(0, "nest", [{ levels: 100_000 }]), says(/^its answer cannot be written as JSON: /))
  assert.deepEqual(await at.call(0, "nest", [{ levels: 1 }]), [[]])
})

test("an extension that answers pings is left alone, however long its work takes and however busy this thread is", async (t) => {
  const at = openHost(t, {
    "slow.js": withTool(
      "slow",
      "return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')))",
    ),
  })
  await at.host.registrations
  const stop = new AbortController()
  const target: CallTarget = { kind: "tool", key: "slow" }
  const slow = at.host.call({ extension: 0, target, args: [{}] }, { signal: stop.signal })
  for (let second = 0; second < 30; second++) {
    await at.clock.advance(1_000)
    // The thread's ping answer arrives in real time.
    await at.call(0, "none").catch(() => undefined)
  }
  stop.abort()
  assert.equal(await slow, "stopped")
  assert.deepEqual(at.off(), [])
})

test("a call that ignores an abort is abandoned after 5 s", async (t) => {
  const at = openHost(t, {
    "deaf.js": withTool("deaf", "return new Promise(() => undefined)"),
    "good.js": withTool("good", "return 1"),
  })
  await at.host.registrations
  const stop = AbortSignal.abort()
  const deaf = at.host.call({ extension: 0, target: { kind: "tool", key: "deaf" }, args: [{}] }, { signal: stop })
  const given = assert.rejects(deaf, {
    name: "ExtensionError",
    exited: false,
    message: "the extension did not stop in time",
  })
  for (let second = 0; second < 6; second++) {
    await at.call(1, "good")
    await at.clock.advance(1_000)
  }
  await given
  assert.deepEqual(at.off(), [])
})

test("process.exit and too much memory end the thread, and the called extension is named; after five exits all are off", async (t) => {
  const at = openHost(t, {
    "leaves.js": withTool("leave", "process.exit(0)"),
    "eats.js": withTool("eat", "const all = []; for (;;) all.push(new Array(1e6).fill(0.5 + all.length))"),
    "good.js": withTool("good", "return 1"),
    "late.js": withCommand("setImmediate(() => process.exit(1))"),
    "other.js": withTool("leave", "process.exit(0)"),
    "nobody.js": withCommand(
      "setImmediate(() => { const all = []; for (;;) all.push(new Array(1e6).fill(0.5 + all.length)) })",
    ),
  })
  const command = (extension: number) => at.host.call({ extension, target: { kind: "command", key: "x" }, args: [""] })
  await at.host.registrations
  await assert.rejects(at.call(0, "leave"), {
    ...exited,
    message: "it ended the thread of extensions: it called process.exit()",
  })
  await assert.rejects(at.call(1, "eat"), { ...exited, message: /needed more than 512 MB of memory/ })
  assert.deepEqual(
    at.off().map((line) => line.split(" ")[0]),
    ["leaves", "eats"],
  )
  assert.equal(await at.call(2, "good"), 1)
  await command(3)
  while (at.off().length < 3) await new Promise(setImmediate)
  assert.match(at.off()[2] ?? "", /^late /)
  // No culprit can be named here.
  await command(5)
  while (at.stray().length < 1) await new Promise(setImmediate)
  assert.equal(await at.call(2, "good"), 1)
  await assert.rejects(at.call(4, "leave"), exited)
  await assert.rejects(at.call(2, "good"), { ...exited, message: "the extension good is off; /reload loads it again" })
})

test("answers are plain data: values without JSON form are omitted or refused, and so are oversized ones", async (t) => {
  const at = openHost(t, {
    "data.js": withTool(
      "data",
      "const loop = {}; loop.loop = loop\nreturn { none: undefined, run: () => 1, date: new Date(0), loop: loop, big: 1n, huge: 'x'.repeat(9e6), not: null }[args.what]",
    ),
  })
  await at.host.registrations
  const give = (what: string) => at.call(0, "data", [{ what }])
  assert.deepEqual(await Promise.all(["none", "run", "date", "not"].map(give)), [
    null,
    null,
    "1970-01-01T00:00:00.000Z",
    null,
  ])
  for (const [what, message] of [
    ["loop", /circular/i],
    ["big", /BigInt/],
    ["huge", /^its answer has 9000002 characters; 8000000 are the most$/],
  ] as const)
    await assert.rejects(give(what), { message })
})

test("compiled copies are reused; a copy of another source is replaced", async (t) => {
  const text = (word: string) => `export default (gong: { say(text: string): void }): void => gong.say("${word}")\n`
  const at = openHost(t, { "a.ts": text("one"), "b.js": "export default () => {}\n" }, ".")
  await at.host.registrations
  const copies = readdirSync(at.folder).filter((name) => /^copy-[0-9a-f]{16}\.json$/.test(name))
  assert.equal(copies.length, 1)
  const copy = join(at.folder, copies[0] ?? "")
  const folder = `../${at.folder.split("/").at(-1)}`
  const again = async (kept: string, word: string): Promise<void> => {
    writeFileSync(copy, kept)
    await openHost(t, { [`${folder}/a.ts`]: text("one") }, folder).output(word)
  }
  const code = 'export default (gong) => gong.say("from the copy")\n'
  await again(JSON.stringify({ source: text("one"), code }), "from the copy")
  for (const other of [JSON.stringify({ source: text("two"), code }), code, "null"]) {
    await again(other, "one")
    assert.equal((JSON.parse(readFileSync(copy, "utf8")) as { source: string }).source, text("one"))
  }
})

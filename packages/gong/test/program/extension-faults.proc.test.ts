import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

function users(stage: Stage, files: Readonly<Record<string, string>>): void {
  const entries = Object.entries(files).map(([name, text]) => [`${stage.gongHome}/extensions/${name}`, text])
  stage.write(Object.fromEntries(entries))
}

/** A default export around some statements. */
const extension = (...statements: readonly string[]): string =>
  `export default function (gong) {\n${statements.join("\n")}\n}\n`

test("errors of a hook, an event listener and a command are reported with file, line and remedy; a failed command sends no message", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [{ name: "ls", args: { path: "." } }] }, { text: "ok" }] })
  const breaks = [
    'gong.hook({ beforeToolCall() { throw new Error("gate broke.") } })',
    'gong.on("agent.start", async () => { throw new TypeError("looked away") })',
    'gong.command({ name: "kaput", about: "a", run() { throw new Error("cmd broke") } })',
  ]
  users(stage, { "bad.js": extension(...breaks) })
  const path = `${stage.gongHome}/extensions/bad.js`
  const { err, status } = await stage.gong(["-p", "go"])
  assert.equal(status, 0)
  assert.ok(
    err.includes(`gong: hook bad, beforeToolCall: gate broke. Mend it at ${path}:2; /reload loads it again.\n`),
    err,
  )
  assert.ok(err.includes(`gong: hook bad, watch: looked away. Mend it at ${path}:3; /reload loads it again.\n`), err)
  const before = stage.server.requests.length
  const failed = await stage.gong(["-p", "/kaput now"])
  assert.deepEqual([failed.status, failed.out], [1, ""])
  assert.ok(failed.err.endsWith(`gong: /kaput: cmd broke (${path}:4)\n`), failed.err)
  const wide = await stage.gong(["-p", "／ｋａｐｕｔ now"])
  assert.deepEqual([wide.status, wide.err.endsWith(`gong: /kaput: cmd broke (${path}:4)\n`)], [1, true], wide.err)
  const rpc = startRpc(t, stage)
  assert.equal((await rpc.refused("prompt", { text: "/kaput" })).message, `/kaput: cmd broke (${path}:4)`)
  assert.match(
    (await rpc.refused("prompt", { text: "/trust yes" })).message,
    /^\/trust works in a conversation only\. /,
  )
  rpc.close()
  await rpc.ended
  assert.equal((await stage.gong(["-p", "／skills"])).status, 1, "and no slip of a command line")
  for (const slash of ["/", "／", "、"]) {
    const own = await stage.gong(["-p", `${slash}settings permission full`])
    assert.deepEqual([own.status, own.out], [1, ""])
    assert.match(
      own.err,
      /gong: \/settings works in a conversation only\. Start with a blank to send it as a message.\n$/,
    )
  }
  assert.equal(stage.server.requests.length, before)
})

test("the crash of an extension after a run is reported in the user's language", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [{ name: "ls", args: { path: "." } }] }, { text: "ok" }] })
  const gate = ["gong.hook({ beforeToolCall() {", "for (;;) {}", "} })"]
  users(stage, { "spin.js": extension(...gate, 'gong.on("agent.end", () => undefined)') })
  const { err } = await stage.gong(["-p", "go"], { env: { LANG: "zh_CN.UTF-8" } })
  assert.match(err, /^gong: ls 未执行：理由是：把关的“spin”没有及时回答。$/m)
  assert.match(err, /spin\.js:3: 5 秒没有动静，已被终止。/)
})

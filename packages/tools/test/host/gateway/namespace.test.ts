import assert from "node:assert/strict"
import { readFileSync, readlinkSync } from "node:fs"
import { test } from "node:test"
import { openNamespace } from "../../../src/host/gateway/namespace/namespace.ts"
import { noGateway } from "./gateway-fixture.ts"

const uid = process.getuid?.() ?? null
const options = { bwrap: "/usr/bin/bwrap", nsenter: "/usr/bin/nsenter", uid }

test(
  "the holder of a network may bind low ports and nothing else, in its own user namespace unless root",
  { skip: noGateway },
  async (t) => {
    const namespace = await openNamespace(options)
    t.after(() => namespace.close())
    const status = readFileSync(`/proc/${namespace.pid}/status`, "utf8")
    const [, rights] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? []
    assert.equal(Number.parseInt(rights ?? "", 16), 1 << 10)
    const of = (name: string) => [process.pid, namespace.pid].map((pid) => readlinkSync(`/proc/${pid}/ns/${name}`))
    const [own, inside] = of("user")
    assert.equal(own === inside, uid === 0)
    assert.notEqual(...(of("net") as [string, string]))
    assert.deepEqual(namespace.enter, [
      "/usr/bin/nsenter",
      `--target=${namespace.pid}`,
      "--net",
      ...(uid === 0 ? [] : ["--user"]),
      "--preserve-credentials",
      "--",
    ])
  },
)

test("after its end a namespace opens nothing", { skip: noGateway }, async () => {
  const namespace = await openNamespace(options)
  assert.equal(namespace.closed, false)
  const server = await namespace.listen("127.0.0.1", 80)
  server.close()
  await assert.rejects(namespace.connect("127.0.0.1", 81), { code: "ECONNREFUSED" })
  namespace.close()
  assert.equal(namespace.closed, true)
  await assert.rejects(namespace.listen("127.0.0.1", 82), { message: "the network of the session has ended" })
})

test("a namespace that cannot start rejects with the reason", { skip: noGateway }, async () => {
  await assert.rejects(openNamespace({ ...options, bwrap: "/none/bwrap" }), { message: /ENOENT/ })
  await assert.rejects(openNamespace({ ...options, bwrap: "/bin/false" }), {
    message: "the network of the session has ended",
  })
})

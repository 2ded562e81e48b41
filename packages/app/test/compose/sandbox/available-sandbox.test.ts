import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf } from "@gong/spec"
import { createMemoryHost } from "@gong/tools/host/memory"
import { folder } from "@gong/testing/folder"
import { availableSandbox } from "../../../src/compose/sandbox/available-sandbox.ts"
import { servicesOf } from "../services.ts"

type Deps = Parameters<typeof availableSandbox>[0]

async function found(t: TestContext, more: { readonly platform?: string; readonly hostId?: string }) {
  const home = folder(t)
  const { platform = "linux", hostId = "local" } = more
  const services = { ...servicesOf(t), platform }
  const host = createMemoryHost({ id: hostId, cwd: "/w", files: {} })
  const config = { home, host }
  const deps = { services, config, persistent: true, host: async () => host } as unknown as Deps
  const { bwrap, reason } = await availableSandbox(deps, { fresh: false })
  return { home, bwrap, reason: reason && englishOf(reason) }
}

test("there is no sandbox on another system, or for a session on another host", async (t) => {
  for (const [more, reason] of [
    [{ platform: "darwin" }, "this version has none for darwin"],
    [{ platform: "win32" }, "this version has none for win32"],
    [{ hostId: "far" }, "the session works on another host, far"],
    [{ hostId: "far", platform: "darwin" }, "the session works on another host, far"],
  ] as const) {
    const { bwrap, reason: given, home } = await found(t, more)
    assert.deepEqual([bwrap, given], [null, reason])
    assert.throws(() => readFileSync(join(home, "sandbox.json")), { code: "ENOENT" })
  }
})

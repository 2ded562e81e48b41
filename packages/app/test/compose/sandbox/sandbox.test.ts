import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf, type Host } from "@gong/spec"
import { createMemoryHost } from "@gong/tools/host/memory"
import type { SandboxMode } from "@gong/config/session-spec"
import type { Settings } from "@gong/config/settings/resolve"
import { folder } from "@gong/testing/folder"
import { availableSandbox } from "../../../src/compose/sandbox/available-sandbox.ts"
import { bwrapPath, nsenterPath } from "../../../src/compose/sandbox/programs.ts"
import {
  chooseSandbox,
  levelOf,
  readRevealed,
  type Sandbox,
  sandboxInfo,
} from "../../../src/compose/sandbox/sandbox.ts"
import { servicesOf } from "../services.ts"

type Deps = Parameters<typeof chooseSandbox>[0]

interface Machine {
  readonly values?: Readonly<Record<string, unknown>>
  readonly platform?: string
  readonly persistent?: boolean
  readonly home?: string
  /** The exit status of bubblewrap; null: it was killed. */
  readonly code?: number | null
}

/** A session on a machine on which each start of bubblewrap has this result. */
function place(t: TestContext, { values = {}, platform = "linux", persistent = true, home, code = 0 }: Machine) {
  const probes: (readonly string[])[] = []
  const local = createMemoryHost({ id: "local", cwd: "/w", files: {} })
  const exec: Host["exec"] = async (argv, { onData }) => {
    probes.push([argv].flat())
    onData?.(Buffer.from("bubblewrap 0.8.0\n"), "stdout")
    return { code, signal: null } as Awaited<ReturnType<Host["exec"]>>
  }
  const host = { ...local, exec }
  const all = { sandbox: null, network: "on", permission: null, "sandbox.reveal": [], ...values }
  const origins = { sandbox: "--sandbox", network: "--network" }
  const config = { home: home ?? folder(t), host, settings: { values: all, origins } }
  const deps = { services: { ...servicesOf(t), platform }, config, persistent, host: async () => host }
  return { deps: deps as unknown as Deps, probes, home: config.home }
}

async function chosen(t: TestContext, machine: Machine): Promise<unknown> {
  const found = await chooseSandbox(place(t, machine).deps)
  if (!found.ok) return found.error.lines.join("\n")
  const { mode, network, bwrap, reason } = found.value
  return [mode, network, bwrap === null ? null : bwrap.features.modes, reason === null ? null : englishOf(reason)]
}

const mac = "this version has none for darwin"

test("a sandbox that is only the default is off where there is none, with the reason", async (t) => {
  const on = (values: Machine["values"]) => chosen(t, { values: values ?? {}, platform: "darwin" })
  assert.deepEqual(await on({}), ["off", "on", null, mac])
  assert.deepEqual(await on({ permission: "plan" }), ["off", "on", null, mac])
  assert.deepEqual(await on({ permission: "full" }), ["off", "on", null, null])
  assert.deepEqual(await on({ sandbox: "off" }), ["off", "on", null, null])
})

test("a sandbox or a network limit that was requested is an error where there is none", async (t) => {
  const on = (values: Machine["values"]) => chosen(t, { values: values ?? {}, platform: "darwin" })
  const error = (what: string) =>
    `gong: ${what} is not available here: ${mac} (gong doctor explains). --sandbox off runs without it.`
  assert.equal(await on({ sandbox: "workspace" }), error("--sandbox workspace"))
  for (const permission of [null, "plan", "full"])
    assert.equal(await on({ permission, network: "off" }), error("--network off"))
  assert.equal(
    await on({ sandbox: "off", network: "off" }),
    "gong: --network off needs a sandbox: leave out --sandbox off.",
  )
})

const missing = bwrapPath() === null || nsenterPath() === null

test("where bubblewrap works the mode is that of the level, or the given one", { skip: missing }, async (t) => {
  for (const [values, mode, network] of [
    [{}, "workspace", "on"],
    [{ permission: "ask" }, "workspace", "on"],
    [{ permission: "plan" }, "read-only", "on"],
    [{ permission: "plan", network: "off" }, "read-only", "off"],
    [{ permission: "full", network: "off" }, "workspace", "off"],
    [{ network: "hosts" }, "workspace", "hosts"],
    [{ sandbox: "read-only", permission: "full" }, "read-only", "on"],
  ] as const)
    assert.deepEqual(await chosen(t, { values }), [mode, network, true, null], JSON.stringify(values))
  const [mode, , bwrap, reason] = (await chosen(t, { code: null })) as readonly unknown[]
  assert.deepEqual([mode, bwrap, reason], ["off", null, `${bwrapPath()} did not come back`])
})

test(
  "the probe is stored by machine and program, and made again if it is to be fresh",
  { skip: missing },
  async (t) => {
    const { deps, probes, home } = place(t, {})
    const path = join(home, "sandbox.json")
    const found = async (fresh: boolean, from: Deps = deps) => (await availableSandbox(from, { fresh })).bwrap?.features
    const features = await found(false)
    assert.equal(features?.modes, true)
    assert.equal(probes.length, 1)
    const stored = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>
    assert.deepEqual([Object.keys(stored), stored["features"]], [["key", "features"], features])
    assert.deepEqual(await found(false), features)
    assert.equal(probes.length, 1)
    assert.deepEqual(await found(true), features)
    assert.equal(probes.length, 2)
    const { deps: later, probes: own } = place(t, { home, code: null })
    assert.deepEqual(await found(false, later), features, "another session uses it")
    assert.equal(own.length, 0)
    for (const [changed, probed] of [
      [{ ...stored, key: "other" }, true],
      [{ ...stored, features: { filter: true } }, true],
      [{ ...stored, features: { filter: 1, modes: true } }, true],
      [{ ...stored, features: null }, true],
      [{ key: stored["key"], reason: { text: "x" } }, true],
      [{ key: stored["key"], reason: "it is off" }, false],
    ] as const) {
      writeFileSync(path, JSON.stringify(changed))
      const { deps: again, probes: count } = place(t, { home, persistent: false })
      const { bwrap, reason } = await availableSandbox(again, { fresh: false })
      assert.deepEqual([count.length > 0, bwrap !== null], [probed, probed], JSON.stringify(changed))
      assert.equal(reason, probed ? null : "it is off")
    }
  },
)

test(
  "a failed probe is stored with its reason; nothing is stored if results are not to be",
  { skip: missing },
  async (t) => {
    const failed = place(t, { code: null })
    const first = await availableSandbox(failed.deps, { fresh: false })
    const count = failed.probes.length
    assert.ok(first.bwrap === null && count > 0)
    assert.deepEqual(await availableSandbox(failed.deps, { fresh: false }), first)
    assert.equal(failed.probes.length, count)
    const transient = place(t, { persistent: false })
    await availableSandbox(transient.deps, { fresh: false })
    assert.throws(() => readFileSync(join(transient.home, "sandbox.json")), { code: "ENOENT" })
    const unwritable = place(t, { home: join(folder(t, { file: "" }), "file", "home") })
    assert.notEqual((await availableSandbox(unwritable.deps, { fresh: false })).bwrap, null)
  },
)

test("paths that are revealed are read before a sandbox is chosen", async (t) => {
  const lines = await chosen(t, { values: { sandbox: "off", "sandbox.reveal": ["no such secret"] } })
  assert.match(String(lines), /^gong: .*no such secret/)
  const none = await readRevealed(place(t, {}).deps)
  assert.deepEqual(none, { ok: true, value: { names: [], paths: [] } })
})

test("the level without a setting asks only if a user replaces the sandbox", () => {
  const level = (permission: string | null, interactive: boolean, mode: SandboxMode) =>
    levelOf({ values: { permission } } as unknown as Settings, interactive, { mode } as Sandbox)
  assert.equal(level(null, true, "off"), "ask")
  assert.equal(level(null, true, "workspace"), "auto")
  assert.equal(level(null, false, "off"), "auto")
  assert.equal(level("full", true, "off"), "full")
})

test("the first event names what the sandbox enforces", () => {
  const info = (mode: SandboxMode, network: Sandbox["network"], reason: string | null = null) =>
    sandboxInfo({ mode, network, bwrap: null, reason })
  assert.deepEqual(info("off", "on"), { mode: "off", enforced: [] })
  assert.deepEqual(info("off", "on", "none here"), { mode: "off", enforced: [], reason: "none here" })
  assert.deepEqual(info("workspace", "on"), { mode: "workspace", enforced: ["files", "processes"] })
  assert.deepEqual(info("read-only", "hosts").enforced, ["files", "processes", "hosts"])
  assert.deepEqual(info("read-only", "off").enforced, ["files", "processes", "network"])
})

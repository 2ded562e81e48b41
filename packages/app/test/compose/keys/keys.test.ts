import assert from "node:assert/strict"
import { test } from "node:test"
import type { Credential } from "@gong/spec"
import type { CredentialSources } from "@gong/config/credentials"
import { keyNames, keyRing, keySources } from "../../../src/compose/keys/keys.ts"
import type { SessionContext } from "../../../src/compose/config.ts"

const sources: CredentialSources = {
  env: { P_KEY: "sk-provider-000" },
  variables: { p: ["P_KEY", "P_TOKEN"], q: ["Q_KEY"] },
  auth: null,
  runCommand: () => Promise.reject(new Error("not run")),
}

const credential = (key: string): Credential => ({ key, from: "test" })

test("keys of the command line are sources only if they are given", () => {
  const context = (spec: object): SessionContext =>
    ({
      services: { env: { A: "b" } },
      spec,
      config: { registry: { providers: [] }, auth: null },
    }) as unknown as SessionContext
  const { runCommand, ...none } = keySources(context({}))
  assert.equal(typeof runCommand, "function")
  assert.deepEqual(none, { env: { A: "b" }, variables: {}, auth: null })
  const { runCommand: _, ...both } = keySources(context({ apiKey: "sk-1", apiKeyEnv: "MINE" }))
  assert.deepEqual(both, { apiKey: "sk-1", apiKeyEnv: "MINE", env: { A: "b" }, variables: {}, auth: null })
})

test("child processes receive no variable of a key", () => {
  const all = ["GONG_API_KEY", "P_KEY", "P_TOKEN", "Q_KEY"]
  assert.deepEqual(keyNames(sources, {}), all)
  assert.deepEqual(keyNames(sources, { apiKeyEnv: "MINE" }), [...all, "MINE"])
})

test("keys of the start, of later models and of servers are redacted from the time they are known", () => {
  const ring = keyRing(sources, [credential("sk-initial-111"), null, undefined])
  const text = "sk-provider-000 sk-initial-111 sk-server-222 sk-later-333"
  const shown = () => text.split(" ").map((word) => (ring.redact(word) === word ? "shown" : "redacted"))
  assert.deepEqual(shown(), ["redacted", "redacted", "shown", "shown"])
  assert.deepEqual([...ring.initial].toSorted(), ["sk-initial-111", "sk-provider-000"])
  ring.add(["sk-server-222"])
  assert.deepEqual(shown(), ["redacted", "redacted", "redacted", "shown"])
  const opened: unknown[] = []
  const open = ring.tracking((chosen: { readonly credential: Credential | null }) => (opened.push(chosen), "opened"))
  assert.equal(open({ credential: null }), "opened")
  assert.equal(open({ credential: credential("sk-later-333") }), "opened")
  assert.deepEqual(opened, [{ credential: null }, { credential: credential("sk-later-333") }])
  assert.deepEqual(shown(), ["redacted", "redacted", "redacted", "redacted"])
  assert.deepEqual([...ring.secrets()].toSorted(), [
    "sk-initial-111",
    "sk-later-333",
    "sk-provider-000",
    "sk-server-222",
  ])
  assert.equal(ring.initial.length, 2)
})

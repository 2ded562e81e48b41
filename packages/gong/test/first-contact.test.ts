import { english } from "@gong/texts/translator"
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { findProvider, type LocalServer } from "@gong/llm"
import { createTransport } from "@gong/llm/transport"
import { firstContact } from "../src/first-contact.ts"
import type { LineReader } from "../src/terminal/lines.ts"
import type { World } from "../src/world.ts"

/** A person who types these lines, and what they saw. */
function person(answers: readonly string[], local: readonly LocalServer[] = []) {
  const home = mkdtempSync(join(tmpdir(), "gong-first-"))
  const said: string[] = []
  const secrets: boolean[] = []
  const left = [...answers]
  const lines: LineReader = {
    async ask(prompt, options = {}) {
      said.push(prompt)
      secrets.push(options.secret === true)
      return left.shift() ?? null
    },
    onInterrupt: () => undefined,
    reopen: () => undefined,
    close: () => undefined,
  }
  const world = {
    t: english,
    env: { GONG_HOME: home },
    userHome: home,
    cwd: home,
    err: (text: string) => said.push(text),
  }
  const contact = async () => {
    const transport = createTransport()
    try {
      return await firstContact(world as unknown as World, {}, lines, transport, local)
    } finally {
      transport.close()
    }
  }
  return { home, said, secrets, contact }
}

test("an endpoint is asked for, kept for its own origin only, and gone on with", async () => {
  const { home, said, secrets, contact } = person(["9", "2", "4", "http://127.0.0.1:9/v1", "sk-secret-1", "any"])
  try {
    assert.deepEqual(await contact(), { options: { baseUrl: "http://127.0.0.1:9/v1", model: "any" } })
    const auth = join(home, "auth.json")
    assert.deepEqual(JSON.parse(readFileSync(auth, "utf8")), {
      custom: { key: "sk-secret-1", origin: "http://127.0.0.1:9" },
    })
    assert.equal(statSync(auth).mode & 0o777, 0o600)
    const settings = JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))
    assert.deepEqual(settings, { baseUrl: "http://127.0.0.1:9/v1", model: "any" })
    assert.ok(!said.join("").includes("sk-secret-1"))
    assert.deepEqual(secrets, [false, false, false, false, true, false])
  } finally {
    rmSync(home, { recursive: true })
  }
})

test("Enter leaves with the status of a missing configuration, and nothing is kept", async () => {
  const { home, contact } = person([""])
  assert.deepEqual(await contact(), { exit: 2 })
  assert.throws(() => statSync(join(home, "settings.json")))
  rmSync(home, { recursive: true })
})

test("what is half typed is asked again, not kept", async () => {
  const { home, contact } = person(["4", "no url", "4", "http://127.0.0.1:9/v1", "", "", "1", "", ""])
  assert.deepEqual(await contact(), { exit: 2 })
  assert.throws(() => statSync(join(home, "settings.json")))
  rmSync(home, { recursive: true })
})

test("the models on this machine are listed with what they can do, and one is gone on with", async () => {
  const row = findProvider("ollama")
  assert.ok(row)
  const models = [
    { name: "qwen3-coder:30b", tools: true, contextWindow: 262_144, bytes: 18_000_000_000 },
    { name: "gemma2:2b", tools: false, contextWindow: 8192, bytes: 1_600_000_000 },
  ]
  const { home, said, contact } = person(["3", "1"], [{ row, host: "127.0.0.1:11434", models }])
  try {
    assert.deepEqual(await contact(), { options: { model: "ollama/qwen3-coder:30b" } })
    assert.match(said.join(""), /3  A model on this machine      Ollama on 127\.0\.0\.1:11434 with 2 models\n/)
    assert.match(said.join(""), /  1  ollama\/qwen3-coder:30b  tools, 256k context, 18 GB\n/)
    assert.match(said.join(""), /  2  ollama\/gemma2:2b        no tool calls: Gong cannot work with it\n/)
  } finally {
    rmSync(home, { recursive: true })
  }
})

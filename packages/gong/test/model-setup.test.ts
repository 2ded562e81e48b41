import { english } from "@gong/texts/translator"
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { findProvider, type LocalServer } from "@gong/llm"
import { createTransport } from "@gong/llm/transport"
import { lineDialogs } from "../src/modes/plain/line-dialogs.ts"
import { setUpModel } from "../src/model-setup.ts"
import type { LineReader } from "../src/terminal/lines.ts"
import type { Cli } from "../src/cli.ts"

/** Answers the questions with these lines, and records all output. */
function person(answers: readonly string[], local: readonly LocalServer[] = []) {
  const home = mkdtempSync(join(tmpdir(), "gong-first-"))
  const shown: string[] = []
  const secrets: boolean[] = []
  const left = [...answers]
  const lines: LineReader = {
    async question(prompt, options = {}) {
      shown.push(prompt)
      secrets.push(options.secret === true)
      return left.shift() ?? null
    },
    onInterrupt: () => undefined,
    onQueued: () => undefined,
    onEscape: () => undefined,
    requeue: () => undefined,
    reopen: () => undefined,
    close: () => undefined,
  }
  const cli = {
    t: english,
    env: { GONG_HOME: home },
    userHome: home,
    cwd: home,
    err: (text: string) => shown.push(text),
  }
  const setUp = async () => {
    const transport = createTransport()
    try {
      return await setUpModel(cli as unknown as Cli, {}, lineDialogs(lines, cli as unknown as Cli), transport, local)
    } finally {
      transport.close()
    }
  }
  return { home, shown, secrets, setUp }
}

test("an endpoint is entered, stored for its origin only, and used", async () => {
  const { home, shown, secrets, setUp } = person(["9", "2", "4", "http://127.0.0.1:9/v1", "sk-secret-1", "any"])
  try {
    assert.deepEqual(await setUp(), { options: { baseUrl: "http://127.0.0.1:9/v1", model: "any" } })
    const auth = join(home, "auth.json")
    assert.deepEqual(JSON.parse(readFileSync(auth, "utf8")), {
      custom: { key: "sk-secret-1", origin: "http://127.0.0.1:9" },
    })
    assert.equal(statSync(auth).mode & 0o777, 0o600)
    const settings = JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))
    assert.deepEqual(settings, { baseUrl: "http://127.0.0.1:9/v1", model: "any" })
    assert.ok(!shown.join("").includes("sk-secret-1"))
    assert.deepEqual(secrets, [false, false, false, false, true, false])
  } finally {
    rmSync(home, { recursive: true })
  }
})

test("Enter exits with status 2 and stores nothing", async () => {
  const { home, setUp } = person([""])
  assert.deepEqual(await setUp(), { exit: 2 })
  assert.throws(() => statSync(join(home, "settings.json")))
  rmSync(home, { recursive: true })
})

test("incomplete input is asked again and not stored", async () => {
  const { home, setUp } = person(["4", "no url", "4", "http://127.0.0.1:9/v1", "", "", "1", "", ""])
  assert.deepEqual(await setUp(), { exit: 2 })
  assert.throws(() => statSync(join(home, "settings.json")))
  rmSync(home, { recursive: true })
})

test("models on this machine are listed with their capabilities, and one is chosen", async () => {
  const row = findProvider("ollama")
  assert.ok(row)
  const models = [
    { name: "qwen3-coder:30b", tools: true, contextWindow: 262_144, bytes: 18_000_000_000 },
    { name: "gemma2:2b", tools: false, contextWindow: 8192, bytes: 1_600_000_000 },
  ]
  const { home, shown, setUp } = person(["3", "1"], [{ row, host: "127.0.0.1:11434", models }])
  try {
    assert.deepEqual(await setUp(), { options: { model: "ollama/qwen3-coder:30b" } })
    assert.match(shown.join(""), /3  A model on this machine      Ollama on 127\.0\.0\.1:11434 with 2 models\n/)
    assert.match(shown.join(""), /  1  ollama\/qwen3-coder:30b  tools, 256k context, 18 GB\n/)
    assert.match(shown.join(""), /  2  ollama\/gemma2:2b        no tool calls: Gong cannot work with it\n/)
  } finally {
    rmSync(home, { recursive: true })
  }
})

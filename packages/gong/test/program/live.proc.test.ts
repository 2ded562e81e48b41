import assert from "node:assert/strict"
import { test } from "node:test"
import { providers } from "@gong/llm"
import { eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"

/**
 * The end-to-end tier: a real model, 120 s for each test. Off unless it is asked for: GONG_E2E names a provider, whose key
 * and default model (or GONG_E2E_MODEL) are taken; GONG_E2E_BASE_URL and GONG_E2E_MODEL any server, with GONG_E2E_API in its wire format.
 */
const { GONG_E2E, GONG_E2E_BASE_URL, GONG_E2E_MODEL, GONG_E2E_API, GONG_E2E_KEY } = process.env

/** The stage points at its own scripted model; the provider's default is wanted instead. */
const nothing = { GONG_MODEL: undefined, GONG_BASE_URL: undefined, GONG_API: undefined, GONG_API_KEY: undefined }

function target(): {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
} | null {
  if (GONG_E2E_BASE_URL && GONG_E2E_MODEL) {
    const key = GONG_E2E_KEY ? ["--api-key", GONG_E2E_KEY] : []
    // The key of the scripted model must not go to another server.
    const env = { GONG_API_KEY: undefined }
    const api = GONG_E2E_API ? ["--api", GONG_E2E_API] : []
    return { args: ["--base-url", GONG_E2E_BASE_URL, "-m", GONG_E2E_MODEL, ...api, ...key], env }
  }
  const row = providers.find(({ id }) => id === GONG_E2E)
  const model = GONG_E2E_MODEL ?? row?.defaultModel
  const variables = [...(row?.keys ?? []), ...(row?.hostKey ? [row.hostKey] : [])].filter((name) => process.env[name])
  if (!row || !model || (row.keys.length > 0 && variables.length === 0)) return null
  const given = Object.fromEntries(variables.map((name) => [name, process.env[name]]))
  return { args: ["-m", `${row.id}/${model}`], env: { ...nothing, ...given } }
}

const live = target()
const skip = live === null && "no model: set GONG_E2E_BASE_URL and GONG_E2E_MODEL, or GONG_E2E=PROVIDER and its key"
const options = { skip, timeout: 120_000 }

/** The rows of the provider that is asked; where none is, all of them wait for one. */
const tested = ["openai", "google", "deepseek", "groq", "xai", "ollama", "mistral"]
const rows = live === null ? tested : tested.filter((id) => id === GONG_E2E)
const row = (number: number) => rows.map((id) => ` [PROVIDER-${id.toUpperCase()}.${number}]`).join("")

async function ask(stage: Stage, ...args: readonly string[]) {
  assert.ok(live)
  const run = await stage.gong([...live.args, ...args], { env: live.env })
  assert.equal(run.status, 0, run.err)
  return run
}

test(`[AGENT-2.1]${row(1)} a live model answers 2+2`, options, async (t) => {
  const stage = await openStage(t)
  assert.match((await ask(stage, "-p", "What is 2+2? Answer with the number.")).out, /4/)
})

test(`[AGENT-2.2]${row(2)} a live model reads a file with the read tool`, options, async (t) => {
  const stage = await openStage(t)
  stage.write({ "note.txt": "The word is heron.\n" })
  const run = await ask(stage, "--output", "events", "Read note.txt with the read tool and tell me the word in it.")
  const calls = ofType(eventsOf(run), "tool_execution_end").filter(
    ({ name, status }) => name === "read" && status === "ok",
  )
  assert.ok(calls.length > 0)
  assert.match(resultOf(run).text, /heron/)
})

test(`[AGENT-2.3]${row(3)} a live reply streams: start, deltas, end`, options, async (t) => {
  const stage = await openStage(t)
  const lines = eventsOf(await ask(stage, "--output", "events", "--partial", "Count from 1 to 5."))
  const types = lines.map(({ type }) => type).filter((type) => type.startsWith("message_"))
  const [, first] = types
  assert.equal(first, "message_start")
  assert.ok(types.includes("message_update"))
  assert.equal(types.at(-1), "message_end")
})

test(`[AGENT-2.4]${row(4)} a live model remembers the turn before`, options, async (t) => {
  const stage = await openStage(t)
  await ask(stage, "-p", "Remember the word heron. Answer OK.")
  assert.match((await ask(stage, "-p", "-c", "Which word did I ask you to remember?")).out, /heron/)
})

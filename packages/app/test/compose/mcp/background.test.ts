import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { conversation, type ConversationOptions } from "../../slash/conversation.ts"
import { servicesOf } from "../services.ts"

const program = fileURLToPath(import.meta.resolve("@gong/testing/mcp/stdio-server.mjs"))

const tool = (name: string) => ({ name, description: "Add.", inputSchema: { type: "object" } })

/** A session with one server of this program, and its notifications about servers. */
async function withServer(t: TestContext, offer: object, options: ConversationOptions) {
  const file = join(servicesOf(t).temp, "offer.json")
  writeFileSync(file, JSON.stringify(offer))
  const entry = { command: process.execPath, args: [program, file], sandbox: false }
  const files = { "home/mcp.json": JSON.stringify({ mcpServers: { math: entry, off: { ...entry, disabled: true } } }) }
  const talk = await conversation(t, { ...options, files })
  const { session, mcp } = talk.controller.current
  const notes: string[] = []
  session.subscribe((step) => {
    if ("notification" in step && step.notification.code === "mcp") notes.push(step.notification.text)
  })
  const state = (): string => mcp.rows().find(({ name }) => name === "math")?.state.kind ?? "none"
  return { ...talk, mcp, notes, state, offer: (value: object) => writeFileSync(file, JSON.stringify(value)) }
}

/** Waits without a time limit of its own until this holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200_000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(holds())
}

test("a conversation lists the tools of new servers after its first run, and no earlier", async (t) => {
  const { mcp, prompt, state } = await withServer(t, { tools: [tool("add")] }, { spec: { interactive: true } })
  await mcp.load()
  assert.equal(state(), "idle")
  assert.equal(await prompt("go"), "done")
  await until(() => state() === "ready")
  assert.deepEqual(mcp.rows().find(({ name }) => name === "math")?.tools, ["math__add"])
  assert.equal(mcp.rows().find(({ name }) => name === "off")?.state.kind, "off")
})

test("a process for one prompt starts no server that it does not use", async (t) => {
  const { mcp, prompt, state } = await withServer(t, { tools: [tool("add")] }, {})
  assert.equal(await prompt("go"), "done")
  await mcp.load()
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(state(), "idle")
})

test("a server that fails in the background fails quietly; a call names it with the reason", async (t) => {
  const { prompt, state, server, notes } = await withServer(
    t,
    { tools: [], before: "it broke\n", exitAt: "tools/list" },
    { spec: { interactive: true }, turns: [{ text: "One." }, { calls: [{ name: "mcp", args: { query: "add" } }] }] },
  )
  assert.equal(await prompt("go"), "done")
  await until(() => state() !== "idle" && state() !== "starting")
  assert.equal(await prompt("again"), "done")
  const sent = JSON.stringify(server.requests.at(-1)?.body)
  assert.match(sent, /math is not available: [^"]*it ended with status 3/)
  assert.deepEqual(notes, [])
})

test("a search of tools ignores upper case in names and descriptions", async (t) => {
  const many = [
    tool("readInvoice"),
    tool("PayInvoice"),
    { ...tool("send"), description: "Sends an INVOICE." },
    tool("x"),
  ]
  const { prompt, server } = await withServer(
    t,
    { tools: many },
    { turns: [{ calls: [{ name: "mcp", args: { query: "InvOice pay" } }] }] },
  )
  assert.equal(await prompt("go"), "done")
  const body = server.requests.at(-1)?.body as
    | { readonly messages: readonly { readonly content: string }[] }
    | undefined
  const found = body?.messages.at(-1)?.content ?? ""
  assert.deepEqual(found.match(/^math__\w+$/gm), ["math__PayInvoice", "math__readInvoice", "math__send"])
})

import { checkKey, ollamaModels, type ProviderRow, providers, recognizeKey } from "@gong/llm"
import { createTransport } from "@gong/llm/transport"
import type { Options } from "./config/flags.ts"
import { homeFolder } from "./config/home.ts"
import { editFile } from "./config/settings/write.ts"
import { signalAfter } from "./ports.ts"
import type { LineReader } from "./terminal/lines.ts"
import type { World } from "./world.ts"

/** What the user chose: options to begin again with, or leaving with this exit status. */
export type Contact = { readonly options: Options } | { readonly exit: number }

interface Talk {
  readonly world: World
  readonly options: Options
  readonly lines: LineReader
  readonly home: string
}

/** Milliseconds in which a server on this machine has to answer. */
const localWait = 150
const checkWait = 15_000

/** A first run without a model: five ways on (interface 6.2). Nothing is sent anywhere before one is chosen. */
export async function firstContact(world: World, options: Options, lines: LineReader): Promise<Contact> {
  const talk: Talk = { world, options, lines, home: homeFolder(world.env, world.userHome, world.cwd) }
  const transport = createTransport({ env: world.env })
  const local = await ollamaModels(transport, signalAfter(localWait))
  transport.close()
  world.err(`${menu(local)}\n`)
  for (;;) {
    const answer = (await lines.ask("1-5, Enter leaves > "))?.trim() ?? ""
    if (answer === "") return { exit: 2 }
    const contact = await chosen(talk, answer, local ?? [])
    if (contact) return contact
  }
}

function menu(local: readonly string[] | null): string {
  const ollama =
    local === null
      ? "Ollama is not running on 127.0.0.1:11434  (ollama serve)"
      : `Ollama on 127.0.0.1:11434 with ${local.length} ${local.length === 1 ? "model" : "models"}`
  return [
    "No model yet. Pick one:",
    "  1  I have an API key            paste it; the provider is recognised (sk-ant-, sk-or-, gsk_, xai-, ...)",
    "  2  Log in                       not in this version yet",
    `  3  A model on this machine      ${ollama}`,
    "  4  Any compatible endpoint      base URL, key, model",
    "  5  Watch the demo",
  ].join("\n")
}

/** Null: ask again. */
async function chosen(talk: Talk, answer: string, local: readonly string[]): Promise<Contact | null> {
  switch (answer) {
    case "1":
      return withKey(talk)
    case "3":
      return withLocal(talk, local)
    case "4":
      return withEndpoint(talk)
    case "5":
      return { exit: await (await import("./commands/demo/demo.ts")).demo(talk.world, talk.options) }
    case "2":
      talk.world.err("Logging in is not in this version yet; an API key works.\n")
      return null
    default:
      talk.world.err("Type a number from 1 to 5, or Enter to leave.\n")
      return null
  }
}

async function withKey(talk: Talk): Promise<Contact | null> {
  const { world, lines } = talk
  const key = (await lines.ask("Key (not shown): ", { secret: true }))?.trim() ?? ""
  if (key === "") return null
  const row = recognizeKey(key) ?? (await askProvider(talk))
  if (!row) return null
  const transport = createTransport({ env: world.env })
  const problem = await checkKey(row, key, transport, signalAfter(checkWait))
  transport.close()
  if (problem?.kind === "auth") {
    world.err(`${problem.message}. It was not kept.\n`)
    return null
  }
  if (!(await keepKey(talk, row.id, key, row.baseUrl))) return null
  const checked = problem ? `could not be checked (${problem.message})` : "works"
  world.err(`The ${row.name} key ${checked}; it is kept in ${talk.home}/auth.json for ${row.baseUrl} only.\n`)
  const model = row.defaultModel ?? (await lines.ask(`Model of ${row.name}: `))?.trim()
  return model ? { options: { ...talk.options, model: `${row.id}/${model}` } } : null
}

/** A key is kept for the address that it was given for, and goes to no other. */
async function keepKey({ world, home }: Talk, provider: string, key: string, baseUrl: string): Promise<boolean> {
  const kept = await editFile(home, "auth.json", [[[provider], { key, origin: new URL(baseUrl).origin }]])
  if (!kept.ok) world.err(`${kept.error.lines.join("\n")}\n`)
  return kept.ok
}

async function askProvider({ world, lines }: Talk): Promise<ProviderRow | null> {
  const rows = providers.filter((row) => row.keys.length > 0)
  world.err(`Whose key is it? ${rows.map((row) => row.id).join(", ")}\n`)
  const name = (await lines.ask("Provider: "))?.trim()
  const row = rows.find(({ id }) => id === name)
  if (!row && name) world.err(`No provider "${name}". For another one take 4.\n`)
  return row ?? null
}

async function withLocal({ world, options, lines }: Talk, local: readonly string[]): Promise<Contact | null> {
  if (local.length === 0) {
    world.err("No model was found on 127.0.0.1:11434. Start one: ollama serve, then: ollama pull qwen3-coder\n")
    return null
  }
  world.err(`${local.map((name, index) => `  ${index + 1}  ${name}`).join("\n")}\n`)
  const name = local[Number(await lines.ask(`1-${local.length} > `)) - 1]
  return name === undefined ? null : { options: { ...options, model: `ollama/${name}` } }
}

async function withEndpoint(talk: Talk): Promise<Contact | null> {
  const { world, options, lines, home } = talk
  const baseUrl = (await lines.ask("Base URL, as http://127.0.0.1:8080/v1: "))?.trim() ?? ""
  if (!URL.canParse(baseUrl)) {
    if (baseUrl !== "") world.err(`${baseUrl} is no URL.\n`)
    return null
  }
  const key = (await lines.ask("Key (not shown; Enter for none): ", { secret: true }))?.trim() ?? ""
  const model = (await lines.ask("Model: "))?.trim() ?? ""
  if (model === "") return null
  if (key !== "" && !(await keepKey(talk, "custom", key, baseUrl))) return null
  const kept = await editFile(home, "settings.json", [
    [["baseUrl"], baseUrl],
    [["model"], model],
  ])
  world.err(kept.ok ? `Kept in ${home}/settings.json.\n` : `${kept.error.lines.join("\n")}\n`)
  return { options: { ...options, baseUrl, model } }
}

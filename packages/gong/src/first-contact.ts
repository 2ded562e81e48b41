import { type LocalServer, type ProviderRow, providers, recognizeKey } from "@gong/llm"
import type { ClosableTransport } from "@gong/llm/transport"
import { describeLocal } from "@gong/app/compose/models/local"
import { checkAndKeep, customGoal, type KeyGoal, providerGoal } from "@gong/app/compose/keys/keep-key"
import type { Options } from "./command-line/flags.ts"
import { homeFolder } from "@gong/config/home"
import { editFile } from "@gong/config/settings/write"
import type { LineReader } from "./terminal/lines.ts"
import { printable } from "@gong/texts/printable"
import type { World } from "./world.ts"
import type { Translate } from "@gong/texts/translator"
import { usageLines } from "@gong/config/usage"

/** What the user chose: options to begin again with, or leaving with this exit status. */
export type Contact = { readonly options: Options } | { readonly exit: number }

interface Talk {
  readonly world: World
  readonly options: Options
  readonly lines: LineReader
  readonly home: string
  readonly transport: ClosableTransport
}

/** A first run without a model: five ways on (interface 6.2). Nothing is sent anywhere before one is chosen. */
export async function firstContact(
  world: World,
  options: Options,
  lines: LineReader,
  transport: ClosableTransport,
  local: readonly LocalServer[],
): Promise<Contact> {
  const home = homeFolder(world.env, world.userHome, world.cwd)
  const talk: Talk = { world, options, lines, home, transport }
  world.err(`${menu(world.t, local)}\n`)
  for (;;) {
    const answer = (await lines.ask(world.t`1-5, Enter leaves > `))?.trim() ?? ""
    if (answer === "") return { exit: 2 }
    const contact = await chosen(world.t, talk, answer, local)
    if (contact) return contact
  }
}

function menu(t: Translate, local: readonly LocalServer[]): string {
  const found = local.map(({ row, host, models }) => t`${nameOf(row)} on ${host} with ${counted(t, models.length)}`)
  const here = found.length > 0 ? found.join(", ") : t`Ollama is not running on 127.0.0.1:11434  (ollama serve)`
  return [
    t`No model yet. Pick one:`,
    t`  1  I have an API key            paste it; the provider is recognised (sk-ant-, sk-or-, gsk_, xai-, ...)`,
    t`  2  Log in                       not in this version yet`,
    t`  3  A model on this machine      ${here}`,
    t`  4  Any compatible endpoint      base URL, key, model`,
    t`  5  Watch the demo`,
  ].join("\n")
}

function nameOf({ name }: ProviderRow): string {
  return name.replace(/ on this machine$/, "")
}

function counted(t: Translate, models: number): string {
  return models === 1 ? t`1 model` : t`${models} models`
}

/** Null: ask again. */
async function chosen(
  t: Translate,
  talk: Talk,
  answer: string,
  local: readonly LocalServer[],
): Promise<Contact | null> {
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
      talk.world.err(t`Logging in is not in this version yet; an API key works.\n`)
      return null
    default:
      talk.world.err(t`Type a number from 1 to 5, or Enter to leave.\n`)
      return null
  }
}

async function withKey(talk: Talk): Promise<Contact | null> {
  const { world, lines } = talk
  const key = (await lines.ask(world.t`Key (not shown): `, { secret: true }))?.trim() ?? ""
  if (key === "") return null
  const row = recognizeKey(key) ?? (await askProvider(talk))
  if (!row) return null
  const goal = providerGoal(row, world.env)
  if (!goal.ok) world.err(`${usageLines(world.t, goal.error).join("\n")}\n`)
  if (!goal.ok || !(await tryKey(talk, goal.value, key))) return null
  const model = row.defaultModel ?? (await lines.ask(world.t`Model of ${row.name}: `))?.trim()
  return model ? { options: { ...talk.options, model: `${row.id}/${model}` } } : null
}

/** A key is tried once and kept for the address that it was given for; it goes to no other. */
async function tryKey({ world, home, transport }: Talk, goal: KeyGoal, key: string): Promise<boolean> {
  const done = await checkAndKeep(world.t, home, goal, key, transport)
  world.err(`${done.ok ? done.value.text : usageLines(world.t, done.error).join("\n")}\n`)
  return done.ok && done.value.kept
}

async function askProvider({ world, lines }: Talk): Promise<ProviderRow | null> {
  const rows = providers.filter((row) => row.keys.length > 0)
  world.err(world.t`Whose key is it? ${rows.map((row) => row.id).join(", ")}\n`)
  const name = (await lines.ask(world.t`Provider: `))?.trim()
  const row = rows.find(({ id }) => id === name)
  if (!row && name) world.err(world.t`No provider "${name}". For another one take 4.\n`)
  return row ?? null
}

async function withLocal({ world, options, lines }: Talk, local: readonly LocalServer[]): Promise<Contact | null> {
  const models = local.flatMap(({ row, models: listed }) =>
    listed.map((model) => ({ model, ref: `${row.id}/${model.name}` })),
  )
  if (models.length === 0) {
    world.err(world.t`No model was found on 127.0.0.1:11434. Start one: ollama serve, then: ollama pull qwen3-coder\n`)
    return null
  }
  const width = Math.max(...models.map(({ ref }) => ref.length))
  const rows = models.map(({ model, ref }, index) =>
    `  ${index + 1}  ${ref.padEnd(width)}  ${describeLocal(world.t, model)}`.trimEnd(),
  )
  world.err(`${printable(rows.join("\n"))}\n`)
  const picked = models[Number(await lines.ask(`1-${models.length} > `)) - 1]
  return picked === undefined ? null : { options: { ...options, model: picked.ref } }
}

async function withEndpoint(talk: Talk): Promise<Contact | null> {
  const { world, options, lines, home } = talk
  const baseUrl = (await lines.ask(world.t`Base URL, as http://127.0.0.1:8080/v1: `))?.trim() ?? ""
  const goal = customGoal(baseUrl, options.api)
  if (!goal.ok) {
    if (baseUrl !== "") world.err(`${usageLines(world.t, goal.error).join("\n")}\n`)
    return null
  }
  const key = (await lines.ask(world.t`Key (not shown; Enter for none): `, { secret: true }))?.trim() ?? ""
  const model = (await lines.ask(world.t`Model: `))?.trim() ?? ""
  if (model === "") return null
  if (key !== "" && !(await tryKey(talk, goal.value, key))) return null
  const kept = await editFile(home, "settings.json", () => [
    [["baseUrl"], baseUrl],
    [["model"], model],
  ])
  world.err(kept.ok ? world.t`Kept in ${home}/settings.json.\n` : `${usageLines(world.t, kept.error).join("\n")}\n`)
  return { options: { ...options, baseUrl, model } }
}

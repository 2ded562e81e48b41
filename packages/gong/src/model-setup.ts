import { type LocalServer, type ProviderRow, providers, recognizeKey } from "@gong/llm"
import type { ClosableTransport } from "@gong/llm/transport"
import { describeLocal } from "@gong/app/compose/models/local-model"
import { checkAndStoreKey, customEndpoint, type KeyEndpoint, providerEndpoint } from "@gong/app/compose/keys/store-key"
import type { Options } from "./command-line/flags.ts"
import { homeFolder } from "@gong/config/home"
import { editFile } from "@gong/config/settings/edit-file"
import type { QuestionReader } from "./terminal/lines.ts"
import { printable } from "@gong/texts/printable"
import type { Cli } from "./cli.ts"
import type { Translate } from "@gong/texts/translator"
import { usageLines } from "@gong/config/usage"

/** Options to open the session with, or the exit status. */
export type SetupResult = { readonly options: Options } | { readonly exit: number }

interface SetupContext {
  readonly cli: Cli
  readonly options: Options
  readonly lines: QuestionReader
  readonly home: string
  readonly transport: ClosableTransport
}

/** Lets the user choose a model if none is configured (interface 6.2). Sends nothing before a choice. */
export async function setUpModel(
  cli: Cli,
  options: Options,
  lines: QuestionReader,
  transport: ClosableTransport,
  local: readonly LocalServer[],
): Promise<SetupResult> {
  const home = homeFolder(cli.env, cli.userHome, cli.cwd)
  const context: SetupContext = { cli, options, lines, home, transport }
  cli.err(`${menu(cli.t, local)}\n`)
  for (;;) {
    const answer = (await lines.question(cli.t`1-5, Enter exits > `))?.trim() ?? ""
    if (answer === "") return { exit: 2 }
    const result = await runChoice(cli.t, context, answer, local)
    if (result) return result
  }
}

function menu(t: Translate, local: readonly LocalServer[]): string {
  const found = local.map(({ row, host, models }) => t`${nameOf(row)} on ${host} with ${modelCount(t, models.length)}`)
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

function modelCount(t: Translate, models: number): string {
  return models === 1 ? t`1 model` : t`${models} models`
}

/** Null: the menu is asked again. */
async function runChoice(
  t: Translate,
  context: SetupContext,
  answer: string,
  local: readonly LocalServer[],
): Promise<SetupResult | null> {
  switch (answer) {
    case "1":
      return withKey(context)
    case "3":
      return withLocal(context, local)
    case "4":
      return withEndpoint(context)
    case "5":
      return { exit: await (await import("./commands/demo/demo.ts")).demo(context.cli, context.options) }
    case "2":
      context.cli.err(t`Logging in is not in this version yet; an API key works.\n`)
      return null
    default:
      context.cli.err(t`Type a number from 1 to 5, or Enter to exit.\n`)
      return null
  }
}

async function withKey(context: SetupContext): Promise<SetupResult | null> {
  const { cli, lines } = context
  const key = (await lines.question(cli.t`Key (not shown): `, { secret: true }))?.trim() ?? ""
  if (key === "") return null
  const row = recognizeKey(key) ?? (await askProvider(context))
  if (!row) return null
  const goal = providerEndpoint(row, cli.env)
  if (!goal.ok) cli.err(`${usageLines(cli.t, goal.error).join("\n")}\n`)
  if (!goal.ok || !(await tryKey(context, goal.value, key))) return null
  const model = row.defaultModel ?? (await lines.question(cli.t`Model of ${row.name}: `))?.trim()
  return model ? { options: { ...context.options, model: `${row.id}/${model}` } } : null
}

/** Checks a key with one request and stores it for its origin only. */
async function tryKey({ cli, home, transport }: SetupContext, goal: KeyEndpoint, key: string): Promise<boolean> {
  const done = await checkAndStoreKey(cli.t, home, goal, key, transport)
  cli.err(`${done.ok ? done.value.text : usageLines(cli.t, done.error).join("\n")}\n`)
  return done.ok && done.value.stored
}

async function askProvider({ cli, lines }: SetupContext): Promise<ProviderRow | null> {
  const rows = providers.filter((row) => row.keys.length > 0)
  cli.err(cli.t`Whose key is it? ${rows.map((row) => row.id).join(", ")}\n`)
  const name = (await lines.question(cli.t`Provider: `))?.trim()
  const row = rows.find(({ id }) => id === name)
  if (!row && name) cli.err(cli.t`No provider "${name}". Choose 4 for another one.\n`)
  return row ?? null
}

async function withLocal(
  { cli, options, lines }: SetupContext,
  local: readonly LocalServer[],
): Promise<SetupResult | null> {
  const models = local.flatMap(({ row, models: listed }) =>
    listed.map((model) => ({ model, ref: `${row.id}/${model.name}` })),
  )
  if (models.length === 0) {
    cli.err(cli.t`No model was found on 127.0.0.1:11434. Start one: ollama serve, then: ollama pull qwen3-coder\n`)
    return null
  }
  const width = Math.max(...models.map(({ ref }) => ref.length))
  const rows = models.map(({ model, ref }, index) =>
    `  ${index + 1}  ${ref.padEnd(width)}  ${describeLocal(cli.t, model)}`.trimEnd(),
  )
  cli.err(`${printable(rows.join("\n"))}\n`)
  const picked = models[Number(await lines.question(`1-${models.length} > `)) - 1]
  return picked === undefined ? null : { options: { ...options, model: picked.ref } }
}

async function withEndpoint(context: SetupContext): Promise<SetupResult | null> {
  const { cli, options, lines, home } = context
  const baseUrl = (await lines.question(cli.t`Base URL, for example http://127.0.0.1:8080/v1: `))?.trim() ?? ""
  const goal = customEndpoint(baseUrl, options.api)
  if (!goal.ok) {
    if (baseUrl !== "") cli.err(`${usageLines(cli.t, goal.error).join("\n")}\n`)
    return null
  }
  const key = (await lines.question(cli.t`Key (not shown; Enter for none): `, { secret: true }))?.trim() ?? ""
  const model = (await lines.question(cli.t`Model: `))?.trim() ?? ""
  if (model === "") return null
  if (key !== "" && !(await tryKey(context, goal.value, key))) return null
  const stored = await editFile(home, "settings.json", () => [
    [["baseUrl"], baseUrl],
    [["model"], model],
  ])
  cli.err(stored.ok ? cli.t`Stored in ${home}/settings.json.\n` : `${usageLines(cli.t, stored.error).join("\n")}\n`)
  return { options: { ...options, baseUrl, model } }
}

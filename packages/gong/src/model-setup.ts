import { type LocalServer, type ProviderRow, providers, recognizeKey } from "@gong/llm"
import type { ClosableTransport } from "@gong/llm/transport"
import { describeLocal } from "@gong/app/compose/models/local-model"
import { checkAndStoreKey, customEndpoint, type KeyEndpoint, providerEndpoint } from "@gong/app/compose/keys/store-key"
import type { Options } from "./command-line/flags.ts"
import { homeFolder } from "@gong/config/home"
import { editFile } from "@gong/config/settings/edit-file"
import type { Dialogs } from "./modes/dialogs.ts"
import { printableLine } from "@gong/texts/printable"
import type { Cli } from "./cli.ts"
import type { Translate } from "@gong/texts/translator"
import { usageLines } from "@gong/config/usage"

/** Options to open the session with, or the exit status. */
export type SetupResult = { readonly options: Options } | { readonly exit: number }

interface SetupContext {
  readonly cli: Cli
  readonly options: Options
  readonly dialogs: Dialogs
  readonly home: string
  readonly transport: ClosableTransport
}

/** Lets the user choose a model if none is configured (interface 6.2). Sends nothing before a choice. */
export async function setUpModel(
  cli: Cli,
  options: Options,
  dialogs: Dialogs,
  transport: ClosableTransport,
  local: readonly LocalServer[],
): Promise<SetupResult> {
  const home = homeFolder(cli.env, cli.userHome, cli.cwd)
  const context: SetupContext = { cli, options, dialogs, home, transport }
  for (;;) {
    const picked = await dialogs.choose({
      question: cli.t`No model yet. Pick one:`,
      rows: menuRows(cli.t, local),
      enter: cli.t`Enter exits`,
    })
    const choice = choices[picked ?? -1]
    if (choice === undefined) return { exit: 2 }
    const result = await choice(context, local)
    if (result) return result
  }
}

function menuRows(t: Translate, local: readonly LocalServer[]): readonly string[] {
  const found = local.map(({ row, host, models }) => t`${nameOf(row)} on ${host} with ${modelCount(t, models.length)}`)
  const here = found.length > 0 ? found.join(", ") : t`Ollama is not running on 127.0.0.1:11434  (ollama serve)`
  return [
    t`I have an API key            paste it; the provider is recognised (sk-ant-, sk-or-, gsk_, xai-, ...)`,
    t`Log in                       not in this version yet`,
    t`A model on this machine      ${here}`,
    t`Any compatible endpoint      base URL, key, model`,
    t`Watch the demo`,
  ]
}

/** Null: the menu is shown again. */
type Choice = (context: SetupContext, local: readonly LocalServer[]) => Promise<SetupResult | null>

/** In the order of the menu. */
const choices: readonly Choice[] = [
  withKey,
  async ({ cli }) => {
    cli.err(cli.t`Logging in is not in this version yet; an API key works.\n`)
    return null
  },
  withLocal,
  withEndpoint,
  async ({ cli, options }) => ({ exit: await (await import("./commands/demo/demo.ts")).demo(cli, options) }),
]

function nameOf({ name }: ProviderRow): string {
  return name.replace(/ on this machine$/, "")
}

function modelCount(t: Translate, models: number): string {
  return models === 1 ? t`1 model` : t`${models} models`
}

async function withKey(context: SetupContext): Promise<SetupResult | null> {
  const { cli, dialogs } = context
  const key = (await dialogs.line(cli.t`Key (not shown): `, true))?.trim() ?? ""
  if (key === "") return null
  const row = recognizeKey(key) ?? (await askProvider(context))
  if (!row) return null
  const goal = providerEndpoint(row, cli.env)
  if (!goal.ok) cli.err(`${usageLines(cli.t, goal.error).join("\n")}\n`)
  if (!goal.ok || !(await tryKey(context, goal.value, key))) return null
  const model = row.defaultModel ?? (await dialogs.line(cli.t`Model of ${row.name}: `))?.trim()
  return model ? { options: { ...context.options, model: `${row.id}/${model}` } } : null
}

/** Checks a key with one request and stores it for its origin only. */
async function tryKey({ cli, home, transport }: SetupContext, goal: KeyEndpoint, key: string): Promise<boolean> {
  const done = await checkAndStoreKey(cli.t, home, goal, key, transport)
  cli.err(`${done.ok ? done.value.text : usageLines(cli.t, done.error).join("\n")}\n`)
  return done.ok && done.value.stored
}

async function askProvider({ cli, dialogs }: SetupContext): Promise<ProviderRow | null> {
  const rows = providers.filter((row) => row.keys.length > 0)
  const names = rows.map(({ id, name }) => (id === name.toLowerCase() ? name : `${name} (${id})`))
  const picked = await dialogs.choose({ question: cli.t`Whose key is it?`, rows: names, enter: cli.t`Enter goes back` })
  return rows[picked ?? -1] ?? null
}

async function withLocal(
  { cli, options, dialogs }: SetupContext,
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
  const rows = models.map(({ model, ref }) =>
    printableLine(`${ref.padEnd(width)}  ${describeLocal(cli.t, model)}`).trimEnd(),
  )
  const at = await dialogs.choose({ question: cli.t`Which model?`, rows, enter: cli.t`Enter goes back` })
  const picked = models[at ?? -1]
  return picked === undefined ? null : { options: { ...options, model: picked.ref } }
}

async function withEndpoint(context: SetupContext): Promise<SetupResult | null> {
  const { cli, options, dialogs, home } = context
  const baseUrl = (await dialogs.line(cli.t`Base URL, for example http://127.0.0.1:8080/v1: `))?.trim() ?? ""
  const goal = customEndpoint(baseUrl, options.api)
  if (!goal.ok) {
    if (baseUrl !== "") cli.err(`${usageLines(cli.t, goal.error).join("\n")}\n`)
    return null
  }
  const key = (await dialogs.line(cli.t`Key (not shown; Enter for none): `, true))?.trim() ?? ""
  const model = (await dialogs.line(cli.t`Model: `))?.trim() ?? ""
  if (model === "") return null
  if (key !== "" && !(await tryKey(context, goal.value, key))) return null
  const stored = await editFile(home, "settings.json", () => [
    [["baseUrl"], baseUrl],
    [["model"], model],
  ])
  cli.err(stored.ok ? cli.t`Stored in ${home}/settings.json.\n` : `${usageLines(cli.t, stored.error).join("\n")}\n`)
  return { options: { ...options, baseUrl, model } }
}

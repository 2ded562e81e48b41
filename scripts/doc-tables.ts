import { englishOf } from "@gong/spec"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../packages/gong/src/command-line/commands.ts"
import { type Flag, flags } from "../packages/gong/src/command-line/flags.ts"
import { commands as rpcCommands } from "../packages/app/src/controller/commands.ts"
import { modelsSchema } from "../packages/config/src/models/schema.ts"
import { type Setting, settingNames, settingOf } from "../packages/config/src/settings/schema.ts"
import { locationVariables, secretTable } from "../packages/policy/src/sensitive/secret-table.ts"
import { autorun } from "../packages/policy/src/sensitive/autorun.ts"
import { keyTable, nameOf } from "../packages/gong/src/modes/tui/input/keymap.ts"
import { slashCommands } from "../packages/app/src/slash/registry.ts"
import { catalogueSource, type ModelFacts, snapshotOf } from "../packages/llm/src/catalogue.ts"
import type { ProviderRow } from "../packages/llm/src/provider-row.ts"
import { providers } from "../packages/llm/src/providers.ts"
import { protocol } from "../packages/spec/src/events/event.ts"
import { settingsSchema } from "./settings-schema.ts"
import { rpcSchema } from "./rpc-schema.ts"
import { themeSchema } from "./theme-schema.ts"

/** Documents with generated tables, in their current state: file -> whole text. */
export async function documentsNow(root: string): Promise<ReadonlyMap<string, string>> {
  const now = new Map<string, string>()
  for (const file of Object.keys(tables)) now.set(file, await filled(file, readFileSync(join(root, file), "utf8")))
  now.set("docs/settings.schema.json", `${JSON.stringify(settingsSchema(), null, 2)}\n`)
  now.set("docs/models.schema.json", `${JSON.stringify(modelsSchema, null, 2)}\n`)
  now.set("docs/theme.schema.json", `${JSON.stringify(themeSchema(), null, 2)}\n`)
  return now.set(`docs/rpc-${protocol}.schema.json`, `${JSON.stringify(rpcSchema(root), null, 2)}\n`)
}

/** The text between `<!-- made by npm run docs: NAME -->` and the next `<!-- end -->`. */
const tables: Readonly<Record<string, Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>>>> =
  {
    "docs/cli.md": { commands: commandRows, options: optionRows },
    "docs/commands.md": { slash: slashRows },
    "docs/rpc.md": { rpc: rpcRows },
    "docs/settings.md": { settings: settingRows },
    "docs/terminal.md": { keys: keyRows },
    "docs/models.md": { providers: providerRows, models: modelRows },
    "docs/permissions.md": { autorun: autorunRows, secrets: secretRows, moved: locationVariableRows },
  }

async function filled(file: string, text: string): Promise<string> {
  let now = text
  for (const [name, rows] of Object.entries(tables[file] ?? {})) {
    const begin = `<!-- made by npm run docs: ${name} -->\n`
    const from = now.indexOf(begin) + begin.length
    const to = now.indexOf("<!-- end -->", from)
    if (from < begin.length || to < 0) throw new Error(`${file} has no place for the table "${name}"`)
    now = `${now.slice(0, from)}${(await rows()).join("\n")}\n${now.slice(to)}`
  }
  return now
}

function commandRows(): readonly string[] {
  const rows = commands.flatMap(({ name, help, verbs, value: own }) => {
    const wordy = Object.entries(verbs ?? {}).map(
      ([verb, { value }]) => `\`${[name, verb, value ?? ""].join(" ").trim()}\``,
    )
    return [row([[`\`${[name, own ?? ""].join(" ").trim()}\``, ...wordy].join(", "), help])]
  })
  return [...header(["command", "description"]), ...rows]
}

function slashRows(): readonly string[] {
  const rows = slashCommands.map(({ name, value = "", about }) => row([`\`${`/${name} ${value}`.trim()}\``, about]))
  return [...header(["command", "description"]), ...rows]
}

function keyRows(): readonly string[] {
  const rows = keyTable.map((one) =>
    row([one.keys.map((key) => `\`${key}\``).join(", "), one.about, `\`${nameOf(one)}\``]),
  )
  return [...header(["keys", "effect", "action"]), ...rows]
}

function autorunRows(): readonly string[] {
  const rows = autorun.map(({ program, trigger, names }) =>
    row([englishOf(program), names.map((name) => `\`${name}\``).join(" "), trigger]),
  )
  return [...header(["program", "names (case-insensitive)", "trigger"]), ...rows]
}

function secretRows(): readonly string[] {
  const inHome = (paths: readonly string[]) => paths.map((path) => `\`~/${path}\``).join(" ")
  const rows = Object.entries(secretTable).map(([name, { paths = [], settings = {}, why }]) =>
    row([`\`${name}\``, why, inHome(paths), inHome(Object.keys(settings))]),
  )
  return [...header(["name", "use by an attacker", "hidden", "shown without keys"]), ...rows]
}

function locationVariableRows(): readonly string[] {
  return [
    `${Object.keys(locationVariables)
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
  ]
}

function rpcRows(): readonly string[] {
  const rows = Object.entries(rpcCommands).map(([name, { about, args }]) => {
    const required: readonly string[] = args.required
    const fields = Object.keys(args.properties).map((field) => `\`${field}${required.includes(field) ? "" : "?"}\``)
    return row([`\`${name}\``, fields.join(" "), about])
  })
  return [...header(["command", "fields (`?`: optional)", "description"]), ...rows]
}

function optionRows(): readonly string[] {
  const all: readonly Flag[] = flags
  const groups = Map.groupBy(all, (flag) => flag.group)
  return [...groups].flatMap(([group, members], index) => [
    ...(index === 0 ? [] : [""]),
    `**${group}**`,
    "",
    ...header(["option", "description"]),
    ...members.map((flag) => row([spelling(flag), flag.repeat === true ? `${flag.help}; may be repeated` : flag.help])),
  ])
}

function spelling(flag: Flag): string {
  const value = flag.value ?? flag.choices?.join("|") ?? ""
  const long = `\`${`--${flag.name} ${value}`.trim()}\``
  return flag.short === undefined ? long : `\`-${flag.short}\`, ${long}`
}

function settingRows(): readonly string[] {
  const columns = ["setting", "value", "default", "option", "environment", "project may set it", "description"]
  const rows = settingNames.map((name) => {
    const setting = settingOf(name)
    const option = setting.flag === undefined ? "" : `\`--${dashed(setting.flag)}\``
    const variable = setting.env === undefined ? "" : `\`${setting.env}\``
    const project = setting.userOnly === true ? "no" : "yes"
    return row([`\`${name}\``, valueOf(setting), defaultOf(setting), option, variable, project, setting.about])
  })
  return [...header(columns), ...rows]
}

function dashed(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const kinds: Readonly<Record<Setting["kind"], string>> = {
  text: "text",
  choice: "",
  switch: "true, false",
  whole: "whole number",
  count: "whole number or 0",
  number: "number",
  money: "US dollars",
  duration: 'time, such as "15m"',
  names: "list of names",
  rules: "list of rules",
  places: "list of names and paths",
  keys: "list of keys",
}

function valueOf({ kind, choices }: Setting): string {
  return choices === undefined ? kinds[kind] : choices.map((choice) => `\`${choice}\``).join(", ")
}

function defaultOf(setting: Setting): string {
  const { default: value } = setting
  if (value === null) return "see below"
  return Array.isArray(value) && value.length === 0 ? "none" : `\`${String(value)}\``
}

function providerRows(): readonly string[] {
  const columns = [
    "provider",
    "name",
    "wire formats",
    "base URL",
    "key variables, by precedence",
    "default model",
    "tested with",
  ]
  const rows = providers.map((provider) => {
    const { id, name, baseUrl, keys, defaultModel, local } = provider
    const variables = keys.length === 0 ? "none" : keys.map((key) => `\`${key}\``).join(", ")
    const model = defaultModel === null ? "none" : `\`${defaultModel}\``
    return row([
      `\`${id}\``,
      name,
      formatsOf(provider),
      baseUrl,
      variables,
      model,
      local ? "mock server" : testedWith(provider),
    ])
  })
  return [...header(columns), ...rows]
}

function formatsOf({ api, also }: ProviderRow): string {
  return [api, ...Object.keys(also ?? {})].join(", ")
}

/** The official client libraries read the same bytes and write the same requests. */
function testedWith({ id }: ProviderRow): string {
  return ["anthropic", "openai", "google"].includes(id) ? "mock server, official client" : "mock server"
}

/** Providers with more models, mostly of other vendors, are not listed. */
const mostListed = 60

async function modelRows(): Promise<readonly string[]> {
  const columns = [
    "model",
    "context window",
    "maximum output",
    "reasoning",
    "images",
    "input / output per million tokens",
  ]
  const listed: string[] = []
  const long: string[] = []
  for (const { id } of providers) {
    const models = Object.entries(await snapshotOf(id))
    if (models.length > mostListed) long.push(`\`${id}\` (${models.length})`)
    else listed.push(...models.map(([name, facts]) => row([`\`${id}/${name}\``, ...cellsOf(facts)])))
  }
  const { source, date } = catalogueSource
  const rest = `Providers with many models are not listed here: ${long.join(", ")}; use \`gong models PROVIDER\`.`
  return [`As of ${date}, from ${source}. ${rest}`, "", ...header(columns), ...listed]
}

function cellsOf({ contextWindow, maxOutput, reasoning, images, price }: ModelFacts): readonly string[] {
  const tokens = [contextWindow, maxOutput].map((count) => count.toLocaleString("en-US"))
  const sign = price?.yuanPerDollar === undefined ? "$" : "¥"
  const tiers = (price?.tiers ?? []).map(
    ({ above, input, output }) => `; above ${above.toLocaleString("en-US")}: ${sign}${input} / ${sign}${output}`,
  )
  const cost = price ? `${sign}${price.input} / ${sign}${price.output}${tiers.join("")}` : "unknown"
  return [...tokens, reasoning ? "yes" : "no", images ? "yes" : "no", cost]
}

function header(columns: readonly string[]): readonly string[] {
  return [row(columns), row(columns.map(() => "---"))]
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

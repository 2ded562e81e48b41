import { readFileSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../packages/gong/src/config/commands.ts"
import { type Flag, flags } from "../packages/gong/src/config/flags.ts"
import { type Setting, settingNames, settingOf, settings } from "../packages/gong/src/config/settings/schema.ts"
import { catalogueDate, knownModels, lookUp } from "../packages/llm/src/catalogue.ts"
import { providers } from "../packages/llm/src/providers.ts"

/** The documents that hold tables made from the sources, as they should be now: file -> whole text. */
export function documentsNow(root: string): ReadonlyMap<string, string> {
  const files = Object.keys(tables)
  return new Map(files.map((file) => [file, filled(file, readFileSync(join(root, file), "utf8"))]))
}

/** What stands between `<!-- made by npm run docs: NAME -->` and the next `<!-- end -->`. */
const tables: Readonly<Record<string, Readonly<Record<string, () => readonly string[]>>>> = {
  "docs/cli.md": { commands: commandRows, options: optionRows },
  "docs/settings.md": { settings: settingRows },
  "docs/models.md": { providers: providerRows, models: modelRows },
}

function filled(file: string, text: string): string {
  let now = text
  for (const [name, rows] of Object.entries(tables[file] ?? {})) {
    const begin = `<!-- made by npm run docs: ${name} -->\n`
    const from = now.indexOf(begin) + begin.length
    const to = now.indexOf("<!-- end -->", from)
    if (from < begin.length || to < 0) throw new Error(`${file} has no place for the table "${name}"`)
    now = `${now.slice(0, from)}${rows().join("\n")}\n${now.slice(to)}`
  }
  return now
}

function commandRows(): readonly string[] {
  const rows = commands.flatMap(({ name, help, verbs }) => {
    const wordy = Object.entries(verbs ?? {}).map(
      ([verb, value]) => `\`${[name, verb, value ?? ""].join(" ").trim()}\``,
    )
    return [row([[`\`${name}\``, ...wordy].join(", "), help])]
  })
  return [...header(["command", "what it does"]), ...rows]
}

function optionRows(): readonly string[] {
  const all: readonly Flag[] = flags
  const groups = Map.groupBy(all, (flag) => flag.group)
  return [...groups].flatMap(([group, members], index) => [
    ...(index === 0 ? [] : [""]),
    `**${group}**`,
    "",
    ...header(["option", "what it does"]),
    ...members.map((flag) => row([spelling(flag), flag.repeat === true ? `${flag.help}; may be repeated` : flag.help])),
  ])
}

function spelling(flag: Flag): string {
  const value = flag.value ?? flag.choices?.join("|") ?? ""
  const long = `\`${`--${flag.name} ${value}`.trim()}\``
  return flag.short === undefined ? long : `\`-${flag.short}\`, ${long}`
}

function settingRows(): readonly string[] {
  const columns = ["setting", "value", "default", "option", "environment", "project may set it", "what it does"]
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
  duration: 'time, as "15m"',
  names: "list of names",
}

function valueOf({ kind, choices, later }: Setting): string {
  if (choices === undefined) return kinds[kind]
  return choices
    .filter((choice) => !later?.includes(choice))
    .map((choice) => `\`${choice}\``)
    .join(", ")
}

function defaultOf(setting: Setting): string {
  const { default: value } = setting
  if (value === null) return "see below"
  return Array.isArray(value) && value.length === 0 ? "none" : `\`${String(value)}\``
}

function providerRows(): readonly string[] {
  const columns = ["provider", "who", "wire format", "base URL", "keys, first choice first", "default model"]
  const rows = providers.map(({ id, name, api, baseUrl, keys, defaultModel }) => {
    // What the setting `api` cannot be yet, no provider can speak.
    const spoken = !settings.api.later.some((one) => one === api)
    const variables = keys.length === 0 ? "none needed" : keys.map((key) => `\`${key}\``).join(", ")
    const wire = spoken ? api : `${api} (not spoken in this version)`
    return row([`\`${id}\``, name, wire, baseUrl, variables, defaultModel === null ? "none" : `\`${defaultModel}\``])
  })
  return [...header(columns), ...rows]
}

function modelRows(): readonly string[] {
  const columns = ["model", "context", "longest reply", "thinks", "images", "input / output, $ per million tokens"]
  const rows = knownModels().map((name) => {
    const slash = name.indexOf("/")
    const facts = lookUp(name.slice(0, slash), name.slice(slash + 1))
    if (facts === undefined) throw new Error(`${name} is listed and not known`)
    const price = facts.price ? `${facts.price.input} / ${facts.price.output}` : "not known"
    const tokens = [facts.contextWindow, facts.maxOutput].map((count) => count.toLocaleString("en-US"))
    return row([`\`${name}\``, ...tokens, facts.reasoning ? "yes" : "no", facts.images ? "yes" : "no", price])
  })
  return [`As of ${catalogueDate}:`, "", ...header(columns), ...rows]
}

function header(columns: readonly string[]): readonly string[] {
  return [row(columns), row(columns.map(() => "---"))]
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

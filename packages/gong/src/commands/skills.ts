import { englishOf } from "@gong/spec"
import { resolve } from "node:path"
import { readConfig } from "@gong/app/compose/config"
import { typedDiagnostic } from "@gong/app/compose/extensions/diagnostics"
import { readResources } from "@gong/app/compose/resources/resources"
import type { Options } from "../command-line/flags.ts"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { Library } from "@gong/resources/skills/load-library"
import { truncate, table } from "@gong/texts/table"
import type { Cli } from "../cli.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong skills [list]`, `gong skills validate [PATH]`, `gong skills add SOURCE`: lists, validates and adds skills. */
export function skills(cli: Cli, options: Options, [verb, value]: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    const config = must(await readConfig(cli, options))
    if (verb === "add")
      return must(await (await import("@gong/app/administration/skills/add")).addSkills(cli, config, value ?? ""))
    if (verb === "validate") {
      // A given path is validated alone, without name conflicts.
      const wanted: Options =
        value === undefined ? options : { ...options, bare: true, skill: [fullPath(cli, options, value)] }
      return validationText(cli.t, must(await readResources(cli, wanted, config)).library)
    }
    const { library } = must(await readResources(cli, options, config))
    return options.json === true ? json(library) : listText(cli.t, library)
  })
}

function fullPath(cli: Cli, options: Options, path: string): string {
  return path.startsWith("~/") ? path : resolve(cli.cwd, options.cwd ?? ".", path)
}

function validationText(t: Translate, { skills, templates, diagnostics }: Library): string {
  const [skill, template] = [skills.length, templates.length]
  const found = t`${count(t, skill, "{0} skill", "{0} skills")} and ${count(t, template, "{0} template", "{0} templates")}`
  if (diagnostics.length === 0) return t`${found}: no problems.\n`
  const [first = "", ...rest] = diagnostics.map((one) => typedDiagnostic(t, one))
  const summary = t`${found}: ${problems(t, diagnostics.length)}.`
  return must(usage(first, ...[...rest, summary].map((line) => `gong: ${line}`)))
}

function problems(t: Translate, number: number): string {
  return count(t, number, "{0} problem", "{0} problems")
}

function count(t: Translate, number: number, one: string, many: string): string {
  return t(number === 1 ? one : many, number)
}

/** Maximum columns of a description. */
const width = 60

function listText(t: Translate, { skills, templates, diagnostics }: Library): string {
  const rows = [
    ...skills.map(({ name, description, level, location, disableModelInvocation }) => [
      `/skill:${name}`,
      disableModelInvocation ? t`${t(level)}, command only` : t(level),
      truncate(description, width),
      location,
    ]),
    ...templates.map(({ name, argumentHint, description, level, location }) => [
      `/${name} ${argumentHint}`.trim(),
      t(level),
      truncate(level === "shipped" ? t(description) : description, width),
      location ?? "",
    ]),
  ]
  const lines = rows.length === 0 ? [t`No skills.`] : table(rows.map((row) => row.map((text) => ({ text }))))
  const problemLine = diagnostics.length === 0 ? [] : [t`${problems(t, diagnostics.length)}: gong skills validate`]
  return `${[...lines.map((line) => line.trimEnd()), ...problemLine].join("\n")}\n`
}

function json({ skills, templates, diagnostics }: Library): string {
  const rows = templates.map(({ body: _, ...template }) => template)
  const plainSkills = skills.map(({ body: _, real: __, ...skill }) => skill)
  const plain = diagnostics.map((one) => ({ ...one, text: englishOf(one.text) }))
  return `${JSON.stringify({ skills: plainSkills, templates: rows, diagnostics: plain })}\n`
}

import { resolve } from "node:path"
import { readConfig } from "../build/config.ts"
import { typedDiagnostic } from "../build/diagnostics.ts"
import { resourcesOf } from "../build/resources.ts"
import type { Options } from "../config/flags.ts"
import { attempt, must, type Outcome, usage } from "../config/usage.ts"
import type { Library } from "../skills/load-library.ts"
import { fitted, table } from "../terminal/table.ts"
import type { World } from "../world.ts"
import { say, worded } from "../texts/say.ts"

/** `gong skills [list]`, `gong skills validate [PATH]`, `gong skills add SOURCE`: what there is, what is wrong with it, one more. */
export function skills(world: World, options: Options, [verb, value]: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    const config = must(await readConfig(world, options))
    if (verb === "add") return must(await (await import("./skills/add.ts")).addSkills(world, config, value ?? ""))
    if (verb === "validate") {
      // A path that is named stands alone: nothing else can have its names.
      const wanted: Options =
        value === undefined ? options : { ...options, bare: true, skill: [fullPath(world, options, value)] }
      return verdict(must(await resourcesOf(world, wanted, config)).library)
    }
    const { library } = must(await resourcesOf(world, options, config))
    return options.json === true ? json(library) : listed(library)
  })
}

function fullPath(world: World, options: Options, path: string): string {
  return path.startsWith("~/") ? path : resolve(world.cwd, options.cwd ?? ".", path)
}

function verdict({ skills, templates, diagnostics }: Library): string {
  const [skill, template] = [skills.length, templates.length]
  const found = say`${count(skill, "{0} skill", "{0} skills")} and ${count(template, "{0} template", "{0} templates")}`
  if (diagnostics.length === 0) return say`${found}: nothing is wrong.\n`
  const [first = "", ...rest] = diagnostics.map(typedDiagnostic)
  const sum = say`${found}: ${problems(diagnostics.length)}.`
  return must(usage(first, ...[...rest, sum].map((line) => `gong: ${line}`)))
}

function problems(number: number): string {
  return count(number, "{0} problem", "{0} problems")
}

function count(number: number, one: string, many: string): string {
  return worded(number === 1 ? one : many, number)
}

/** Columns of a description. */
const width = 60

function listed({ skills, templates, diagnostics }: Library): string {
  const rows = [
    ...skills.map(({ name, description, level, location, disableModelInvocation }) => [
      `/skill:${name}`,
      disableModelInvocation ? say`${worded(level)}, only by hand` : worded(level),
      fitted(description, width),
      location,
    ]),
    ...templates.map(({ name, argumentHint, description, level, location }) => [
      `/${name} ${argumentHint}`.trim(),
      worded(level),
      fitted(level === "shipped" ? worded(description) : description, width),
      location ?? "",
    ]),
  ]
  const lines = rows.length === 0 ? [say`No skills.`] : table(rows.map((row) => row.map((text) => ({ text }))))
  const wrong = diagnostics.length === 0 ? [] : [say`${problems(diagnostics.length)}: gong skills validate`]
  return `${[...lines.map((line) => line.trimEnd()), ...wrong].join("\n")}\n`
}

function json({ skills, templates, diagnostics }: Library): string {
  const rows = templates.map(({ body: _, ...template }) => template)
  return `${JSON.stringify({ skills, templates: rows, diagnostics })}\n`
}

import { phrase, type Text, type Trusted, type Diagnostic, firstOfEachName } from "@gong/spec"
import { basename } from "node:path"
import { kindsOf, markdownIn } from "./load-files.ts"
import type { FrontmatterText, TextResult } from "./load-frontmatter.ts"
import type { Source, Sources } from "./load-skills.ts"
import { builtInTemplates } from "./built-in-templates.ts"
import type { Level, Template } from "./skill.ts"
import { invalidPlaceholders } from "./substitute.ts"
import { normalizedName } from "./validate.ts"

export interface TemplateLocations {
  /** Folders of templates, full paths, in order of precedence. */
  readonly user: readonly string[]
  /** A repository's templates act as commands, so they need trust. */
  readonly project: ProjectTemplates | null
  /** Explicitly named files and folders. */
  readonly paths: readonly string[]
  /** False: only `paths`, without the shipped ones. */
  readonly includeDefaults: boolean
}

export interface ProjectTemplates {
  readonly trusted: Trusted
  /** Folders and files relative to its root, in order of precedence. */
  readonly folders: readonly string[]
  /** Folders with folders inside: `git/commit.md` is typed `/git-commit`. */
  readonly nested: readonly string[]
}

export interface LoadedTemplates {
  /** One per name. */
  readonly templates: readonly Template[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the templates of all locations; never fails: a problem of one file is a diagnostic, the others count. */
export async function loadTemplates(
  { user, project, paths, includeDefaults }: TemplateLocations,
  sources: Sources,
): Promise<LoadedTemplates> {
  const own = includeDefaults ? await filesOf("user", user, sources.user) : []
  const projectFiles = includeDefaults && project ? await trustedFiles(project, sources.project) : []
  const files = [...own, ...projectFiles, ...(await filesOf("path", paths, sources.user))]
  const found: Template[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const file of files) {
    const { real, level } = file
    // Two hosts may have files with the same path.
    const fileKey = `${level === "project" ? "project" : "user"} ${real}`
    if (seen.has(fileKey)) continue
    seen.add(fileKey)
    const validated = validate(file, await file.text())
    diagnostics.push(...validated.diagnostics)
    if (validated.template !== null) found.push(validated.template)
  }
  const { first, diagnostics: collisions } = firstOfEachName("template", withoutCopies(found))
  const builtIn = includeDefaults ? builtInTemplates.filter(({ name }) => first.every((one) => one.name !== name)) : []
  return { templates: [...first, ...builtIn], diagnostics: [...diagnostics, ...collisions] }
}

interface TemplateFile {
  readonly path: string
  /** As it is typed after the slash. */
  readonly name: string
  readonly real: string
  readonly level: Level
  text(): Promise<TextResult>
}

async function filesOf(level: Level, locations: readonly string[], source: Source): Promise<readonly TemplateFile[]> {
  const kinds = await kindsOf(source.host, locations)
  const paths: string[] = []
  for (const [at, location] of locations.entries()) {
    if (kinds[at]?.kind === "file") paths.push(location)
    if (kinds[at]?.kind === "folder") paths.push(...(await markdownIn(source.host, location)))
  }
  return withReal(
    source,
    paths.map((path) => ({ path, name: nameOf(basename(path)), level, text: () => source.read(path) })),
  )
}

async function withReal(
  { host }: Source,
  files: readonly Omit<TemplateFile, "real">[],
): Promise<readonly TemplateFile[]> {
  const kinds = await kindsOf(
    host,
    files.map(({ path }) => path),
  )
  return files.map((file, at) => ({ ...file, real: kinds[at]?.real ?? file.path }))
}

/** The trusted ones, with their trusted content: one that the model wrote or changed since is not a command of the user's. */
function trustedFiles(
  { trusted, folders, nested }: ProjectTemplates,
  source: Source,
): Promise<readonly TemplateFile[]> {
  const below = (folder: string, form: RegExp) =>
    [...trusted.files.keys()]
      .filter((path) => path === folder || (path.startsWith(`${folder}/`) && form.test(path.slice(folder.length + 1))))
      .map((name) => ({ name, typed: nameOf(name === folder ? basename(name) : name.slice(folder.length + 1)) }))
  const named = [
    ...folders.flatMap((folder) => below(folder, /^[^/.][^/]*\.md$/i)),
    ...nested.flatMap((folder) => below(folder, /^(?:[^/.][^/]*\/)*[^/.][^/]*\.md$/i)),
  ]
  const files = named.map(({ name, typed }) => {
    const path = `${trusted.root}/${name}`
    const text = async (): Promise<TextResult> => {
      const pinned = await trusted.read(name)
      if (!pinned.ok) return { ok: false, line: 1, problem: phrase`this ${pinned.problem}; it is left out.` }
      return pinned.text === null
        ? { ok: false, line: 1, problem: phrase`this is gone.` }
        : source.read(path, pinned.text)
    }
    return { path, name: typed, level: "project" as const, text }
  })
  return withReal(source, files)
}

/** `path`: relative to the folder of templates. */
function nameOf(path: string): string {
  return normalizedName(path.replace(/\.md$/i, "").replaceAll("/", "-"))
}

/** A copy of another agent's command, as `gong import` makes it, is no collision. */
function withoutCopies(templates: readonly Template[]): readonly Template[] {
  const first = new Map<string, Template>()
  for (const one of templates) if (!first.has(one.name)) first.set(one.name, one)
  return templates.filter((one) => first.get(one.name) === one || first.get(one.name)?.body !== one.body)
}

interface Validated {
  /** Null: unusable. */
  readonly template: Template | null
  readonly diagnostics: readonly Diagnostic[]
}

function validate({ path, name, level }: TemplateFile, read: TextResult): Validated {
  const error = (line: number, text: Text): Diagnostic => ({ type: "error", path, line, text })
  if (!read.ok) return { template: null, diagnostics: [error(read.line, read.problem)] }
  const { body, bodyLine } = read.text
  const problem = problemOf(name, body)
  if (problem !== null) return { template: null, diagnostics: [error(bodyLine, problem)] }
  const template: Template = {
    name,
    description: textField(read.text, "description") || firstLine(body),
    argumentHint: textField(read.text, "argument-hint"),
    location: path,
    level,
    body,
  }
  const diagnostics = invalidPlaceholders(body).map(({ at, form }) =>
    error(
      bodyLine + body.slice(0, at).split("\n").length - 1,
      phrase`${form}: arguments count from 1. Write $1, or $@ for all.`,
    ),
  )
  return { template, diagnostics }
}

function problemOf(name: string, body: string): Text | null {
  if (/\s/.test(name)) return phrase`a name with a blank cannot be typed. Rename the file.`
  return body === "" ? phrase`there is no text in this template. Write what it stands for.` : null
}

const maxShown = 80

function firstLine(body: string): string {
  const line = body.split("\n", 1)[0] ?? ""
  return line.length <= maxShown ? line : `${line.slice(0, maxShown)}...`
}

/** `argument-hint: [file]` is a list in YAML; its source text counts. */
function textField({ header }: FrontmatterText, key: string): string {
  const value = Object.hasOwn(header, key) ? header[key] : undefined
  if (Array.isArray(value)) return `[${value.join(", ")}]`
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
}

import { phrase, type Text, type Trusted, type Diagnostic, firstOfEachName } from "@gong/spec"
import { basename } from "node:path"
import { kindsOf, markdownIn } from "./load-files.ts"
import type { MarkedText, ReadText } from "./load-frontmatter.ts"
import type { Source, Sources } from "./load-skills.ts"
import { shipped } from "./built-in-templates.ts"
import type { Level, Template } from "./skill.ts"
import { wrongIndices } from "./substitute.ts"
import { plainName } from "./validate.ts"

export interface TemplatePlaces {
  /** Folders of templates, full paths, in order of precedence. */
  readonly user: readonly string[]
  /** A repository's templates act as commands, so they need trust. Files and folders relative to its root. */
  readonly project: { readonly trusted: Trusted; readonly folders: readonly string[] } | null
  /** Explicitly named files and folders. */
  readonly paths: readonly string[]
  /** False: only `paths`, without the shipped ones. */
  readonly includeDefaults: boolean
}

export interface LoadedTemplates {
  /** One per name. */
  readonly templates: readonly Template[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the templates of all locations; never fails: a problem of one file is a diagnostic, the others count. */
export async function loadTemplates(
  { user, project, paths, includeDefaults }: TemplatePlaces,
  sources: Sources,
): Promise<LoadedTemplates> {
  const own = includeDefaults ? await filesOf("user", user, sources.user) : []
  const brought = includeDefaults && project ? await trustedFiles(project, sources.project) : []
  const files = [...own, ...brought, ...(await filesOf("path", paths, sources.user))]
  const found: Template[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const { path, real, level, text } of files) {
    // Two hosts may have files with the same path.
    const known = `${level === "project" ? "project" : "user"} ${real}`
    if (seen.has(known)) continue
    seen.add(known)
    const judged = judge(path, level, await text())
    diagnostics.push(...judged.diagnostics)
    if (judged.template !== null) found.push(judged.template)
  }
  const { first, diagnostics: collisions } = firstOfEachName("template", found)
  const ours = includeDefaults ? shipped.filter(({ name }) => first.every((one) => one.name !== name)) : []
  return { templates: [...first, ...ours], diagnostics: [...diagnostics, ...collisions] }
}

interface TemplateFile {
  readonly path: string
  readonly real: string
  readonly level: Level
  text(): Promise<ReadText>
}

async function filesOf(level: Level, places: readonly string[], source: Source): Promise<readonly TemplateFile[]> {
  const kinds = await kindsOf(source.host, places)
  const paths: string[] = []
  for (const [at, place] of places.entries()) {
    if (kinds[at]?.kind === "file") paths.push(place)
    if (kinds[at]?.kind === "folder") paths.push(...(await markdownIn(source.host, place)))
  }
  return withReal(
    source,
    paths.map((path) => ({ path, level, text: () => source.read(path) })),
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
  { trusted, folders }: { readonly trusted: Trusted; readonly folders: readonly string[] },
  source: Source,
): Promise<readonly TemplateFile[]> {
  const isIn = (folder: string) => (path: string) =>
    path === folder || (path.startsWith(`${folder}/`) && /^[^/.][^/]*\.md$/i.test(path.slice(folder.length + 1)))
  const files = folders.flatMap((folder) =>
    [...trusted.files.keys()].filter(isIn(folder)).map((name) => {
      const path = `${trusted.root}/${name}`
      const text = async (): Promise<ReadText> => {
        const pinned = await trusted.read(name)
        if (!pinned.ok) return { ok: false, line: 1, problem: phrase`this ${pinned.problem}; it is left out.` }
        return pinned.text === null
          ? { ok: false, line: 1, problem: phrase`this is gone.` }
          : source.read(path, pinned.text)
      }
      return { path, level: "project" as const, text }
    }),
  )
  return withReal(source, files)
}

interface Judged {
  /** Null: unusable. */
  readonly template: Template | null
  readonly diagnostics: readonly Diagnostic[]
}

function judge(path: string, level: Level, read: ReadText): Judged {
  const error = (line: number, text: Text): Diagnostic => ({ type: "error", path, line, text })
  if (!read.ok) return { template: null, diagnostics: [error(read.line, read.problem)] }
  const { body, bodyLine } = read.text
  const name = plainName(basename(path).replace(/\.md$/i, ""))
  const problem = problemOf(name, body)
  if (problem !== null) return { template: null, diagnostics: [error(bodyLine, problem)] }
  const template: Template = {
    name,
    description: wordOf(read.text, "description") || firstLine(body),
    argumentHint: wordOf(read.text, "argument-hint"),
    location: path,
    level,
    body,
  }
  const diagnostics = wrongIndices(body).map(({ at, form }) =>
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
function wordOf({ header }: MarkedText, key: string): string {
  const value = Object.hasOwn(header, key) ? header[key] : undefined
  if (Array.isArray(value)) return `[${value.join(", ")}]`
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
}

import { basename, dirname } from "node:path"
import { phrase, type SkillScope, type Text, type Diagnostic, firstOfEachName } from "@gong/spec"
import {
  findSkillFiles,
  type FoundFile,
  type FoundFiles,
  type FoundKind,
  kindsOf,
  type ResourceHost,
} from "./load-files.ts"
import type { FrontmatterText, TextResult, TextReader } from "./load-frontmatter.ts"
import type { Level, Skill } from "./skill.ts"
import { descriptionProblem, nameProblems, normalizedName } from "./validate.ts"

export interface SkillLocations {
  /** Folders of skills, full paths, in order of precedence. */
  readonly user: readonly string[]
  readonly project: readonly string[]
  /** Real path that the project's links must not leave. */
  readonly workspace: string
  /** Explicitly named files, skills and folders of skills. */
  readonly paths: readonly string[]
  /** False: only `paths`. */
  readonly includeDefaults: boolean
}

/** Where and how one level is read. */
export interface Source {
  readonly host: ResourceHost
  readonly read: TextReader
}

/** The folder's skills are read on its host, the user's own and named ones on this machine. */
export type Sources = Readonly<Record<"user" | "project", Source>>

export interface LoadedSkills {
  /** One per name. */
  readonly skills: readonly Skill[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds and validates the skills of all locations; never fails: a problem of one file is a diagnostic, the others count. */
export async function loadSkills(
  { user, project, workspace, paths, includeDefaults }: SkillLocations,
  sources: Sources,
): Promise<LoadedSkills> {
  const levels = [
    ...(includeDefaults
      ? ([
          ["user", user],
          ["project", project],
        ] as const)
      : []),
    ["path", paths],
  ] as const
  const skills: Skill[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const [level, locations] of levels) {
    const { host, read } = sources[level === "project" ? "project" : "user"]
    const kinds = await kindsOf(host, locations)
    for (const [at, location] of locations.entries()) {
      const found = kinds[at] ?? { kind: null, real: null }
      const { files, diagnostics: fileDiagnostics } = await filesAt(
        host,
        { ...found, location },
        level === "project" ? workspace : null,
      )
      diagnostics.push(...fileDiagnostics)
      for (const { path, real } of files) {
        // Two hosts may have files with the same path.
        const fileKey = `${level === "project" ? "project" : "user"} ${real}`
        if (seen.has(fileKey)) continue
        seen.add(fileKey)
        const validated = validate({ path, real }, level, await read(path))
        diagnostics.push(...validated.diagnostics)
        if (validated.skill !== null) skills.push(validated.skill)
      }
    }
  }
  const { first, diagnostics: collisions } = firstOfEachName("skill", skills)
  return { skills: first, diagnostics: [...diagnostics, ...collisions] }
}

const nothing: FoundFiles = { files: [], diagnostics: [] }

async function filesAt(
  host: ResourceHost,
  { location, kind, real }: FoundKind & { readonly location: string },
  within: string | null,
): Promise<FoundFiles> {
  if (kind === "file") return { files: [{ path: location, real: real ?? location }], diagnostics: [] }
  return kind === "folder" ? findSkillFiles(host, location, within) : nothing
}

interface Validated {
  /** Null: unusable. */
  readonly skill: Skill | null
  readonly diagnostics: readonly Diagnostic[]
}

/** A skill without a description cannot be selected; any other problem leaves it usable. */
function validate({ path, real }: FoundFile, level: Level, read: TextResult): Validated {
  if (!read.ok) return unusable({ type: "error", path, line: read.line, text: read.problem })
  const { text } = read
  const isSingleFile = basename(path) !== "SKILL.md"
  if (isSingleFile && !text.hasFrontmatter) {
    return unusable({
      type: "warning",
      path,
      line: 1,
      text: phrase`no header, so this is no skill. Give it one, or move it away.`,
    })
  }
  const expected = normalizedName(isSingleFile ? basename(path).replace(/\.md$/i, "") : basename(dirname(path)))
  const name = normalizedName(textField(text, "name"))
  const description = textField(text, "description")
  if (description === "") {
    const line = text.lineOf("description")
    return unusable({
      type: "error",
      path,
      line,
      text: phrase`a skill needs a description: what it does and when to use it. Add \`description: ...\`.`,
    })
  }
  const hidden = text.header["disable-model-invocation"] ?? false
  const problems: (readonly [key: string, problem: Text | null])[] = [
    ...nameProblems(name || expected, expected).map((problem) => ["name", problem] as const),
    ["description", descriptionProblem(description)] as const,
    [
      "disable-model-invocation",
      typeof hidden === "boolean" ? null : phrase`this is true or false. Write one of them.`,
    ] as const,
  ]
  const scope = scopeOf(text.header["scope"])
  if (scope === null)
    problems.push(["scope", phrase`the scope is task, session, or a number of replies. Write one of them.`])
  const skill: Skill = {
    name: name || expected,
    description,
    location: path,
    real,
    body: text.body,
    folder: dirname(path),
    level,
    disableModelInvocation: hidden === true,
    scope: scope ?? defaultScope,
  }
  const diagnostics = problems.flatMap(([key, problem]): readonly Diagnostic[] =>
    problem === null ? [] : [{ type: "warning", path, line: text.lineOf(key), text: problem }],
  )
  return { skill, diagnostics }
}

const defaultScope: SkillScope = "task"

/** Null: not a skill. */
function scopeOf(value: unknown): SkillScope | null {
  if (value === undefined || value === null) return defaultScope
  if (value === "task" || value === "session") return value
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null
}

function unusable(diagnostic: Diagnostic): Validated {
  return { skill: null, diagnostics: [diagnostic] }
}

/** A number or a date counts as its text; a list or an object is invalid. */
function textField({ header }: FrontmatterText, key: string): string {
  const value = Object.hasOwn(header, key) ? header[key] : undefined
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
}

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
import type { MarkedText, ReadText, TextReader } from "./load-frontmatter.ts"
import type { Level, Skill } from "./skill.ts"
import { descriptionProblem, nameProblems, plainName } from "./validate.ts"

export interface SkillPlaces {
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
  { user, project, workspace, paths, includeDefaults }: SkillPlaces,
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
  for (const [level, places] of levels) {
    const { host, read } = sources[level === "project" ? "project" : "user"]
    const kinds = await kindsOf(host, places)
    for (const [at, place] of places.entries()) {
      const found = kinds[at] ?? { kind: null, real: null }
      const { files, diagnostics: wrong } = await filesAt(
        host,
        { ...found, place },
        level === "project" ? workspace : null,
      )
      diagnostics.push(...wrong)
      for (const { path, real } of files) {
        // Two hosts may have files with the same path.
        const known = `${level === "project" ? "project" : "user"} ${real}`
        if (seen.has(known)) continue
        seen.add(known)
        const judged = judge({ path, real }, level, await read(path))
        diagnostics.push(...judged.diagnostics)
        if (judged.skill !== null) skills.push(judged.skill)
      }
    }
  }
  const { first, diagnostics: collisions } = firstOfEachName("skill", skills)
  return { skills: first, diagnostics: [...diagnostics, ...collisions] }
}

const nothing: FoundFiles = { files: [], diagnostics: [] }

async function filesAt(
  host: ResourceHost,
  { place, kind, real }: FoundKind & { readonly place: string },
  within: string | null,
): Promise<FoundFiles> {
  if (kind === "file") return { files: [{ path: place, real: real ?? place }], diagnostics: [] }
  return kind === "folder" ? findSkillFiles(host, place, within) : nothing
}

interface Judged {
  /** Null: unusable. */
  readonly skill: Skill | null
  readonly diagnostics: readonly Diagnostic[]
}

/** A skill without a description cannot be selected; any other problem leaves it usable. */
function judge({ path, real }: FoundFile, level: Level, read: ReadText): Judged {
  if (!read.ok) return none({ type: "error", path, line: read.line, text: read.problem })
  const { text } = read
  const alone = basename(path) !== "SKILL.md"
  if (alone && !text.marked) {
    return none({
      type: "warning",
      path,
      line: 1,
      text: phrase`no header, so this is no skill. Give it one, or move it away.`,
    })
  }
  const expected = plainName(alone ? basename(path).replace(/\.md$/i, "") : basename(dirname(path)))
  const name = plainName(wordOf(text, "name"))
  const description = wordOf(text, "description")
  if (description === "") {
    const line = text.lineOf("description")
    return none({
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

function none(diagnostic: Diagnostic): Judged {
  return { skill: null, diagnostics: [diagnostic] }
}

/** A number or a date counts as its text; a list or an object is invalid. */
function wordOf({ header }: MarkedText, key: string): string {
  const value = Object.hasOwn(header, key) ? header[key] : undefined
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
}

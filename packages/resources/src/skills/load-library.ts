import type { ResourceHost } from "./load-files.ts"
import { textReader } from "./load-frontmatter.ts"
import { type Callable, expandMessage, type Expanded } from "./expand.ts"
import { type LoadedSkills, loadSkills, type SkillPlaces, type Sources } from "./load-skills.ts"
import { type LoadedTemplates, loadTemplates, type TemplatePlaces } from "./load-templates.ts"
import type { Diagnostic } from "@gong/spec"
import type { Skill, Template } from "./skill.ts"

export interface LibraryPlaces {
  /** Locations of the user's own and named files, and of the folder's. */
  readonly hosts: Readonly<Record<"user" | "project", ResourceHost>>
  readonly skills: SkillPlaces
  readonly templates: TemplatePlaces
}

/** The skills and templates of the last scan. */
export interface Library {
  readonly skills: readonly Skill[]
  readonly templates: readonly Template[]
  readonly diagnostics: readonly Diagnostic[]
  /** Scans all locations again, or new ones; unchanged files are not read again. */
  look(others?: LibraryPlaces): Promise<void>
  /** Expands a message. `taken`: names with another meaning. */
  expand(text: string, taken?: Partial<Pick<Callable, "others" | "elsewhere">>): Expanded
}

/** Scans once; never fails. Missing folders cost one check each. */
export async function openLibrary(first: LibraryPlaces): Promise<Library> {
  const { user, project } = first.hosts
  const own = { host: user, read: textReader(user) }
  const sources: Sources = { user: own, project: project === user ? own : { host: project, read: textReader(project) } }
  let skills: LoadedSkills = { skills: [], diagnostics: [] }
  let templates: LoadedTemplates = { templates: [], diagnostics: [] }
  let places = first
  const look = async (others?: LibraryPlaces): Promise<void> => {
    places = others ?? places
    skills = await loadSkills(places.skills, sources)
    templates = await loadTemplates(places.templates, sources)
  }
  await look()
  return {
    get skills() {
      return skills.skills
    },
    get templates() {
      return templates.templates
    },
    get diagnostics() {
      return [...skills.diagnostics, ...templates.diagnostics]
    },
    look,
    expand: (text, { others = [], elsewhere = [] } = {}) =>
      expandMessage(text, { ...skills, ...templates, others, elsewhere }),
  }
}

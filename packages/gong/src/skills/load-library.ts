import type { ResourceHost } from "./load-files.ts"
import { textReader } from "./load-frontmatter.ts"
import { type Callable, expandMessage, type Expanded } from "./expand.ts"
import { type LoadedSkills, loadSkills, type SkillPlaces, type Sources } from "./load-skills.ts"
import { type LoadedTemplates, loadTemplates, type TemplatePlaces } from "./load-templates.ts"
import type { Diagnostic } from "../diagnostic.ts"
import type { Skill, Template } from "./skill.ts"

export interface LibraryPlaces {
  /** Where the user's own files and named ones are, and where those of the folder are. */
  readonly hosts: Readonly<Record<"user" | "project", ResourceHost>>
  readonly skills: SkillPlaces
  readonly templates: TemplatePlaces
}

/** The skills and templates that there are, as of the last look. */
export interface Library {
  readonly skills: readonly Skill[]
  readonly templates: readonly Template[]
  readonly diagnostics: readonly Diagnostic[]
  /** Looks at all places again, or at others from now on; what did not change is not read again. */
  look(others?: LibraryPlaces): Promise<void>
  /** What a message says to the model. `taken`: names that are neither a skill's nor a template's. */
  expand(text: string, taken?: Partial<Pick<Callable, "others" | "elsewhere">>): Expanded
}

/** Looks once; never fails. Where there are no such folders it costs one look at each of their names. */
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

import type { ResourceHost } from "./load-files.ts"
import { textReader } from "./load-frontmatter.ts"
import { type ExpansionContext, expandMessage, type Expanded } from "./expand.ts"
import { type LoadedSkills, loadSkills, type SkillLocations, type Sources } from "./load-skills.ts"
import { type LoadedTemplates, loadTemplates, type TemplateLocations } from "./load-templates.ts"
import type { Diagnostic } from "@gong/spec"
import type { Skill, Template } from "./skill.ts"

export interface LibraryLocations {
  /** Locations of the user's own and named files, and of the folder's. */
  readonly hosts: Readonly<Record<"user" | "project", ResourceHost>>
  readonly skills: SkillLocations
  readonly templates: TemplateLocations
}

/** The skills and templates of the last scan. */
export interface Library {
  readonly skills: readonly Skill[]
  readonly templates: readonly Template[]
  readonly diagnostics: readonly Diagnostic[]
  /** Scans all locations again, or new ones; unchanged files are not read again. */
  scan(newLocations?: LibraryLocations): Promise<void>
  /** Expands a message. `names`: names with another meaning. */
  expand(text: string, names?: Partial<Pick<ExpansionContext, "reserved" | "interactiveOnly">>): Expanded
}

/** Scans once; never fails. Missing folders cost one check each. */
export async function openLibrary(initial: LibraryLocations): Promise<Library> {
  const { user, project } = initial.hosts
  const own = { host: user, read: textReader(user) }
  const sources: Sources = { user: own, project: project === user ? own : { host: project, read: textReader(project) } }
  let skills: LoadedSkills = { skills: [], diagnostics: [] }
  let templates: LoadedTemplates = { templates: [], diagnostics: [] }
  let locations = initial
  const scan = async (newLocations?: LibraryLocations): Promise<void> => {
    locations = newLocations ?? locations
    skills = await loadSkills(locations.skills, sources)
    templates = await loadTemplates(locations.templates, sources)
  }
  await scan()
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
    scan,
    expand: (text, { reserved = [], interactiveOnly = [] } = {}) =>
      expandMessage(text, { ...skills, ...templates, reserved, interactiveOnly }),
  }
}

import { englishOf, phrase, textNotification, libraryFolders, userLibraryFolders } from "@gong/spec"
import { join, resolve } from "node:path"

import type { SessionSpec } from "@gong/config/session-spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import type { TemplateExpander } from "@gong/session/input/template-expander"
import { kindsOf, type ResourceHost } from "@gong/resources/skills/load-files"
import type { Library, LibraryLocations } from "@gong/resources/skills/load-library"
import { plainSlash } from "../../slash-line.ts"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { slashNames } from "../../slash/names.ts"
import { diagnosticPhrases } from "../extensions/diagnostics.ts"

/** Where skills and templates of this user, this folder and this command line are. A named place that is not there is a usage error. */
export async function librarySources(
  services: Services,
  spec: SessionSpec,
  config: Config,
): Promise<Outcome<LibraryLocations>> {
  const { host: project, machine: user } = config
  const where = { cwd: config.workspace.cwd, home: services.userHome, host: user }
  const skills = await named("skill", spec.skill ?? [], where)
  if (!skills.ok) return skills
  const templates = await named("prompt-template", spec.promptTemplate ?? [], where)
  if (!templates.ok) return templates
  const own = userLibraryFolders(config.home, services.userHome)
  const brought = libraryFolders.map((folder) => join(config.workspace.folder, folder))
  const below = (folders: readonly string[], name: string) => folders.map((folder) => join(folder, name))
  const { trusted } = config
  return ok({
    hosts: { user, project },
    skills: {
      user: below(own, "skills"),
      project: below(brought, "skills"),
      workspace: config.workspace.folder,
      paths: skills.value,
      includeDefaults: spec.bare !== true && config.settings.values.skills,
    },
    templates: {
      user: below(own, "prompts"),
      project: trusted && { trusted, folders: libraryFolders.map((folder) => `${folder}/prompts`) },
      paths: templates.value,
      includeDefaults: spec.bare !== true,
    },
  })
}

async function named(
  flag: string,
  paths: readonly string[],
  { cwd, home, host }: { readonly cwd: string; readonly home: string; readonly host: ResourceHost },
): Promise<Outcome<readonly string[]>> {
  const full = paths.map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path)))
  const missing = (await kindsOf(host, full)).findIndex(({ real }) => real === null)
  return missing < 0 ? ok(full) : usage(phrase`--${flag} ${paths[missing]}: there is no such file or folder.`)
}

/**
 * The library as the session uses it: looked at again before each prompt, and what is wrong now is said once. `commands`: of
 * extensions, which have run those that they know.
 */
export function templateExpander(library: Library, commands: () => readonly string[]): TemplateExpander {
  let said = new Set(diagnosticPhrases(library.diagnostics).map(englishOf))
  return {
    // Who sends text of others must not do more by it than ask a model: Gong's own commands are for who sits there.
    expand(text) {
      const plain = plainSlash(text)
      const meant = library.expand(plain, { reserved: commands(), interactiveOnly: slashNames })
      // What nobody takes goes to the model as it was typed.
      return meant.ok && meant.text === plain ? { ok: true, text } : meant
    },
    skillAt: (path) => library.skills.find(({ location, real }) => location === path || real === path) ?? null,
    async refresh() {
      await library.scan()
      const now = diagnosticPhrases(library.diagnostics)
      const fresh = now.filter((one) => !said.has(englishOf(one)))
      said = new Set(now.map(englishOf))
      return fresh.map((one) => textNotification("skill", "warn", one))
    },
  }
}

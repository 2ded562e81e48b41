import { claudeFolder, englishOf, phrase, textNotification, libraryFolders, userLibraryFolders } from "@gong/spec"
import { join, resolve } from "node:path"
import { ok, type Outcome, usage } from "@gong/config/usage"
import type { TemplateExpander } from "@gong/session/input/template-expander"
import { kindsOf, type ResourceHost } from "@gong/resources/skills/load-files"
import type { Library, LibraryLocations } from "@gong/resources/skills/load-library"
import { plainSlash } from "../../slash-line.ts"
import type { SessionContext } from "../config.ts"
import { slashNames } from "../../slash/names.ts"
import { diagnosticPhrases } from "../extensions/diagnostics.ts"

/** The skills and templates of the user, the folder and the command line. A missing named path is a usage error. */
export async function libraryLocations({ services, spec, config }: SessionContext): Promise<Outcome<LibraryLocations>> {
  const { host: project, machine: user } = config
  const base = { cwd: config.workspace.cwd, home: services.userHome, host: user }
  const skills = await namedPaths("skill", spec.skill ?? [], base)
  if (!skills.ok) return skills
  const templates = await namedPaths("prompt-template", spec.promptTemplate ?? [], base)
  if (!templates.ok) return templates
  const userFolders = userLibraryFolders(config.home, services.userHome)
  const projectFolders = libraryFolders.map((folder) => join(config.workspace.folder, folder))
  const below = (folders: readonly string[], name: string) => folders.map((folder) => join(folder, name))
  const { trusted } = config
  return ok({
    hosts: { user, project },
    skills: {
      user: below(userFolders, "skills"),
      project: below(projectFolders, "skills"),
      workspace: config.workspace.folder,
      paths: skills.value,
      includeDefaults: spec.bare !== true && config.settings.values.skills,
    },
    templates: {
      user: below(userFolders, "prompts"),
      project: trusted && {
        trusted,
        folders: libraryFolders.map((folder) => `${folder}/prompts`),
        nested: [`${claudeFolder}/commands`],
      },
      paths: templates.value,
      includeDefaults: spec.bare !== true,
    },
  })
}

async function namedPaths(
  flag: string,
  paths: readonly string[],
  { cwd, home, host }: { readonly cwd: string; readonly home: string; readonly host: ResourceHost },
): Promise<Outcome<readonly string[]>> {
  const full = paths.map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path)))
  const missing = (await kindsOf(host, full)).findIndex(({ real }) => real === null)
  return missing < 0 ? ok(full) : usage(phrase`--${flag} ${paths[missing]}: there is no such file or folder.`)
}

/**
 * The expander of a session: rescans the library before each prompt, and reports new problems once. `commands`: those of
 * extensions, which have already run their own.
 */
export function templateExpander(library: Library, commands: () => readonly string[]): TemplateExpander {
  let reported = new Set(diagnosticPhrases(library.diagnostics).map(englishOf))
  return {
    // A message may contain foreign text, so it never runs Gong's own commands; the user runs those in a conversation.
    expand(text) {
      const plain = plainSlash(text)
      const expanded = library.expand(plain, { reserved: commands(), interactiveOnly: slashNames })
      // An unknown name stays as it was typed.
      return expanded.ok && expanded.text === plain ? { ok: true, text } : expanded
    },
    skillAt: (path) => library.skills.find(({ location, real }) => location === path || real === path) ?? null,
    async refresh() {
      await library.scan()
      const current = diagnosticPhrases(library.diagnostics)
      const added = current.filter((one) => !reported.has(englishOf(one)))
      reported = new Set(current.map(englishOf))
      return added.map((one) => textNotification("skill", "warn", one))
    },
  }
}

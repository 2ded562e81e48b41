import { phrase, type Text, ownFolder, themesFolder, type Diagnostic } from "@gong/spec"
import { join, relative } from "node:path"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, ok, type Outcome } from "@gong/config/usage"
import { type ContextFile, findContextFiles, isInside } from "@gong/resources/prompt/context-files"
import { type OfferedResources, resourceKinds } from "@gong/extensions/protocol"
import { kindsOf } from "@gong/resources/skills/load-files"
import { type Library, type LibraryLocations, openLibrary } from "@gong/resources/skills/load-library"
import type { Skill, Template } from "@gong/resources/skills/skill"
import type { LoadedThemes } from "@gong/resources/themes/load-themes"
import { type Theme, themeFile } from "@gong/resources/themes/theme"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { contextDiagnostics, contextSources } from "./context.ts"
import { diagnosticLines } from "../extensions/diagnostics.ts"
import type { BroughtResources, ExtensionPlace, SessionExtensions } from "../extensions/extension-parts.ts"
import { startExtensions } from "../extensions/extensions.ts"
import { keySources } from "../keys/keys.ts"
import { librarySources } from "./library.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * All that lies in files of the user's and of the folder, or was named on the command line, and is no setting: from every
 * place, each under its name once, with what is wrong with any of it. `/reload` makes another such value.
 */
export interface Resources {
  /** As of the library's last look. */
  readonly skills: readonly Skill[]
  readonly templates: readonly Template[]
  readonly themes: readonly Theme[]
  readonly extensions: SessionExtensions
  readonly contextFiles: readonly ContextFile[]
  readonly diagnostics: readonly Diagnostic[]
  readonly library: Library
}

export interface LoadingResources {
  /** Its gates are asked before the rest is wanted. Never rejects. */
  readonly extensions: Promise<SessionExtensions>
  /** Looks at everything else, and waits for extensions; never rejects for what is wrong with a resource. Called once. */
  all(): Promise<Resources>
  /** At any time; ends the thread of extensions. */
  end(): void
}

/** Begins with extensions, which load in a thread of their own meanwhile. A named place that is not there is a usage error. */
export async function loadResources(place: ExtensionPlace): Promise<Outcome<LoadingResources>> {
  const { services, spec, config } = place
  const places = await librarySources(services, spec, config)
  if (!places.ok) return places
  const starting = startExtensions(place)
  if (!starting.ok) return starting
  const { loaded, end } = starting.value
  return ok({ extensions: loaded, end, all: () => gather(place, places.value, loaded) })
}

async function gather(
  { services, spec, config }: ExtensionPlace,
  places: LibraryLocations,
  loading: Promise<SessionExtensions>,
): Promise<Resources> {
  const contextIn = contextSources(services, spec, config)
  const contextFiles = contextIn === null ? [] : await findContextFiles(contextIn)
  const library = await openLibrary(places)
  const extensions = await loading
  const brought = await broughtBy(extensions.resources, config)
  if (extensions.resources.some(({ paths }) => paths.skills.length > 0 || paths.prompts.length > 0))
    await library.scan(wider(places, brought, config.workspace.folder))
  const { themes, diagnostics } = await themesOf(config, services, spec.bare === true, brought)
  const others = [...extensions.diagnostics, ...brought.diagnostics, ...contextDiagnostics(contextFiles)]
  return {
    get skills() {
      return library.skills
    },
    get templates() {
      return library.templates
    },
    themes,
    extensions,
    contextFiles,
    get diagnostics() {
      return [...others, ...library.diagnostics, ...diagnostics]
    },
    library,
  }
}

/** Paths that extensions bring: those of the user's count as named ones, those of a repository's as the repository's. */
interface Brought {
  readonly named: OfferedResources
  readonly project: OfferedResources
  readonly diagnostics: readonly Diagnostic[]
}

/** A repository's extension brings what lies with it and was trusted with it, and nothing else. */
async function broughtBy(resources: readonly BroughtResources[], { workspace, machine }: Config): Promise<Brought> {
  const fence = join(workspace.folder, ownFolder, "extensions")
  const from = (own: boolean, kind: keyof OfferedResources) =>
    resources.flatMap(({ level, paths }) => ((level === "project") === own ? paths[kind] : []))
  const all = (own: boolean, keeps: (path: string) => boolean): OfferedResources => ({
    skills: from(own, "skills").filter(keeps),
    prompts: from(own, "prompts").filter(keeps),
    themes: from(own, "themes").filter(keeps),
  })
  const inFence = (path: string): boolean => isInside(fence, path)
  const named = resourceKinds.flatMap((kind) => from(false, kind))
  const kinds = await kindsOf(machine, named)
  const missing = named.filter((_, at) => kinds[at]?.kind === null)
  const outside = resourceKinds.flatMap((kind) => from(true, kind)).filter((path) => !inFence(path))
  const error = (path: string, text: Text): Diagnostic => ({ type: "error", path, line: null, text })
  return {
    named: all(false, () => true),
    project: all(true, inFence),
    diagnostics: [
      ...missing.map((path) => error(path, phrase`an extension names this, and there is no such file or folder.`)),
      ...outside.map((path) =>
        error(path, phrase`an extension of the folder names this; it may bring what is in ${fence}.`),
      ),
    ],
  }
}

function wider(
  { hosts, skills, templates }: LibraryLocations,
  { named, project }: Brought,
  root: string,
): LibraryLocations {
  const trusted = templates.project
  return {
    hosts,
    skills: {
      ...skills,
      project: [...skills.project, ...project.skills],
      paths: [...skills.paths, ...named.skills],
    },
    templates: {
      ...templates,
      project: trusted && { ...trusted, folders: [...trusted.folders, ...fromRoot(root, project.prompts)] },
      paths: [...templates.paths, ...named.prompts],
    },
  }
}

/** Most have none, and then nothing is loaded for them. Themes of Pi are of another form. */
async function themesOf(
  config: Config,
  { userHome }: Services,
  bare: boolean,
  brought: Brought,
): Promise<LoadedThemes> {
  const { home, workspace, trusted, machine: host } = config
  const chosen = themeFile(config.settings.values.theme, userHome)
  const user = join(home, themesFolder)
  const own = `${ownFolder}/${themesFolder}`
  const project = trusted === null ? [] : [own, ...fromRoot(workspace.folder, brought.project.themes)]
  const here = [...(trusted?.files.keys() ?? [])].some((path) => project.some((folder) => isInside(folder, path)))
  const paths = [...brought.named.themes, ...(chosen === null ? [] : [chosen])]
  const none = { themes: [], diagnostics: [] }
  if (bare || (paths.length === 0 && !here && (await kindsOf(host, [user]))[0]?.kind === null)) return none
  const { loadThemes } = await import("@gong/resources/themes/load-themes")
  return loadThemes({ host, user: [user], project: trusted && { trusted, folders: project }, paths })
}

function fromRoot(root: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => relative(root, path))
}

/** The same for a command that only looks: nothing of it stays loaded. */
export function readResources(services: Services, spec: SessionSpec, config: Config): Promise<Outcome<Resources>> {
  return attempt(async () => {
    // A key on stdin is for a session.
    const { apiKey: _, ...rest } = spec
    const sources = keySources({ services, spec: rest, config })
    const loading = must(await loadResources({ services, spec, config, sources, fresh: true }))
    try {
      return await loading.all()
    } finally {
      loading.end()
    }
  })
}

/** Whole lines for the user, where nobody asked what is wrong. Of skills and templates there may be hundreds. */
export function resourceLines(t: Translate, { extensions, diagnostics, library }: Resources): readonly string[] {
  const many = new Set(library.diagnostics)
  const others = diagnostics.filter((one) => !many.has(one))
  return [
    ...extensions.lines.map((one) => `gong: ${t.text(one)}`),
    ...diagnosticLines(t, others, others.length),
    ...diagnosticLines(t, [...many]),
  ]
}

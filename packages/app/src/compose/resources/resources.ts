import { phrase, type Text, ownFolder, themesFolder, type Diagnostic } from "@gong/spec"
import { join, relative } from "node:path"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, ok, type Outcome } from "@gong/config/usage"
import { type ContextFile, findContextFiles, isInside } from "@gong/resources/prompt/context-files"
import { type RegisteredResources, resourceKinds } from "@gong/extensions/protocol"
import { kindsOf } from "@gong/resources/skills/load-files"
import { type Library, type LibraryLocations, openLibrary } from "@gong/resources/skills/load-library"
import type { Skill, Template } from "@gong/resources/skills/skill"
import type { LoadedThemes } from "@gong/resources/themes/load-themes"
import { type Theme, themeFile } from "@gong/resources/themes/theme"
import type { Services } from "../../services.ts"
import type { Config, SessionContext } from "../config.ts"
import { contextDiagnostics, contextFileOptions } from "./context.ts"
import { diagnosticLines } from "../extensions/diagnostics.ts"
import type { ExtensionOptions, ExtensionResources, SessionExtensions } from "../extensions/extension-parts.ts"
import { startExtensions } from "../extensions/extensions.ts"
import { keySources } from "../keys/keys.ts"
import { libraryLocations } from "./library.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * The resources of the user, the folder and the command line, with their problems. Each name occurs once. `/reload` reads them
 * again.
 */
export interface Resources {
  /** As of the last scan of the library. */
  readonly skills: readonly Skill[]
  readonly templates: readonly Template[]
  readonly themes: readonly Theme[]
  readonly extensions: SessionExtensions
  readonly contextFiles: readonly ContextFile[]
  readonly diagnostics: readonly Diagnostic[]
  readonly library: Library
}

export interface LoadingResources {
  /** Available first, for their gates. Never rejects. */
  readonly extensions: Promise<SessionExtensions>
  /** Reads all other resources, and waits for extensions. Problems of resources become diagnostics. Called once. */
  all(): Promise<Resources>
  /** Ends the thread of extensions; may be called at any time. */
  end(): void
}

/** Starts the load of extensions in their thread. A missing named path is a usage error. */
export async function loadResources(options: ExtensionOptions): Promise<Outcome<LoadingResources>> {
  const sources = await libraryLocations(options)
  if (!sources.ok) return sources
  const starting = startExtensions(options)
  if (!starting.ok) return starting
  const { loaded, end } = starting.value
  return ok({ extensions: loaded, end, all: () => collect(options, sources.value, loaded) })
}

async function collect(
  context: SessionContext,
  sources: LibraryLocations,
  loading: Promise<SessionExtensions>,
): Promise<Resources> {
  const { services, spec, config } = context
  const contextFolders = contextFileOptions(context)
  const contextFiles = contextFolders === null ? [] : await findContextFiles(contextFolders)
  const library = await openLibrary(sources)
  const extensions = await loading
  const added = await extensionPaths(extensions.resources, config)
  if (extensions.resources.some(({ paths }) => paths.skills.length > 0 || paths.prompts.length > 0))
    await library.scan(withExtensionPaths(sources, added, config.workspace.folder))
  const { themes, diagnostics } = await themesOf(config, services, spec.bare === true, added)
  const others = [...extensions.diagnostics, ...added.diagnostics, ...contextDiagnostics(contextFiles)]
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

/** Resource paths of extensions: those of the user's extensions count as named, those of a repository's as the repository's. */
interface ExtensionPaths {
  readonly named: RegisteredResources
  readonly project: RegisteredResources
  readonly diagnostics: readonly Diagnostic[]
}

/** An extension of a repository may add only resources of its trusted folder. */
async function extensionPaths(
  resources: readonly ExtensionResources[],
  { workspace, machine }: Config,
): Promise<ExtensionPaths> {
  const fence = join(workspace.folder, ownFolder, "extensions")
  const from = (project: boolean, kind: keyof RegisteredResources) =>
    resources.flatMap(({ level, paths }) => ((level === "project") === project ? paths[kind] : []))
  const all = (project: boolean, isAllowed: (path: string) => boolean): RegisteredResources => ({
    skills: from(project, "skills").filter(isAllowed),
    prompts: from(project, "prompts").filter(isAllowed),
    themes: from(project, "themes").filter(isAllowed),
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

function withExtensionPaths(
  { hosts, skills, templates }: LibraryLocations,
  { named, project }: ExtensionPaths,
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

/** Loads nothing if there are no themes. Themes of Pi have another format. */
async function themesOf(
  config: Config,
  { userHome }: Services,
  bare: boolean,
  added: ExtensionPaths,
): Promise<LoadedThemes> {
  const { home, workspace, trusted, machine: host } = config
  const chosen = themeFile(config.settings.values.theme, userHome)
  const user = join(home, themesFolder)
  const own = `${ownFolder}/${themesFolder}`
  const project = trusted === null ? [] : [own, ...fromRoot(workspace.folder, added.project.themes)]
  const hasProjectThemes = [...(trusted?.files.keys() ?? [])].some((path) =>
    project.some((folder) => isInside(folder, path)),
  )
  const paths = [...added.named.themes, ...(chosen === null ? [] : [chosen])]
  const none = { themes: [], diagnostics: [] }
  if (bare || (paths.length === 0 && !hasProjectThemes && (await kindsOf(host, [user]))[0]?.kind === null)) return none
  const { loadThemes } = await import("@gong/resources/themes/load-themes")
  return loadThemes({ host, user: [user], project: trusted && { trusted, folders: project }, paths })
}

function fromRoot(root: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => relative(root, path))
}

/** The resources for a command without a session; the thread of extensions is ended. */
export function readResources(services: Services, spec: SessionSpec, config: Config): Promise<Outcome<Resources>> {
  return attempt(async () => {
    // A key from stdin belongs to a session.
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

/** Whole lines for the user about problems. Those of skills and templates, which may be hundreds, are limited. */
export function resourceLines(t: Translate, { extensions, diagnostics, library }: Resources): readonly string[] {
  const ofLibrary = new Set(library.diagnostics)
  const others = diagnostics.filter((one) => !ofLibrary.has(one))
  return [
    ...extensions.lines.map((one) => `gong: ${t.text(one)}`),
    ...diagnosticLines(t, others, others.length),
    ...diagnosticLines(t, [...ofLibrary]),
  ]
}

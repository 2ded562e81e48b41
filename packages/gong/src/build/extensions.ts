import { existsSync, realpathSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Facts, ProviderRow } from "@gong/llm"
import {
  type Hook,
  isRecord,
  localHost,
  type Notification,
  type ShowCall,
  type Text,
  type Transport,
  phrase,
} from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import type { CredentialSources } from "../config/credentials.ts"
import type { SessionSpec } from "../config/session-spec.ts"
import { makeFolder } from "../config/home.ts"
import { privateFolder } from "../config/private-folder.ts"
import { ok, type Outcome, usage } from "../config/usage.ts"
import { ownFolder } from "../folders.ts"
import { findExtensions, type FoundExtension } from "../extensions/find.ts"
import type { CommandAnswer } from "../extensions/api.ts"
import type { OfferedResources, Offers, Question, WorkerExtension } from "../extensions/protocol.ts"
import type { Remote } from "../extensions/remote.ts"
import type { Diagnostic } from "../diagnostic.ts"
import type { Session } from "../session/session.ts"
import type { Services } from "../services.ts"
import type { Config } from "./config.ts"

export interface ExtensionPlace {
  readonly services: Services
  readonly spec: SessionSpec
  readonly config: Config
  readonly sources: CredentialSources
  /** Somebody types. */
  readonly interactive?: boolean
  /** What they bring is found out now, whatever is known of it. */
  readonly fresh?: boolean
  /** Sessions of this process with the same extensions share a thread. */
  readonly shared?: boolean
  /** Nothing of theirs is called: what is known of them is enough. */
  readonly onlyLooks?: boolean
}

/** What the extensions of a session bring. */
export interface Brought {
  readonly tools: readonly ToolSource[]
  readonly hooks: readonly Hook[]
  readonly commands: readonly RemoteCommand[]
  readonly providers: readonly BroughtProvider[]
  /** How calls of tools are shown, by the tool's name. */
  readonly renderers: ReadonlyMap<string, ShowCall>
  readonly diagnostics: readonly Diagnostic[]
  /** Skills, templates and themes that they bring, by who brought the extension. */
  readonly resources: readonly BroughtResources[]
  /** One row for each, for who looks at them. */
  readonly rows: readonly ExtensionRow[]
}

export interface SessionExtensions extends Brought {
  /** The lines that they said while they were loaded. */
  readonly lines: readonly Text[]
  /** What was known of them may turn out to be another thing: then these are the session's parts that change. */
  follow(parts: Following): void
  /** What they say from now on goes to `receiver`. */
  sendTo(receiver: (notification: Notification) => void, ask: Session["ask"]): void
  end(): void
}

export interface BroughtResources {
  readonly level: ExtensionRow["level"]
  /** Full paths. */
  readonly paths: OfferedResources
}

/** Models that an extension brings. */
export interface BroughtProvider {
  readonly row: ProviderRow
  readonly models: Facts
  /** Null: they are asked over the network. */
  readonly transport: Transport | null
}

export interface Following {
  /** Those of extensions stand last. */
  readonly hooks: Hook[]
  readonly sources: ToolSource[]
  /** Called when both lists have changed. */
  renewed(): void
}

export interface ExtensionRow {
  readonly name: string
  readonly path: string
  readonly level: "user" | "project" | "path"
  /** What it brings, in a few words; null: it was not loaded. */
  readonly brings: string | null
}

export interface RemoteCommand {
  readonly name: string
  readonly about: string
  readonly value?: string
  /** `ask`: a person is there. */
  run(
    rest: string,
    context: {
      readonly signal?: AbortSignal
      readonly ask?: (question: Question, args: readonly unknown[]) => Promise<unknown>
    },
  ): Promise<CommandAnswer>
}

/** Those that are being loaded, while the rest of the session is chosen. */
export interface Starting {
  /** Never rejects. */
  readonly loaded: Promise<SessionExtensions>
  end(): void
}

/**
 * Begins to load what there is: the user's extensions, those of a trusted folder, and those of `-e`. Where there are none,
 * nothing is loaded for them. A named place that is not there is a usage error.
 */
export function startExtensions(place: ExtensionPlace): Outcome<Starting> {
  const { services, spec, config } = place
  const usual = spec.bare !== true && spec.noExtensions !== true
  const named = (spec.extension ?? []).map((path) => fullPath(path, config.workspace.cwd, services.userHome))
  const missing = named.findIndex((path) => !existsSync(path))
  if (missing >= 0) return usage(phrase`-e ${spec.extension?.[missing]}: there is no such file or folder.`)
  const { extensions, diagnostics } = findExtensions({
    user: usual ? join(config.home, "extensions") : null,
    project: usual && config.host.id === localHost ? config.trusted : null,
    named,
  })
  const found = [...diagnostics, ...(usual ? leftOnHost(config) : [])]
  const wanted = extensions.filter(isOn(config))
  if (wanted.length === 0) services.prewarmedWorker?.end()
  if (wanted.length === 0) return ok({ loaded: Promise.resolve({ ...none, diagnostics: found }), end: () => undefined })
  let ended = false
  let end = (): void => void (ended = true)
  const loaded = (async () => {
    const { loadExtensions } = await import("./load-extensions.ts")
    const loading = loadExtensions(services.t, place, wanted.map(begun(config)), found)
    if (ended) loading.end()
    end = loading.end
    return loading.all
  })()
  return ok({ loaded, end: () => end() })
}

/** Extensions run on this machine: those of a folder on another host are its code, and stay there. */
function leftOnHost({ host, trusted }: Config): readonly Diagnostic[] {
  const folder = `${ownFolder}/extensions`
  if (trusted === null || host.id === localHost) return []
  if (![...trusted.files.keys()].some((path) => path.startsWith(`${folder}/`))) return []
  const text = phrase`extensions of a folder on another host are not loaded.`
  return [{ type: "warning", path: join(trusted.root, folder), line: null, text }]
}

const none: SessionExtensions = {
  tools: [],
  hooks: [],
  commands: [],
  providers: [],
  renderers: new Map(),
  lines: [],
  diagnostics: [],
  resources: [],
  rows: [],
  follow: () => undefined,
  sendTo: () => undefined,
  end: () => undefined,
}

/** `"NAME": false` in the settings switches one off, whoever brings it. */
function isOn({ extensionSettings: { user, project } }: Config) {
  return ({ name, level }: FoundExtension): boolean =>
    user[name] !== false && (level !== "project" || project[name] !== false)
}

export interface BegunExtension extends WorkerExtension {
  readonly level: FoundExtension["level"]
}

/** A repository says how its own extensions are set, and not how the user's are: those may guard against it. */
function begun({ extensionSettings }: Config) {
  return ({ name, path, fence, level }: FoundExtension, id: number): BegunExtension => {
    const real = realPath(path)
    const set = extensionSettings[level === "project" ? "project" : "user"][name]
    return { id, name, path: real, folder: dirname(real), fence, level, settings: isRecord(set) ? set : {} }
  }
}

/** One that has been loaded. */
export interface There {
  readonly remote: Remote
  readonly path: string
  readonly level: BegunExtension["level"]
  readonly offers: Offers
}

/** Where compiled copies are kept; null where none can be. */
export function cacheFolder({ home }: Config): string | null {
  try {
    makeFolder(home)
    return privateFolder(home, ["cache", "extensions"], { make: true }).path
  } catch {
    return null
  }
}

function fullPath(path: string, cwd: string, home: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
